import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { align } from './align.ts'

const letters = fc.array(fc.constantFrom<string>('a', 'b', 'c', 'd'), { maxLength: 14 })
const distinct = fc.uniqueArray(fc.nat(30).map(String), { maxLength: 14 })
const pairs = fc.oneof(fc.tuple(letters, letters), fc.tuple(distinct, distinct))

describe('align', () => {
  it('matches equal elements only, each at most once, in order of occurrence', () => {
    fc.assert(
      fc.property(pairs, ([a, b]) => {
        const { matches } = align(a, b)
        const last = new Map<string, number>()
        b.forEach((content, j) => {
          const i = matches[j]!
          const expected = a.indexOf(content, (last.get(content) ?? -1) + 1)
          expect(i).toBe(expected)
          last.set(content, i < 0 ? a.length : i)
        })
      }),
    )
  })

  it('keeps a longest increasing run of the matches', () => {
    fc.assert(
      fc.property(pairs, ([a, b]) => {
        const { matches, kept } = align(a, b)
        const run = [...matches].filter((_, j) => kept[j] === 1)
        run.forEach((i, n) => {
          expect(i).toBeGreaterThan(n === 0 ? -1 : run[n - 1]!)
        })
        expect(run.length).toBe(longestIncreasing([...matches].filter(i => i >= 0)))
      }),
    )
  })

  it('accounts for every element of both lists once', () => {
    fc.assert(
      fc.property(pairs, ([a, b]) => {
        const { matches, replaces, removed } = align(a, b)
        const used = [...matches, ...replaces].filter(i => i >= 0)
        expect([...used, ...removed].sort((x, y) => x - y)).toEqual(a.map((_, i) => i))
        b.forEach((_, j) => {
          expect(matches[j]! >= 0 && replaces[j]! >= 0).toBe(false)
        })
      }),
    )
  })

  it('gives the ranges between kept elements, in which replaced ones lie on both sides', () => {
    fc.assert(
      fc.property(pairs, ([a, b]) => {
        const { matches, kept, replaces, gaps } = align(a, b)
        const rebuilt: number[] = []
        let [atA, atB] = [0, 0]
        const keep = (toA: number, toB: number): void => {
          expect(toA - atA).toBe(toB - atB)
          for (; atB < toB; atA++, atB++) {
            expect([kept[atB], matches[atB]]).toEqual([1, atA])
            rebuilt.push(atB)
          }
        }
        for (const { fromA, toA, fromB, toB } of gaps) {
          keep(fromA, fromB)
          expect(toA - fromA + toB - fromB).toBeGreaterThan(0)
          for (let j = fromB; j < toB; j++) {
            expect(kept[j]).toBe(0)
            if (replaces[j]! >= 0) expect(replaces[j]! >= fromA && replaces[j]! < toA).toBe(true)
            rebuilt.push(j)
          }
          atA = toA
          atB = toB
        }
        keep(a.length, b.length)
        expect(rebuilt).toEqual(b.map((_, j) => j))
      }),
    )
  })

  it('pairs what went with what came, in order', () => {
    const { matches, kept, replaces, removed } = align(['k', 'x', 'y', 'z', 'l'], ['k', 'p', 'q', 'l', 'r'])
    expect([...matches]).toEqual([0, -1, -1, 4, -1])
    expect([...kept]).toEqual([1, 0, 0, 1, 0])
    expect([...replaces]).toEqual([-1, 1, 2, -1, -1])
    expect(removed).toEqual([3])
  })
})

function longestIncreasing(values: readonly number[]): number {
  const lengths: number[] = []
  values.forEach((value, n) => {
    lengths.push(1 + Math.max(0, ...lengths.filter((_, m) => values[m]! < value && m < n)))
  })
  return Math.max(0, ...lengths)
}
