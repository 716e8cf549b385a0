import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defaultLimits } from '../limits.ts'
import { readJson, readJsonSteps } from './json.ts'

function refused(line: number, column: number, reason: RegExp): unknown {
  return expect.objectContaining({
    code: 'json-invalid',
    data: { line, column, reason: expect.stringMatching(reason) },
  })
}

describe('readJson', () => {
  it('reads what JSON.parse reads', () => {
    fc.assert(
      fc.property(fc.json({ stringUnit: 'binary' }), fc.nat(3), (text, indent) => {
        const spaced = JSON.stringify(JSON.parse(text), null, indent)
        fc.pre(!/\d{16}/.test(spaced))
        expect(readJson(spaced)).toEqual(JSON.parse(spaced))
      }),
      { numRuns: 200 },
    )
  })

  it('reads a long text in steps to the same value, or refuses it in the same words', () => {
    const inSteps = (text: string): { readonly steps: number; readonly value: unknown } => {
      const reading = readJsonSteps(text)
      for (let steps = 0; ; steps++) {
        const step = reading.next()
        if (step.done === true) return { steps, value: step.value }
      }
    }
    fc.assert(
      fc.property(fc.array(fc.jsonValue({ maxDepth: 3 }), { maxLength: 20 }), fc.nat(40), (values, times) => {
        const long = JSON.stringify(Array.from({ length: times }, () => values))
        fc.pre(!/\d{16}|e[+-]\d/.test(long))
        expect(inSteps(long).value).toEqual(JSON.parse(long))
      }),
      { numRuns: 50 },
    )
    const many = JSON.stringify(Array.from({ length: 10_000 }, (_, n) => n))
    expect(inSteps(many).steps).toBeGreaterThan(30)
    expect(() => inSteps(`${many.slice(0, -1)},]`)).toThrow(refused(1, many.length + 1, /U\+005D is not expected/))
  })

  it('reads every kind of token', () => {
    const text =
      ' { "a" : [ true , false , null , -0 , 1.5e+3 , 2E-2 , "\\u00e9\\n\\/\\ud83d\\ude00" ] ,\r\n\t"" : { } , "b":[] } '
    expect(readJson(text)).toEqual({ a: [true, false, null, -0, 1500, 0.02, 'é\n/😀'], '': {}, b: [] })
  })

  it('gives keys that begin with $, and __proto__, as ordinary data', () => {
    const value = readJson('{"$date":1,"__proto__":{"x":2}}') as { x?: unknown }
    expect(Object.keys(value)).toEqual(['$date', '__proto__'])
    expect(value.x).toBeUndefined()
  })

  it('refuses a key that is there twice, however it is written, and names its path', () => {
    expect(() => readJson('{"a":1,\n "b":[{"x":1,"\\u0078":2}]}')).toThrow(
      refused(2, 14, /key \/b\/0\/x is there twice/),
    )
    expect(() => readJson('{"__proto__":1,"__proto__":2}')).toThrow(refused(1, 16, /twice/))
    expect(readJson('{"a":{"a":1},"b":{"a":1}}')).toEqual({ a: { a: 1 }, b: { a: 1 } })
  })

  it('refuses an integer that would lose digits, and names its path', () => {
    expect(readJson('[9007199254740991,-9007199254740991]')).toEqual([2 ** 53 - 1, 1 - 2 ** 53])
    expect(() => readJson('{"id":9007199254740992}')).toThrow(refused(1, 7, /9007199254740992 at \/id is beyond/))
    expect(() => readJson('[0,-9007199254740993]')).toThrow(refused(1, 4, /at \/1 is beyond/))
  })

  it('refuses a number with a point or an exponent that would lose digits of an integer, or all of them', () => {
    for (const text of ['9007199254740993.0', '9007199254740993e0', '90071992547409930e-1', '-1234567890123456789.5']) {
      expect(() => readJson(`[${text}]`), text).toThrow(
        refused(1, 2, /at \/0 is beyond 2\^53 - 1 and would lose digits/),
      )
    }
    expect(() => readJson('1e-400')).toThrow(refused(1, 1, /too small/))
    for (const text of ['9007199254740994.0', '1e23', '1.50E+300', '0.1000000000000000055511151231257827', '0e-400']) {
      expect(readJson(text), text).toBe(JSON.parse(text))
    }
  })

  it('reads the shortest text of every number, but for integers beyond 2^53 - 1, as that number', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), number => {
        const text = JSON.stringify(number)
        fc.pre(!/^-?\d+$/.test(text) || Number.isSafeInteger(number))
        expect(readJson(text)).toBe(JSON.parse(text))
      }),
      { numRuns: 500 },
    )
  })

  it('refuses a number that is too large', () => {
    expect(readJson('1e308')).toBe(1e308)
    expect(() => readJson('[1e309]')).toThrow(refused(1, 2, /1e309 at \/0 is too large/))
  })

  it('refuses a lone surrogate, also behind an escape, in a value and in a key', () => {
    for (const text of ['"\ud800"', '"\\ud800"', '"\\udc00\\ud800"', '{"\\ud800":1}']) {
      expect(() => readJson(text), text).toThrow(refused(1, text.startsWith('{') ? 2 : 1, /lone surrogate/))
    }
  })

  it('refuses what is nested too deep, exactly at the limit and without recursion', () => {
    const nested = (levels: number): string => `${'['.repeat(levels)}1${']'.repeat(levels)}`
    expect(() => readJson(nested(64))).not.toThrow()
    expect(() => readJson(nested(65))).toThrow(refused(1, 65, /deeper than 64/))
    expect(() => readJson(nested(1_000_000))).toThrow(refused(1, 65, /deeper/))
    expect(readJson('[{}]', { limits: { ...defaultLimits, depth: 1 } })).toEqual([{}])
  })

  it.each([
    ['', 1, 1, /ends too early/],
    ['  \n ', 2, 2, /ends too early/],
    ['[1,', 1, 4, /ends too early/],
    ['[1,]', 1, 4, /U\+005D/],
    ['[1 2]', 1, 4, /U\+0032/],
    ['{"a" 1}', 1, 6, /U\+0031/],
    ['{a:1}', 1, 2, /U\+0061/],
    ["{'a':1}", 1, 2, /U\+0027/],
    ['{"a":1,}', 1, 8, /U\+007D/],
    ['[1}', 1, 3, /U\+007D/],
    ['1 1', 1, 3, /U\+0031/],
    ['01', 1, 2, /U\+0031/],
    ['+1', 1, 1, /U\+002B/],
    ['.5', 1, 1, /U\+002E/],
    ['1.', 1, 2, /U\+002E/],
    ['-', 1, 1, /U\+002D/],
    ['NaN', 1, 1, /U\+004E/],
    ['nul', 1, 1, /U\+006E/],
    ['tru', 1, 1, /U\+0074/],
    ['"abc', 1, 1, /does not end/],
    ['"a\nb"', 1, 3, /control character/],
    ['"\\x"', 1, 2, /no such escape/],
    ['"\\u12g4"', 1, 2, /no such escape/],
    ['[\n"\\', 2, 2, /no such escape/],
    ['\ufeff1', 1, 1, /U\+FEFF/],
    ['\u00a01', 1, 1, /U\+00A0/],
    ['// x', 1, 1, /U\+002F/],
    ['😀', 1, 1, /U\+1F600/],
  ])('refuses %j, saying where and why', (text, line, column, reason) => {
    expect(() => readJson(text)).toThrow(refused(line, column, reason))
    expect(() => JSON.parse(text)).toThrow()
  })

  it('refuses whatever JSON.parse refuses', () => {
    const scraps = fc.array(
      fc.constantFrom('{', '}', '[', ']', ',', ':', '"', '"a"', '1', '-', '.5', 'e3', 'true', ' ', '\\', '0'),
      {
        maxLength: 8,
      },
    )
    fc.assert(
      fc.property(scraps, parts => {
        const text = parts.join('')
        if (isReadable(JSON.parse, text)) return
        expect(isReadable(readJson, text)).toBe(false)
      }),
      { numRuns: 1000 },
    )
  })
})

function isReadable(read: (text: string) => unknown, text: string): boolean {
  try {
    read(text)
    return true
  } catch {
    return false
  }
}
