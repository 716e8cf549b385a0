import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalText, type Stored } from '../core/index.ts'
import { readCanonical, readStrict } from './strict-text.ts'

/** Keys that native writers treat in their own ways, among others. */
const keys = fc.oneof(
  fc.constantFrom('1', '9', '10', '01', '-1', '__proto__', 'toJSON', '', 'a', 'B'),
  fc.string({ unit: 'binary', maxLength: 3 }),
)
const values = fc.letrec<{ value: unknown }>(tie => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, true, false, 0, 1, -1, 0.5, 1e21, 1e-7, 2 ** 53),
    fc.string({ unit: 'binary', maxLength: 6 }),
    fc.constantFrom('\ud800', '\\ud800', '\u0000', '\u001f', '\u007f', '\u2028', '/', '"', '\\'),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(keys, tie('value'), { maxKeys: 4 }),
  ),
})).value

/** Texts that are canonical or nearly so. */
const texts = fc
  .tuple(
    values,
    fc.nat(),
    fc.constantFrom('', ' ', '\\u0061', '\\/', '\\ud800', '\ud800', '0', '-', 'e0', ',"a":1', '\n'),
  )
  .chain(([value, at, inserted]) => {
    const written = [JSON.stringify(value)]
    try {
      written.push(canonicalText(value as Stored))
    } catch {
      // A lone surrogate has no canonical text.
    }
    const changed = written.map(text => {
      const place = at % (text.length + 1)
      return text.slice(0, place) + inserted + text.slice(place)
    })
    return fc.constantFrom(...written, ...changed)
  })

function isCanonical(text: string): boolean {
  try {
    return canonicalText(JSON.parse(text) as Stored) === text
  } catch {
    return false
  }
}

test('a text is read exactly when it is the canonical text of its value', () => {
  fc.assert(
    fc.property(texts, text => {
      expect(readCanonical(text)).toEqual(isCanonical(text) ? JSON.parse(text) : undefined)
    }),
    { numRuns: 2000 },
  )
})

test.each([
  '{"b":1,"a":2}',
  '{"a":1,"a":1}',
  '{"9":1,"10":1}',
  '{"a":{"c":1,"b":1}}',
  '[{"b":1,"a":1}]',
  '"\\ud800"',
  '"\ud800"',
  '"\\u0041"',
  '"\\/"',
  '[1, 2]',
  '1.0',
  '1e5',
  '-0',
  '1e999',
])('%s is not canonical', text => {
  expect(readCanonical(text)).toBe(undefined)
})

test.each(['{"10":1,"9":1}', '"\\\\ud800"', '"😀"', '1e+21', '{"__proto__":1}'])('%s is canonical', text => {
  expect(readCanonical(text)).toEqual(JSON.parse(text))
})

test('a strict text has integers only, wherever they stand', () => {
  for (const text of ['0.5', '[1,0.5]', '{"a":{"b":[0.5]}}', '9007199254740992']) {
    expect(readCanonical(text)).toEqual(JSON.parse(text))
    expect(readStrict(text)).toBe(undefined)
  }
  expect(readStrict('{"a":[1,-2,{"b":3}]}')).toEqual({ a: [1, -2, { b: 3 }] })
})

test('a text may be nested 256 deep', () => {
  const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)
  expect(readCanonical(nested(256))).not.toBe(undefined)
  expect(readCanonical(nested(257))).toBe(undefined)
  expect(readCanonical(nested(100_000))).toBe(undefined)
})
