import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { frozen } from '../frozen.ts'
import { findReducer } from './named.ts'
import type { FieldChange } from './reduced.ts'

function reduce(spec: unknown, base: unknown, delta: unknown, initial?: unknown): unknown {
  return findReducer(spec)!.reduce(frozen(base), frozen(delta), initial).value
}

/** Applies changes as a store would: one after another, by path. */
function applied(base: unknown, changes: readonly FieldChange[]): unknown {
  return changes.reduce((value, change) => changed(structuredClone(value), change, change.path), base)
}

function changed(value: unknown, change: FieldChange, path: readonly string[]): unknown {
  const [key, ...rest] = path
  if (key === undefined) return change.op === 'set' ? change.value : undefined
  if (Array.isArray(value)) {
    const index = key === '-' ? value.length : Number(key)
    if (rest.length === 0 && change.op === 'delete') value.splice(index, 1)
    else value[index] = changed(value[index], change, rest)
    return value
  }
  const object = value as Record<string, unknown>
  if (rest.length === 0 && change.op === 'delete') delete object[key]
  else {
    const next = changed(Object.hasOwn(object, key) ? object[key] : undefined, change, rest)
    Object.defineProperty(object, key, { value: next, writable: true, enumerable: true, configurable: true })
  }
  return object
}

const scalar = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constantFrom('a', 'b', '__proto__'), fc.boolean())
const key = fc.constantFrom('a', 'b', 'c', '-', '0', '__proto__')
const { object } = fc.letrec<{ object: Record<string, unknown>; value: unknown }>(tie => ({
  object: fc.dictionary(key, tie('value'), { maxKeys: 4 }),
  value: fc.oneof({ maxDepth: 3 }, scalar, fc.array(scalar, { maxLength: 3 }), tie('object')),
}))
const list = fc.array(fc.oneof(scalar, object), { maxLength: 6 })
const message = fc.record({ id: fc.constantFrom('a', 'b', 'c', 'd'), text: scalar })
const messages = fc.array(fc.oneof(message, fc.record({ text: scalar })), { maxLength: 6 })
const orders = fc.array(
  fc.oneof(message, fc.record({ text: scalar }), fc.record({ remove: fc.constantFrom('a', 'b', 'z', true) })),
  { maxLength: 8 },
)
const cases: readonly (readonly [unknown, fc.Arbitrary<unknown>, fc.Arbitrary<unknown>])[] = [
  ['append', list, list],
  ['union', list, list],
  ['merge', object, object],
  ['deepMerge', object, object],
  ['sum', fc.integer(), fc.integer()],
  ['max', fc.double(), fc.double()],
  ['min', fc.string(), fc.string()],
  ['last', list, list],
  ['first', list, list],
  [{ unionBy: 'id' }, messages, messages],
  ['messages', messages, orders],
  [(base: unknown[] = [], delta: unknown[]) => [...delta, ...base], list, list],
]

describe('every reducer', () => {
  for (const [spec, base, delta] of cases) {
    const { name, reduce: run } = findReducer(spec)!
    it(`${name}: its changes lead from the old value to the new one, and neither is written to`, () => {
      fc.assert(
        fc.property(fc.oneof(fc.constant(undefined), base), delta, (old, given) => {
          const before = structuredClone(old)
          const { value, changes } = run(frozen(old), frozen(given), undefined)
          expect(applied(old, changes)).toEqual(value)
          expect(old).toEqual(before)
        }),
      )
    })
  }
})

describe('reducers', () => {
  it('begin with what is empty when nobody has written the field', () => {
    expect(reduce('append', undefined, [1])).toEqual([1])
    expect(reduce('sum', undefined, 2)).toBe(2)
    expect(reduce('sum', undefined, 2n)).toBe(2n)
    expect(reduce('merge', undefined, { a: 1, b: undefined })).toEqual({ a: 1 })
    expect(reduce('messages', undefined, [])).toEqual([])
    expect(reduce('union', undefined, [1, 1])).toEqual([1])
  })

  it('append, sum, max and min do what they say, for dates and big integers too', () => {
    expect(reduce('append', [1], [2, 3])).toEqual([1, 2, 3])
    expect(reduce('sum', 1, 2)).toBe(3)
    expect(reduce('max', new Date(5), new Date(7))).toEqual(new Date(7))
    expect(reduce('min', 5n, 3n)).toBe(3n)
    expect(reduce('max', Number.NaN, 3)).toBe(3)
  })

  it('union adds what differs in content, in lists and in sets', () => {
    expect(reduce('union', [{ a: 1, b: 2 }, 1, '1'], [{ b: 2, a: 1 }, '1', 2])).toEqual([{ a: 1, b: 2 }, 1, '1', 2])
    expect(reduce('union', new Set(['a']), new Set(['a', 'b']))).toEqual(new Set(['a', 'b']))
  })

  it('merge replaces keys, deepMerge goes on inside, and undefined writes nothing', () => {
    expect(reduce('merge', { a: { x: 1 }, b: 1 }, { a: { y: 2 }, b: undefined })).toEqual({ a: { y: 2 }, b: 1 })
    expect(reduce('deepMerge', { a: { x: 1 }, b: [1] }, { a: { y: 2 }, b: [2] })).toEqual({ a: { x: 1, y: 2 }, b: [2] })
    expect(reduce('merge', new Map([['a', 1]]), new Map([['b', 2]]))).toEqual(
      new Map([
        ['a', 1],
        ['b', 2],
      ]),
    )
  })

  it('messages are appended, replaced by id, and taken away', () => {
    const base = [{ id: 'a', text: 1 }, { id: 'b', text: 2 }, { text: 3 }]
    expect(
      reduce('messages', base, [
        { id: 'a', text: 9 },
        { id: 'c', text: 4 },
      ]),
    ).toEqual([{ id: 'a', text: 9 }, { id: 'b', text: 2 }, { text: 3 }, { id: 'c', text: 4 }])
    expect(reduce('messages', base, [{ remove: 'a' }, { remove: 'gone' }])).toEqual([{ id: 'b', text: 2 }, { text: 3 }])
    expect(reduce('messages', base, [{ remove: true }, { id: 'x', text: 0 }])).toEqual([{ id: 'x', text: 0 }])
    expect(reduce('messages', base, [{ id: 'a', remove: 'b' }])).toContainEqual({ id: 'a', remove: 'b' })
  })

  it('first keeps what was written first, and what the field began as was not written', () => {
    expect(reduce('first', '', 'one', '')).toBe('one')
    expect(reduce('first', 'one', 'two', '')).toBe('one')
  })

  it('say what they cannot take', () => {
    expect(() => reduce('append', [], 'text')).toThrow('append takes a list, and was given a string')
    for (const name of ['append', 'union', 'messages'] as const) {
      expect(() => reduce(name, [], new Array(2))).toThrow(`${name} takes a list, and was given one with holes`)
      expect(() => reduce(name, [], Object.assign([], { '-1': 1 }))).toThrow('or with other properties')
    }
    expect(() => reduce('sum', 1, '1')).toThrow('sum takes a number')
    expect(() => reduce('sum', 1, 1n)).toThrow('sum cannot add a bigint to a number')
    expect(() => reduce('merge', {}, [1])).toThrow('merge takes an object, and was given a list')
    expect(() => reduce('deepMerge', 'x', {})).toThrow('needs an object in the field')
    expect(() => reduce('union', [], 1)).toThrow('union takes a list or a Set')
    expect(() => reduce('max', 1, {})).toThrow('max takes a number, a text or a Date')
    expect(() => reduce('messages', {}, [])).toThrow('needs a list in the field')
    expect(() => reduce(() => undefined, 1, 1)).toThrow('it returned nothing')
    expect(() => reduce(async () => 1, 1, 1)).toThrow('it returned a promise')
  })

  it('what names no reducer is none', () => {
    for (const spec of ['appendd', 'toString', null, 3, {}, { unionBy: '' }]) expect(findReducer(spec)).toBeUndefined()
  })

  it('removing many of many messages does not cost their product', () => {
    const base = Array.from({ length: 4000 }, (_, id) => ({ id }))
    const { value, changes } = findReducer('messages')!.reduce(
      frozen(base),
      base.slice(0, 3000).map(({ id }) => ({ remove: id })),
      undefined,
    )
    expect(value).toHaveLength(1000)
    expect(changes).toHaveLength(3000)
  })
})
