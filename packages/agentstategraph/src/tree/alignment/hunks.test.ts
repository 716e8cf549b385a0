import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hunksBetween, numbered } from './hunks.ts'

function hunks(a: string, b: string): string[] {
  const [x, y] = numbered([...a], [...b]) as [Int32Array, Int32Array]
  return hunksBetween(x, y).map(({ fromA, toA, fromB, toB }) => `${fromA}-${toA} ${fromB}-${toB}`)
}

describe('hunksBetween', () => {
  it('gives ranges that lead from one sequence to the other, apart from each other', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 14 })
    fc.assert(
      fc.property(text, text, (a, b) => {
        const [x, y] = numbered([...a], [...b]) as [Int32Array, Int32Array]
        let rebuilt = ''
        let [doneA, doneB] = [0, 0]
        for (const { fromA, toA, fromB, toB } of hunksBetween(x, y)) {
          expect(fromA - doneA).toBe(fromB - doneB)
          if (doneA + doneB > 0) expect(fromA).toBeGreaterThan(doneA)
          rebuilt += a.slice(doneA, fromA) + b.slice(fromB, toB)
          doneA = toA
          doneB = toB
        }
        expect(rebuilt + a.slice(doneA)).toBe(b)
      }),
      { numRuns: 700 },
    )
  })

  it('puts a run at the last of the places where it could begin', () => {
    expect(hunks('abbc', 'abc')).toEqual(['2-3 2-2'])
    expect(hunks('abc', 'abbc')).toEqual(['2-2 2-3'])
    expect(hunks('xabab', 'xab')).toEqual(['3-5 3-3'])
  })

  it('puts a run where the other sequence differs too', () => {
    expect(hunks('abbc', 'aXbc')).toEqual(['1-2 1-2'])
  })

  it('moves runs of long sequences of equal elements in a bounded time', () => {
    const a = '0'.repeat(50_000)
    const b = '01'.repeat(20_000)
    expect(hunks(a, b).length).toBeGreaterThan(10_000)
  })
})
