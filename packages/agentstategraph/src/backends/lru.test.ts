import fc from 'fast-check'
import { expect, it } from 'vitest'
import { lru } from './lru.ts'

it('keeps what was used last, within its bytes, as a list that is searched from its end would', () => {
  const op = fc.constantFrom('put', 'find', 'remove')
  const step = fc.record({ cache: fc.nat(1), key: fc.nat(5), bytes: fc.nat(12), op })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), steps => {
      const { newCache, stats } = lru(20)
      const caches = [newCache<number>(), newCache<number>()]
      let model: { cache: number; key: number; bytes: number; value: number }[] = []
      let [hits, misses] = [0, 0]
      for (const [value, { cache, key, bytes, op }] of steps.entries()) {
        const before = model.find(one => one.cache === cache && one.key === key)
        expect(caches[cache]!.has(key)).toBe(before !== undefined)
        const others = model.filter(one => one !== before)
        if (op === 'remove') {
          caches[cache]!.remove(key)
          model = others
        } else if (op === 'put') {
          caches[cache]!.put(key, value, bytes)
          model = [...others, { cache, key, bytes, value }]
          while (total(model) > 20) model = model.slice(1)
        } else {
          expect(caches[cache]!.find(key)).toBe(before?.value)
          if (before === undefined) misses++
          else hits++
          if (before !== undefined) model = [...others, before]
        }
        expect(stats()).toEqual({ hits, misses, bytes: total(model), maxBytes: 20 })
        for (const [i, one] of caches.entries()) expect(one.bytes).toBe(total(model.filter(({ cache: c }) => c === i)))
      }
    }),
  )
})

it('does not let one thing that is too large drive out the rest', () => {
  const { newCache, stats } = lru(10)
  const cache = newCache<string>()
  cache.put(1, 'a', 4)
  cache.put(2, 'b', 11)
  cache.put(1, 'c', 5)
  expect([cache.find(1), cache.find(2), stats().bytes]).toEqual(['c', undefined, 5])
})

function total(list: readonly { readonly bytes: number }[]): number {
  return list.reduce((sum, { bytes }) => sum + bytes, 0)
}
