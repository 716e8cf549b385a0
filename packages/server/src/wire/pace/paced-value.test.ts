import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pacedJson } from '../../host/paced-json.ts'
import { type JsonValue, stateValue, wireValue } from '../json-value.ts'
import { isSmall } from './is-small.ts'
import { pacedMap, pacedStateValue, pacedValue } from './paced-value.ts'

/** Values of every size around the one from which they are converted in pieces. */
const value = fc
  .tuple(fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true }), fc.nat(3))
  .map(
    ([part, size]) =>
      [
        part,
        Array.from({ length: 3000 }, () => part),
        { $list: Array.from({ length: 3000 }, (_, n) => n), part, ['__proto__']: part },
        Object.fromEntries(Array.from({ length: 3000 }, (_, n) => [`$${n}`, n % 1000 === 0 ? part : n])),
      ][size],
  )

function wired(given: unknown): unknown {
  try {
    return wireValue(given)
  } catch (error) {
    return (error as { code?: string }).code
  }
}

test('a value converted and printed in pieces is what it is as a whole', async () => {
  let paces = 0
  const pace = async (): Promise<void> => void paces++
  await fc.assert(
    fc.asyncProperty(value, async given => {
      const whole = wired(given)
      const inPieces = await pacedValue(given, pace).catch(error => error.code)
      expect(inPieces).toEqual(whole)
      expect(await pacedJson(whole, Number.POSITIVE_INFINITY)).toBe(JSON.stringify(whole) ?? 'null')
    }),
    { numRuns: 15 },
  )
  expect(paces).toBeGreaterThan(0)
})

/** A value, or what is told of the place where it cannot be read. */
function read(value: JsonValue): unknown {
  try {
    return stateValue(value)
  } catch (error) {
    return toldOf(error)
  }
}

function toldOf(error: unknown): unknown {
  const { code, data } = error as { code?: string; data?: unknown }
  return { code, data }
}

test('a value that came is the same in pieces as it is as a whole, and refused in the same words', async () => {
  let paces = 0
  const pace = async (): Promise<void> => void paces++
  const sent = fc.oneof(
    value.map(given => wired(given) as JsonValue),
    fc.constantFrom<JsonValue>(
      [...Array.from({ length: 3000 }, () => 0), { deep: [{ $nothing: 1 }] }],
      { ...Object.fromEntries(Array.from({ length: 3000 }, (_, n) => [`k${n}`, n])), $date: 'x' },
      { $map: Array.from({ length: 3000 }, (_, n) => [n, n]) },
    ),
  )
  await fc.assert(
    fc.asyncProperty(sent, async given => {
      expect(await pacedStateValue(given, pace).catch(toldOf)).toEqual(read(given))
    }),
    { numRuns: 20 },
  )
  expect(paces).toBeGreaterThan(0)
})

test('others take their turn while many items are converted', async () => {
  let paces = 0
  const pace = async (): Promise<void> => void paces++
  const items = Array.from({ length: 1000 }, (_, n) => n)
  expect(await pacedMap(items, n => n + 1, pace)).toEqual(items.map(n => n + 1))
  expect(paces).toBe(7)
})

test('fields that are undefined are not printed, and what is too long is not printed to its end', async () => {
  const large = { a: undefined, list: Array.from({ length: 5000 }, (_, n) => (n === 0 ? undefined : n)), z: {} }
  expect(isSmall(large)).toBe(false)
  expect(await pacedJson(large, 1e6)).toBe(JSON.stringify(large))
  await expect(pacedJson(large, 1000)).rejects.toMatchObject({ code: 'too-costly', data: { limit: 'answer' } })
  await expect(pacedJson('é'.repeat(1000), 1500)).rejects.toMatchObject({ code: 'too-costly' })
})
