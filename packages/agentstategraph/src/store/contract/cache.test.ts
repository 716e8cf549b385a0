import fc from 'fast-check'
import { expect, it } from 'vitest'
import { byteCache, supersededKeys } from './cache.ts'

const step = fc.record({ key: fc.nat(12), bytes: fc.nat(60), op: fc.constantFrom('find', 'put', 'remove') })

it('it never holds more bytes than it may, and never gives what was not put last', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), fc.nat(100), (steps, maxBytes) => {
      const cache = byteCache<string>(maxBytes)
      const newest = new Map<number, { value: string; bytes: number }>()
      steps.forEach(({ key, bytes, op }, i) => {
        if (op === 'find') {
          const found = cache.find(key)
          if (found !== undefined) expect(found).toBe(newest.get(key)?.value)
        } else if (op === 'remove') {
          newest.delete(key)
          cache.remove(key)
          expect(cache.has(key)).toBe(false)
        } else {
          newest.set(key, { value: `${i}`, bytes })
          cache.put(key, `${i}`, bytes)
        }
        expect(cache.bytes).toBeLessThanOrEqual(maxBytes)
        expect(cache.bytes).toBeGreaterThanOrEqual(0)
      })
      const held = [...newest].filter(([key]) => cache.find(key) !== undefined)
      expect(held.reduce((sum, [, { bytes }]) => sum + bytes, 0)).toBeLessThanOrEqual(maxBytes)
    }),
  )
})

it('what is read again and again outlives what is not', () => {
  const cache = byteCache<number>(100)
  cache.put(0, 0, 10)
  for (let key = 1; key < 100; key++) {
    cache.put(key, key, 10)
    expect(cache.find(0)).toBe(0)
  }
  expect(cache.find(1)).toBeUndefined()
})

it('what alone has more than half of the room is not kept, and pushes nothing out', () => {
  const cache = byteCache<string>(100)
  cache.put(1, 'small', 10)
  cache.put(2, 'large', 51)
  expect([cache.find(1), cache.find(2), cache.bytes]).toEqual(['small', undefined, 10])
})

it('a cache without room keeps nothing', () => {
  const cache = byteCache<string>(0)
  cache.put(1, 'a', 1)
  expect([cache.find(1), cache.bytes]).toEqual([undefined, 0])
})

it('the keys that were superseded last stay, and older ones are removed in the order in which they were superseded', () => {
  const removed: number[] = []
  const supersede = supersededKeys(key => removed.push(key))
  for (let key = 0; key < 64; key++) supersede(key)
  expect(removed).toEqual([])
  for (let key = 64; key < 200; key++) supersede(key)
  expect(removed).toEqual(Array.from({ length: 136 }, (_, key) => key))
})
