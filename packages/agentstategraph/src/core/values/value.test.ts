import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { viewNames } from '../objects/built-in.ts'
import { canonicalText, type Stored } from '../text/stored.ts'
import { decode } from './decode.ts'
import { encode } from './encode.ts'

type ViewClass = new (buffer: ArrayBuffer) => ArrayBufferView
const views = viewNames.flatMap(name => {
  const View = (globalThis as unknown as Record<string, ViewClass | undefined>)[name]
  return View === undefined ? [] : [View]
})

const text = fc.string({ unit: 'binary', maxLength: 12 })
const key = fc.oneof(
  text,
  fc.constantFrom('__proto__', 'constructor', '$date', '$', '$$', '10', '9', '', 'then', 'toJSON'),
)
const bytes = fc.uint8Array({ maxLength: 4 }).map(some => Uint8Array.from([...some, ...some]))
const view = fc
  .tuple(fc.constantFrom(...views), bytes, bytes)
  .map(([View, a, b]) => new View(Uint8Array.from([...a, ...a, ...b, ...b, ...a, ...a, ...b, ...b]).buffer))
const regexp = fc
  .tuple(
    fc.constantFrom('', 'a', '[/]', '/', '\\n', '\n', '\\u{1F600}', '(?<n>.)'),
    fc.constantFrom('', 'g', 'giu', 'y'),
    fc.nat(3),
  )
  .map(([source, flags, lastIndex]) => Object.assign(new RegExp(source, flags), { lastIndex }))
const leaf = fc.oneof(
  text,
  fc.double(),
  fc.integer(),
  fc.bigInt(),
  fc.constantFrom(null, undefined, true, false, -0, 0, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY),
  fc.date({ noInvalidDate: false }),
  fc.uint8Array({ maxLength: 9 }).map(some => new Uint8Array(some)),
  fc.uint8Array({ maxLength: 9 }).map(some => new Uint8Array(some).buffer),
  view,
  regexp,
  fc.webUrl({ withFragments: true, withQueryParameters: true }).map(href => new URL(href)),
)
const values = fc.letrec<{ value: unknown }>(tie => ({
  value: fc.oneof(
    { depthSize: 'small' },
    leaf,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(key, tie('value')), { maxLength: 4 }).map(entries => Object.fromEntries(entries)),
    fc.array(fc.tuple(tie('value'), tie('value')), { maxLength: 3 }).map(entries => new Map(entries)),
    fc.array(tie('value'), { maxLength: 3 }).map(items => new Set(items)),
  ),
})).value

describe('the laws of values', () => {
  it('decode gives back exactly what encode was given', () => {
    fc.assert(
      fc.property(values, value => {
        expect(exactly(decode(encode(value)))).toEqual(exactly(value))
      }),
      { numRuns: 1000 },
    )
  })

  it('decode gives it back after the stored form went through text', () => {
    fc.assert(
      fc.property(values, value => {
        const stored = JSON.parse(canonicalText(encode(value))) as Stored
        expect(exactly(decode(stored))).toEqual(exactly(value))
      }),
      { numRuns: 500 },
    )
  })

  it('encode gives back exactly the stored form that decode was given', () => {
    fc.assert(
      fc.property(values, value => {
        const written = canonicalText(encode(value))
        expect(canonicalText(encode(decode(JSON.parse(written) as Stored)))).toBe(written)
      }),
      { numRuns: 500 },
    )
  })

  it('the stored form is JSON in which nothing is lost', () => {
    fc.assert(
      fc.property(values, value => {
        const stored = encode(value)
        expect(canonicalText(JSON.parse(JSON.stringify(stored)) as Stored)).toBe(canonicalText(stored))
      }),
    )
  })

  it('neither direction shares an object with what it was given', () => {
    const value = { list: [1], map: { a: 1 }, bytes: Uint8Array.of(1) }
    const stored = encode(value) as { list: number[]; map: { a: number } }
    const read = decode(stored) as typeof value
    value.list.push(2)
    value.bytes[0] = 9
    stored.map.a = 9
    stored.list.push(3)
    expect(read).toEqual({ list: [1], map: { a: 1 }, bytes: Uint8Array.of(1) })
  })
})

it('a key __proto__ is data on both ways and touches no prototype', () => {
  const value = JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":2}}') as object
  const read = decode(encode(value)) as { polluted?: unknown }
  expect(Object.keys(read)).toEqual(['__proto__', 'constructor'])
  expect(read.polluted).toBeUndefined()
  expect(Object.getPrototypeOf(read)).toBe(Object.prototype)
})

it('an object of another realm is taken for what it is', () => {
  const value: unknown = runInNewContext(
    '({ o: { a: [1, { b: 2 }] }, d: new Date(5), m: new Map([[1, new Set([2])]]), u: Uint8Array.of(7), r: /x/g })',
  )
  expect(exactly(decode(encode(value)))).toEqual(
    exactly({
      o: { a: [1, { b: 2 }] },
      d: new Date(5),
      m: new Map([[1, new Set([2])]]),
      u: Uint8Array.of(7),
      r: /x/g,
    }),
  )
})

it('a Buffer reads back as the same bytes in a Uint8Array of its own', () => {
  const read = decode(encode(Buffer.from('hello')))
  expect(exactly(read)).toEqual(exactly(new TextEncoder().encode('hello')))
  expect((read as Uint8Array).buffer.byteLength).toBe(5)
})

it('an object without a prototype reads back as an ordinary one', () => {
  const value = Object.assign(Object.create(null) as object, { a: 1 })
  expect(exactly(decode(encode(value)))).toEqual(exactly({ a: 1 }))
})

it('an object in two places is stored in both', () => {
  const shared = { n: 1 }
  expect(decode(encode({ a: shared, b: [shared, shared] }))).toEqual({ a: { n: 1 }, b: [{ n: 1 }, { n: 1 }] })
})

/** A value as nested arrays and strings, in which everything that must not be lost shows, and key order does not. */
function exactly(value: unknown): unknown {
  if (typeof value !== 'object' || value === null)
    return `${typeof value} ${Object.is(value, -0) ? '-0' : String(value)}`
  const prototype: unknown = Object.getPrototypeOf(value)
  if (Array.isArray(value)) return [prototype === Array.prototype, 'Array', value.map(exactly)]
  if (value instanceof Map) return [prototype === Map.prototype, 'Map', [...value].flat().map(exactly)]
  if (value instanceof Set) return [prototype === Set.prototype, 'Set', [...value].map(exactly)]
  if (value instanceof Date) return [prototype === Date.prototype, 'Date', value.getTime()]
  if (value instanceof URL) return ['URL', value.href]
  if (value instanceof RegExp) return ['RegExp', value.source, value.flags, value.lastIndex]
  if (value instanceof ArrayBuffer) return ['ArrayBuffer', [...new Uint8Array(value)]]
  if (ArrayBuffer.isView(value)) {
    const raw = new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
    return [value.constructor.name, [...raw]]
  }
  const keys = Object.keys(value).sort()
  return [prototype === Object.prototype || prototype === null, keys, keys.map(name => exactly(ownValue(value, name)))]
}

function ownValue(value: object, name: string): unknown {
  return Object.getOwnPropertyDescriptor(value, name)?.value
}
