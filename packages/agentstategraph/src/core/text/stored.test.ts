import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isStoredMap, isTagged, storedKey, userKey } from './stored.ts'

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
