/** Encoding in steps: the same result as at once, and the same refusal. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isStateError } from '../errors.ts'
import { defaultLimits } from '../limits.ts'
import type { Stored } from '../text/stored.ts'
import { encode } from './encode.ts'
import { encodeSteps } from './encode-steps.ts'
import type { EncodeOptions } from './encode-walk.ts'

function inSteps(value: unknown, options?: EncodeOptions): Stored {
  const steps = encodeSteps(value, options)
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/** What encoding gives, or what it is refused with. */
function outcome(encoded: () => Stored): unknown {
  try {
    return { stored: encoded() }
  } catch (error) {
    if (!isStateError(error)) throw error
    return { code: error.code, data: error.data }
  }
}

const anything = fc.anything({
  withBigInt: true,
  withDate: true,
  withMap: true,
  withNullPrototype: true,
  withSet: true,
  withSparseArray: true,
  withTypedArray: true,
  withUnicodeString: true,
})

it('gives what encoding at once gives, for any value and with tight limits', () => {
  const tight = { ...defaultLimits, depth: 3, stringBytes: 20, segmentBytes: 5, valueBytes: 200 }
  fc.assert(
    fc.property(anything, fc.constantFrom(defaultLimits, tight), (value, limits) => {
      const options = { limits, at: ['a', 'b'] }
      expect(outcome(() => inSteps(value, options))).toEqual(outcome(() => encode(value, options)))
    }),
  )
})

it('refuses cycles and odd properties by the paths of encoding at once', () => {
  const cycle: Record<string, unknown> = { list: [{}] }
  cycle['list'] = [{ back: cycle, odd: { [Symbol('s')]: 1 }, call: () => 1 }]
  const at = outcome(() => encode(cycle))
  expect(at).toMatchObject({ code: 'value-refused' })
  expect(outcome(() => inSteps(cycle))).toEqual(at)
})

it('tells of each stretch in which many keys were listed', () => {
  const told = (value: unknown): number => {
    const steps = encodeSteps(value)
    let count = 0
    for (let step = steps.next(); step.done !== true; step = steps.next()) if (step.value === 'long') count++
    return count
  }
  const keys = Array.from({ length: 2000 }, (_, n) => `k${n}`)
  expect(told(Object.fromEntries(keys.map(key => [key, 1])))).toBe(2)
  expect(told(keys)).toBe(1)
  expect(told({ a: [1, 2], b: 3 })).toBe(0)
})

it('takes a step for each part', () => {
  const steps = encodeSteps({ a: [1, 2], b: 3 })
  let count = 0
  while (steps.next().done !== true) count++
  expect(count).toBe(4)
})
