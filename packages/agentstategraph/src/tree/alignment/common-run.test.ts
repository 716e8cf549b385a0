import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { commonRun } from './common-run.ts'

const few = fc.array(fc.nat(2), { maxLength: 12 })
const some = fc.array(fc.nat(9), { maxLength: 20 })
const pairs = fc.oneof(fc.tuple(few, few), fc.tuple(some, some))

function runOf(a: readonly number[], b: readonly number[], steps?: number): number[] {
  return [...commonRun(Int32Array.from(a), Int32Array.from(b), steps)]
}

/** The length of a longest common subsequence, by the table of all prefixes. */
function longest(a: readonly number[], b: readonly number[]): number {
  let row = new Array<number>(b.length + 1).fill(0)
  for (const x of a) {
    const next = [0]
    b.forEach((y, j) => {
      next.push(x === y ? row[j]! + 1 : Math.max(row[j + 1]!, next[j]!))
    })
    row = next
  }
  return row[b.length]!
}

function expectCommon(a: readonly number[], b: readonly number[], run: readonly number[]): number[] {
  const kept = run.filter(i => i >= 0)
  kept.forEach((i, n) => {
    expect(i).toBeGreaterThan(n === 0 ? -1 : kept[n - 1]!)
  })
  run.forEach((i, j) => {
    if (i >= 0) expect(a[i]).toBe(b[j])
  })
  return kept
}

describe('commonRun', () => {
  it('is a longest common subsequence', () => {
    fc.assert(
      fc.property(pairs, ([a, b]) => {
        expect(expectCommon(a, b, runOf(a, b)).length).toBe(longest(a, b))
      }),
      { numRuns: 1000 },
    )
  })

  it('is a common subsequence, perhaps not a longest, when no work is left for it', () => {
    // With 64 steps for each element no short list is ever out of work: long ones in reverse are.
    const long = fc.array(fc.nat(400), { minLength: 300, maxLength: 400 })
    fc.assert(
      fc.property(long, long, (a, b) => {
        expect(expectCommon(a, b, runOf(a, b, 0)).length).toBeGreaterThan(0)
      }),
      { numRuns: 20 },
    )
  })

  it('takes a bounded time for long sequences that have everything in common but the order', () => {
    const a = Array.from({ length: 100_000 }, (_, n) => n)
    const b = a.map(n => (n * 7919) % 100_000)
    expect(expectCommon(a, b, runOf(a, b, 1000)).length).toBeGreaterThan(100)
  })
})
