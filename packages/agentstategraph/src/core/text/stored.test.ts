import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  canonicalText,
  isStoredMap,
  isTagged,
  isWellFormed,
  portableUtf8Length,
  quote,
  type Stored,
  storedKey,
  userKey,
  utf8Length,
} from './stored.ts'

const anyText = fc.string({ unit: 'binary' })
// Also texts that UTF-8 cannot hold.
const anyUnits = fc.array(fc.integer({ min: 0, max: 0xffff })).map(units => String.fromCharCode(...units))

it('puts one more $ before a key that begins with $, and leaves the others', () => {
  expect(['a', '', '$', '$date', '$$x', 'a$'].map(storedKey)).toEqual(['a', '', '$$', '$$date', '$$$x', 'a$'])
})

it('gives every user key back, and never takes one for a tag', () => {
  const key = fc.oneof(
    fc.string(),
    fc.string().map(text => `$${text}`),
  )
  fc.assert(
    fc.property(key, fc.integer(), (name, value) => {
      expect(userKey(storedKey(name))).toBe(name)
      expect(isTagged({ [storedKey(name)]: value })).toBe(false)
    }),
  )
})

it('takes an object for tagged when its only key begins with one $', () => {
  expect([{ $date: null }, { $: 1 }].every(isTagged)).toBe(true)
  const others = [{}, { $$date: null }, { $date: null, $url: '' }, { $date: null, a: 1 }, { a: 1 }, [], ['$date'], null]
  expect(others.some(isTagged)).toBe(false)
})

it('takes an object for a map when it is neither a list nor tagged', () => {
  expect([{}, { a: 1 }, { $$a: 1 }].every(isStoredMap)).toBe(true)
  expect([[], null, 'text', 1, true, { $set: [] }].some(isStoredMap)).toBe(false)
})

it('writes keys in order of their UTF-16 code units, also those that look like indexes', () => {
  const shuffled = JSON.parse(
    '{"10":1,"9":2,"":3,"\u20ac":4,"\ud83d\ude00":5,"\uffee":6,"A":7,"a":8,"__proto__":9}',
  ) as Stored
  expect(canonicalText(shuffled)).toBe(
    '{"":3,"10":1,"9":2,"A":7,"__proto__":9,"a":8,"\u20ac":4,"\ud83d\ude00":5,"\uffee":6}',
  )
})

it('writes numbers as ECMAScript prints them', () => {
  const numbers = [0, -1, 1e21, 1e20, 1e-7, 1e-6, 5e-324, 0.1 + 0.2, 1.7976931348623157e308, 333333333.3333333]
  expect(canonicalText(numbers)).toBe(
    '[0,-1,1e+21,100000000000000000000,1e-7,0.000001,5e-324,0.30000000000000004,1.7976931348623157e+308,333333333.3333333]',
  )
})

it('escapes what JSON must escape, in its short form, and nothing else', () => {
  expect(quote('"\\\b\t\n\f\r\u0000\u001f/\u007f\u2028é😀')).toBe(
    '"\\"\\\\\\b\\t\\n\\f\\r\\u0000\\u001f/\u007f\u2028é😀"',
  )
})

it('writes any string so that JSON reads it back', () => {
  fc.assert(fc.property(anyText, text => JSON.parse(quote(text)) === text))
})

it('writes JSON that reads back as the same value, whatever order the keys came in', () => {
  const json = fc.jsonValue({ stringUnit: 'binary' })
  fc.assert(
    fc.property(json, value => {
      const stored = JSON.parse(JSON.stringify(value)) as Stored
      const text = canonicalText(stored)
      expect(JSON.parse(text)).toEqual(stored)
      expect(canonicalText(reversed(stored))).toBe(text)
    }),
  )
})

it('throws on what a stored value cannot be', () => {
  for (const wrong of [Number.NaN, Number.POSITIVE_INFINITY, '\ud800', undefined, 1n]) {
    expect(() => canonicalText([wrong] as unknown as Stored)).toThrow(TypeError)
  }
})

it('counts the bytes of UTF-8', () => {
  const anyLength = fc.string({ unit: 'binary', maxLength: 60 })
  for (const count of [utf8Length, portableUtf8Length]) {
    fc.assert(fc.property(anyLength, text => count(text) === new TextEncoder().encode(text).length))
  }
})

it('knows lone surrogates', () => {
  expect(['', 'a', 'é€', '😀', '\ud83d\ude00'].every(isWellFormed)).toBe(true)
  expect(['\ud800', 'a\udc00', '\ude00\ud83d', '😀\ud83d'].some(isWellFormed)).toBe(false)
  fc.assert(fc.property(anyUnits, text => isWellFormed(text) === !/\p{Surrogate}/u.test(text)))
})

function reversed(value: Stored): Stored {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(reversed)
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, child]) => [key, reversed(child)]),
  )
}
