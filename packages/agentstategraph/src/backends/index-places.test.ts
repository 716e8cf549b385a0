import fc from 'fast-check'
import { expect, it } from 'vitest'
import { blockEntries, newBits, setBit } from '../store/memory/search-terms.ts'
import { addedPlaces, bitPlaces, fillPlaces, listedPlaces } from './index-places.ts'

const places = fc.array(fc.integer({ min: 0, max: blockEntries - 1 }), { maxLength: 40 })

it('places are read back as they were added, whether as a list, as bits, or as a list appended to either', () => {
  fc.assert(
    fc.property(places, places, places, fc.boolean(), (first, second, third, asBits) => {
      let kept = listedPlaces(first)
      if (asBits) kept = bitPlaces(kept, second)
      else kept = Buffer.concat([kept, listedPlaces(second).subarray(1)])
      kept = Buffer.concat([kept, listedPlaces(third).subarray(1)])
      const expected = newBits()
      for (const place of [...first, ...second, ...third]) setBit(expected, place)
      const found = newBits()
      fillPlaces(kept, found)
      expect(found).toEqual(expected)
    }),
  )
})

it('a block never takes more than its bits and one byte when it is kept as bits', () => {
  const all = Array.from({ length: blockEntries }, (_, i) => i)
  expect(bitPlaces(undefined, all)).toHaveLength(1 + blockEntries / 8)
})

it('places added to those stored are read back, in the shorter form of a list and bits', () => {
  const many = fc.array(fc.integer({ min: 0, max: blockEntries - 1 }), { maxLength: 200 })
  fc.assert(
    fc.property(fc.array(many, { minLength: 1, maxLength: 5 }), batches => {
      const expected = newBits()
      let kept: Uint8Array | undefined
      for (const batch of batches) {
        kept = addedPlaces(kept, batch)
        for (const place of batch) setBit(expected, place)
      }
      const found = newBits()
      fillPlaces(kept!, found)
      expect(found).toEqual(expected)
      expect(kept!.length).toBeLessThanOrEqual(1 + blockEntries / 8)
    }),
  )
})
