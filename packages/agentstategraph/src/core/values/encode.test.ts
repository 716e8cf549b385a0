import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isStateError } from '../errors.ts'
import { defaultLimits } from '../limits.ts'
import { encode } from './encode.ts'
import type { Refusal } from './errors.ts'

function refusalsOf(value: unknown, options?: Parameters<typeof encode>[1]): readonly Refusal[] {
  try {
    encode(value, options)
  } catch (error) {
    if (isStateError(error, 'value-refused')) return (error.data as { refused: readonly Refusal[] }).refused
    throw error
  }
  throw new Error('It was not refused.')
}

function pathsOf(value: unknown, options?: Parameters<typeof encode>[1]): readonly string[] {
  return refusalsOf(value, options).map(({ path }) => path)
}

function nested(levels: number): unknown {
  let value: unknown = 1
  for (let i = 0; i < levels; i++) value = [value]
  return value
}

function holed(): unknown[] {
  const list: unknown[] = new Array(3)
  list[0] = 1
  list[2] = 3
  return list
}

function withThen(value: object): object {
  Reflect.set(value, 'then', () => 1)
  return value
}

describe('what encode writes', () => {
  it('is JSON as it is, with one more $ before keys that begin with one', () => {
    expect(encode({ a: [1, 'x', null, true], $date: 1, $$: 2 })).toEqual({ a: [1, 'x', null, true], $$date: 1, $$$: 2 })
  })

  it('is a tag for everything beyond JSON', () => {
    const written: [unknown, unknown][] = [
      [undefined, { $undefined: true }],
      [-0, { $number: '-0' }],
      [Number.NaN, { $number: 'NaN' }],
      [Number.NEGATIVE_INFINITY, { $number: '-Infinity' }],
      [-12n, { $bigint: '-12' }],
      [new Date(0), { $date: '1970-01-01T00:00:00.000Z' }],
      [new Date(Number.NaN), { $date: null }],
      [Uint8Array.of(255), { $bytes: '/w==' }],
      [Uint16Array.of(258), { $typed: ['Uint16Array', 'AgE='] }],
      [new DataView(Uint8Array.of(1, 2).buffer), { $typed: ['DataView', 'AQI='] }],
      [Uint8Array.of(1).buffer, { $buffer: 'AQ==' }],
      [
        new Map<unknown, unknown>([
          ['b', 1],
          [{ a: 2 }, [undefined]],
        ]),
        {
          $map: [
            ['b', 1],
            [{ a: 2 }, [{ $undefined: true }]],
          ],
        },
      ],
      [new Set(['b', 'a']), { $set: ['b', 'a'] }],
      [new URL('HTTP://Example.com'), { $url: 'http://example.com/' }],
      [/a\/b/gi, { $regexp: ['a\\/b', 'gi'] }],
      [Object.assign(/a/y, { lastIndex: 2 }), { $regexp: ['a', 'y', 2] }],
    ]
    for (const [value, stored] of written) expect(encode(value)).toEqual(stored)
  })

  it('holds the bytes of a view, not of the buffer it lies in', () => {
    expect(encode(Uint8Array.of(1, 2, 3).subarray(1, 2))).toEqual({ $bytes: 'Ag==' })
  })
})

describe('what encode refuses', () => {
  class Point {
    x = 1
  }
  class Dates extends Date {}
  const loneSurrogate = JSON.parse('"\\ud800"') as string
  const cases: [string, unknown][] = [
    ['a function', () => 1],
    ['a symbol', Symbol('s')],
    ['a promise', Promise.resolve(1)],
    ['a thenable', withThen(new Point())],
    ['an error of a class of the program', new (class Failure extends Error {})('x')],
    ['a class instance', new Point()],
    ['a subclass of a known class', new Dates()],
    ['a subclass of Array', new (class List extends Array {})()],
    ['a subclass of Uint8Array', new (class Raw extends Uint8Array {})(1)],
    ['a boxed number', Object(1)],
    ['a boxed string', Object('s')],
    ['a WeakMap', new WeakMap()],
    ['a SharedArrayBuffer', new SharedArrayBuffer(1)],
    ['an object with a prototype of its own', Object.create({ inherited: 1 })],
    ['an impostor of a Date', Object.create(Date.prototype)],
    ['a lone surrogate', `a${loneSurrogate}`],
    ['an array with a hole', holed()],
    ['an array with a property', Object.assign([1], { extra: 1 })],
    ['an array with a hole and a property', Object.assign(holed(), { extra: 1 })],
    ['an array with a symbol', Object.assign([1], { [Symbol('s')]: 1 })],
    ['an array with the property "-1"', Object.assign([1, 2], { '-1': 1 })],
    ['an array with the property ""', Object.assign([1, 2], { '': 1 })],
    ['an array with the property "01"', Object.assign([1, 2], { '01': 1 })],
    ['an array with the property "1.0" and a hole', Object.assign(holed(), { '1.0': 1 })],
    ['an empty array with a property', Object.assign([], { '-0': 1 })],
    ['an array of nothing but holes', new Array(4_000_000_000)],
    ['a symbol key', { [Symbol('s')]: 1 }],
    ['a hidden property', Object.defineProperty({}, 'a', { value: 1 })],
    ['a Map with a property', Object.assign(new Map(), { extra: 1 })],
    ['a Date with a property', Object.assign(new Date(0), { extra: 1 })],
    ['a RegExp with a property', Object.assign(/x/, { extra: 1 })],
    ['a RegExp whose lastIndex is no index', Object.assign(/x/, { lastIndex: -1 })],
    ['a RegExp with a lone surrogate', new RegExp(loneSurrogate)],
    ['an arguments object', runInNewContext('(function () { return arguments })(1)')],
  ]

  it.each(cases)('%s, with path, type and remedy', (_name, value) => {
    const [refusal, ...more] = refusalsOf({ deep: [value] })
    expect(refusal?.path).toBe('/deep/0')
    expect(refusal?.type).toMatch(/\w/)
    expect(refusal?.remedy).toMatch(/\.$/)
    expect(more.every(({ path }) => path.startsWith('/deep/0'))).toBe(true)
  })

  it('any array with properties, unless all of them are its elements', () => {
    const key = fc.oneof(
      fc.string(),
      fc.constantFrom('-1', '', '01', '1.0', '-0', ' 1', '1e0', '0x1', '4294967295', '2', '5'),
    )
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 4 }), fc.array(key, { maxLength: 3 }), (elements, keys) => {
        const list = [...elements]
        for (const name of keys) if (name !== 'length') Reflect.set(list, name, 7)
        const expected = Array.from({ length: list.length }, (_, i) => (Object.hasOwn(list, i) ? list[i] : 'a hole'))
        const isList = Object.keys(list).length === list.length && !expected.includes('a hole')
        if (isList) expect(encode([list])).toEqual([expected])
        else expect(pathsOf([list])).toContain('/0')
      }),
      { numRuns: 500 },
    )
  })

  it('a resizable ArrayBuffer, since it would come back with a fixed length', () => {
    const Resizable = ArrayBuffer as unknown as new (length: number, options: object) => ArrayBuffer
    expect(refusalsOf(new Resizable(1, { maxByteLength: 2 }))[0]?.type).toBe('a resizable ArrayBuffer')
  })

  it('all offending places at once, also below one that is refused', () => {
    const value = { ok: 1, f: () => 1, 'a/b': { '\ud800': Symbol('s') }, list: Object.assign([() => 1], { extra: 1 }) }
    expect(pathsOf(value)).toEqual(['/a~1b/\ud800', '/a~1b/\ud800', '/f', '/list', '/list/0'])
  })

  it('places inside a Map or a Set, by their place in the order', () => {
    const map = new Map<unknown, unknown>([
      [1, 1],
      [() => 1, { a: () => 1 }],
    ])
    expect(pathsOf({ m: map, s: new Set([1, [() => 1]]) })).toEqual(['/m/<key 1>', '/m/<value 1>/a', '/s/<item 1>/0'])
  })

  it('a cycle, at the place that closes it', () => {
    const value: { a: { b: unknown[] } } = { a: { b: [1] } }
    value.a.b.push(value.a)
    expect(pathsOf(value)).toEqual(['/a/b/1'])
    const map = new Map<string, unknown>()
    map.set('self', map)
    expect(pathsOf(map)).toEqual(['/<value 0>'])
  })

  it('with full paths, when the place of the value is given', () => {
    expect(pathsOf({ f: () => 1 }, { at: ['x', 'y/z'] })).toEqual(['/x/y~1z/f'])
    expect(pathsOf(() => 1, { at: ['x'] })).toEqual(['/x'])
  })
})

describe('the limits of encode', () => {
  it('depth counts from the root and is exact', () => {
    expect(() => encode(nested(64))).not.toThrow()
    expect(pathsOf(nested(65))).toEqual(['/0'.repeat(64)])
    expect(() => encode(nested(60), { at: ['a', 'b', 'c', 'd'] })).not.toThrow()
    expect(pathsOf(nested(61), { at: ['a', 'b', 'c', 'd'] })).toEqual([`/a/b/c/d${'/0'.repeat(60)}`])
    expect(() => encode({ a: {} }, { limits: { ...defaultLimits, depth: 1 } })).not.toThrow()
    expect(pathsOf({ a: new Set([1]) }, { limits: { ...defaultLimits, depth: 1 } })).toEqual(['/a'])
  })

  it('a value nested a hundred thousand times is refused and breaks nothing', () => {
    expect(refusalsOf(nested(100_000))).toHaveLength(1)
  })

  it('keys and strings are measured in bytes', () => {
    const limits = { ...defaultLimits, segmentBytes: 4, stringBytes: 6 }
    expect(() => encode({ éé: 'ééé' }, { limits })).not.toThrow()
    expect(pathsOf({ ééx: 'ééé' }, { limits })).toEqual(['/ééx'])
    expect(pathsOf({ éé: 'éééx', ok: 'abcdef' }, { limits })).toEqual(['/éé'])
  })

  it('the digits of a bigint are counted, without its sign', () => {
    const longest = 10n ** BigInt(defaultLimits.bigintDigits) - 1n
    for (const value of [longest, -longest]) expect(() => encode(value)).not.toThrow()
    for (const value of [longest + 1n, -longest - 1n, 2n ** 10_000_000n]) expect(pathsOf({ n: value })).toEqual(['/n'])
  })

  it('the whole value is measured as canonical text, and is exact', () => {
    const value = { a: ['\u0000é', 1.5, null, true, undefined, Number.NaN, new Map([[1, 2]]), new Date(0)] }
    const exact = new TextEncoder().encode(
      '{"a":["\\u0000é",1.5,null,true,{"$undefined":true},{"$number":"NaN"},{"$map":[[1,2]]},{"$date":"1970-01-01T00:00:00.000Z"}]}',
    ).length
    expect(() => encode(value, { limits: { ...defaultLimits, valueBytes: exact } })).not.toThrow()
    expect(pathsOf(value, { at: ['x'], limits: { ...defaultLimits, valueBytes: exact - 1 } })).toEqual(['/x'])
  })

  it('shared references that would make an endless text are refused in time', () => {
    let value: unknown = 'x'
    for (let i = 0; i < 60; i++) value = [value, value]
    expect(pathsOf(value, { limits: { ...defaultLimits, valueBytes: 100_000 } })).toEqual(['/'])
  })
})

it('an error thrown by a getter or a proxy is passed on as it is', () => {
  const mine = new Error('mine')
  const fail = (): never => {
    throw mine
  }
  expect(() =>
    encode({
      get a() {
        return fail()
      },
    }),
  ).toThrow(mine)
  expect(() => encode(new Proxy({}, { ownKeys: fail }))).toThrow(mine)
})

it('a proxy of plain data is stored as what it shows', () => {
  expect(encode(new Proxy({ a: 1 }, { get: () => 2 }))).toEqual({ a: 2 })
})
