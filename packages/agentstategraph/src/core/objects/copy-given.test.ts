import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isStateError } from '../errors.ts'
import { encode } from '../values/encode.ts'
import { copyGiven } from './copy-given.ts'

/** What encoding gives, or what it refuses, as text. */
function outcome(value: unknown): string {
  try {
    return JSON.stringify(encode(value))
  } catch (error) {
    if (isStateError(error, 'value-refused')) return JSON.stringify(error.data)
    throw error
  }
}

function nested(levels: number): unknown {
  let value: unknown = 1
  for (let i = 0; i < levels; i++) value = [value]
  return value
}

function cycle(): unknown {
  const list: unknown[] = []
  list.push({ list })
  return list
}

const odd: readonly (() => unknown)[] = [
  () => Object.assign([1], { '-1': 2 }),
  () => new Array(3),
  () => ({ [Symbol('s')]: 1 }),
  () => JSON.parse('{"__proto__": {"a": 1}}'),
  () => Object.create(null),
  () => Object.assign(new Date(0), { note: 1 }),
  () => () => 1,
  () => new (class Point {})(),
  () => cycle(),
  () => nested(80),
]
const value = fc.letrec(tie => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(fc.integer(), fc.string(), fc.constantFrom(undefined, null, true, -0, 12n)),
    fc.constantFrom(...odd).map(make => make()),
    fc.date().map(date => new Date(date)),
    fc.uint8Array(),
    fc.webUrl().map(url => new URL(url)),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom('a', 'b', '__proto__', '$x'), tie('value'), { maxKeys: 4 }),
    fc.array(fc.tuple(fc.string(), tie('value')), { maxLength: 3 }).map(entries => new Map(entries)),
    fc.array(tie('value'), { maxLength: 3 }).map(elements => new Set(elements)),
  ),
})).value

describe('copyGiven', () => {
  it('gives what is stored and refused exactly as the original is', () => {
    fc.assert(
      fc.property(value, given => {
        expect(outcome(copyGiven(given))).toBe(outcome(given))
      }),
      { numRuns: 500 },
    )
  })

  it('shares nothing that can be changed with what it was given', () => {
    const given = {
      list: [{ a: 1 }],
      map: new Map([['k', { a: 1 }]]),
      set: new Set([{ a: 1 }]),
      date: new Date(0),
      url: new URL('x:/a'),
      bytes: Uint8Array.of(1),
    }
    const copy = copyGiven(given)
    const before = outcome(copy)
    given.list[0]!.a = 2
    given.list.push({ a: 3 })
    given.map.get('k')!.a = 2
    for (const inside of given.set) inside.a = 2
    given.date.setTime(1)
    given.url.pathname = '/b'
    given.bytes[0] = 2
    expect(outcome(copy)).toBe(before)
    expect(outcome(given)).not.toBe(before)
  })

  it('does not overflow the stack on what is nested too deep to be stored', () => {
    expect(outcome(copyGiven(nested(20_000)))).toBe(outcome(nested(20_000)))
  })

  it('keeps what is in two places in both', () => {
    const shared = { a: 1 }
    const copy = copyGiven({ one: shared, two: shared })
    expect(copy.one).toBe(copy.two)
  })
})
