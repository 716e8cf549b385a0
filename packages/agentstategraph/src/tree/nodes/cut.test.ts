import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cutter, listEntryNumber, mapEntryNumber, mapItemNumber, numberOf } from './cut.ts'
import type { Entry } from './node.ts'

const limits = { min: 4, max: 64 }

function entry(content: string): Entry {
  return { key: content, child: { kind: 'leaf', value: content, text: JSON.stringify(content) }, writer: 0 }
}

function sizesOf(contents: readonly string[], number = mapEntryNumber): number[] {
  const cuts = cutter(number, limits)
  for (const content of contents) cuts.push(entry(content))
  return cuts.finish().map(({ length }) => length)
}

describe('numberOf', () => {
  it('is a 32-bit number of the text that the format fixes', () => {
    expect([numberOf(''), numberOf('a'), numberOf('😀'), numberOf('a', 1), numberOf('a', 2)]).toEqual([
      2872998923, 444641715, 1787143206, 2081086145, 3503373935,
    ])
  })
})

describe('cutter', () => {
  it('makes nodes of the least to the most items, the last one excepted', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 4 }), { maxLength: 400 }), contents => {
        const sizes = sizesOf(contents)
        expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(contents.length)
        for (const size of sizes.slice(0, -1)) expect(size >= limits.min && size <= limits.max).toBe(true)
        expect(sizes.every(size => size > 0 && size <= limits.max)).toBe(true)
      }),
      { numRuns: 50 },
    )
  })

  it('begins every node afresh: what comes after a cut is cut as if nothing had been before', () => {
    const contents = Array.from({ length: 2000 }, (_, n) => `${(n * 7919) % 13}`)
    const sizes = sizesOf(contents, listEntryNumber)
    let start = 0
    for (const [n, size] of sizes.entries()) {
      start += size
      if (n % 10 === 0) expect(sizesOf(contents.slice(start), listEntryNumber)).toEqual(sizes.slice(n + 1))
    }
  })

  it('says when it is between nodes', () => {
    const cuts = cutter(mapEntryNumber, { min: 1, max: 2 })
    expect(cuts.isBetween()).toBe(true)
    cuts.push(entry('a'))
    cuts.push(entry('b'))
    expect(cuts.finish().flat().length).toBe(2)
    expect(cuts.isBetween()).toBe(true)
  })

  it.each([1, 2, 3, 1000])('makes nodes of middling size of lists with %d distinct values', distinct => {
    const contents = Array.from({ length: 20_000 }, (_, n) => `${((n * 2654435761) >>> 9) % distinct}`)
    const sizes = sizesOf(contents, listEntryNumber)
    const mean = contents.length / sizes.length
    expect(mean).toBeGreaterThan(4)
    expect(mean).toBeLessThanOrEqual(64)
  })

  it('cuts maps by key at their leaves, and by the first key and the level above them', () => {
    const item = { first: 'a', count: 1, link: { kind: 'link', id: 'x', at: 0, fresh: undefined } } as const
    expect(mapEntryNumber(entry('a'), 7)).toBe(numberOf('a'))
    expect(mapItemNumber(1)(item, 7)).toBe(numberOf('a', 1))
    expect(mapItemNumber(2)(item, 7)).not.toBe(mapItemNumber(1)(item, 7))
  })
})
