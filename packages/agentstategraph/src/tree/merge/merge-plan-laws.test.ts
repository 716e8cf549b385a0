/**
 * What a merge of lists must keep, tried on every three short lists of few values.
 *
 * An edit of a list is read as deletions and insertions around a longest common subsequence; where there are several, any of
 * them may be meant. A merge that is no conflict has all deletions and all insertions of both sides, by one such reading.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type OnGap, planMerge } from './merge-plan.ts'

/** The merged text; undefined when it is a conflict, be it of the list or of an element that both changed. */
function merged(base: string, ours: string, theirs: string, onGap: OnGap): string | undefined {
  let text = ''
  for (const step of planMerge([...base], [...ours], [...theirs], onGap) ?? ['conflict' as const]) {
    if (step === 'conflict') return undefined
    if (step.kind === 'ours') text += ours[step.index]
    else if (step.kind === 'theirs') text += theirs[step.index]
    else {
      const [was, mine, yours] = [base[step.base], ours[step.ours], theirs[step.theirs]]
      if (mine !== was && yours !== was && mine !== yours) return undefined
      text += mine === was ? yours : mine
    }
  }
  return text
}

/** All texts of these letters with at most so many of them. */
function textsOf(letters: string, most: number): string[] {
  const texts = ['']
  for (let from = 0, length = 1; length <= most; length++) {
    const to = texts.length
    for (; from < to; from++) for (const letter of letters) texts.push(texts[from] + letter)
  }
  return texts
}

type Reading = readonly number[]
const known = new Map<string, readonly Reading[]>()

/** Every longest common subsequence: for each place of `a` its place in `b`, or -1. */
function readings(a: string, b: string): readonly Reading[] {
  const name = `${a} ${b}`
  const found = known.get(name) ?? longestRuns(a, b)
  known.set(name, found)
  return found
}

function longestRuns(a: string, b: string): readonly Reading[] {
  let most = 0
  let found: number[][] = []
  const search = (i: number, j: number, run: number[], length: number): void => {
    if (i === a.length) {
      if (length > most) found = []
      if (length >= most) found.push(run)
      most = Math.max(most, length)
      return
    }
    search(i + 1, j, [...run, -1], length)
    for (let k = j; k < b.length; k++) if (b[k] === a[i]) search(i + 1, k + 1, [...run, k], length + 1)
  }
  search(0, 0, [], 0)
  return found
}

/** A side without what the other side deleted. */
function without(side: string, stays: Reading, other: Reading): string {
  let text = side
  for (let i = stays.length - 1; i >= 0; i--) {
    const place = stays[i]!
    if (place >= 0 && other[i]! < 0) text = text.slice(0, place) + text.slice(place + 1)
  }
  return text
}

function isWithin(part: string, whole: string): boolean {
  let at = 0
  for (const letter of whole) if (letter === part[at]) at++
  return at === part.length
}

function keepsAll(base: string, ours: string, theirs: string, result: string): boolean {
  const [mine, yours] = [readings(base, ours), readings(base, theirs)]
  return mine.some(a =>
    yours.some(b => {
      const [left, right] = [without(ours, a, b), without(theirs, b, a)]
      const both = a.filter((place, i) => place >= 0 && b[i]! >= 0).length
      return isWithin(left, result) && isWithin(right, result) && result.length <= left.length + right.length - both
    }),
  )
}

describe('a merge of lists', () => {
  const ways: readonly OnGap[] = ['conflict', 'ours-first']

  it('has every deletion and insertion of both sides, or is a conflict', () => {
    const sides = [...textsOf('ab', 4), ...textsOf('abc', 2).filter(text => text.includes('c'))]
    const lost: string[] = []
    // A base that begins with b is one that begins with a, with other names.
    for (const base of textsOf('ab', 4).filter(text => !text.startsWith('b'))) {
      for (const ours of sides) {
        for (const theirs of sides) {
          if (ours === theirs || ours === base || theirs === base) continue
          // Without an order to ask for, the sides can be swapped: merge-plan.test.ts.
          for (const way of ours < theirs ? ways : ways.slice(1)) {
            const result = merged(base, ours, theirs, way)
            if (result !== undefined && !keepsAll(base, ours, theirs, result)) {
              lost.push(`${base} to ${ours} and ${theirs}: ${result}`)
            }
          }
        }
      }
    }
    expect(lost).toEqual([])
  })

  it('also has them where the lists are longer', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 })
    fc.assert(
      fc.property(text, text, text, fc.constantFrom(...ways), (base, ours, theirs, way) => {
        const result = merged(base, ours, theirs, way)
        if (result !== undefined) expect([result, keepsAll(base, ours, theirs, result)]).toEqual([result, true])
      }),
      { numRuns: 500 },
    )
  })

  it('takes one deletion of an element that is there several times for no other', () => {
    expect(merged('0a0b0c', 'a0b0c', '0a0bc', 'conflict')).toBe('a0bc')
    expect(merged('0a0b0c', 'a0b0c', '0ab0c', 'conflict')).toBe('ab0c')
  })

  it('has no conflict when the sides changed different elements of different values', () => {
    const side = fc.uniqueArray(fc.nat(7), { maxLength: 3 })
    fc.assert(
      fc.property(side, side, (mine, yours) => {
        const base = 'abcdefgh'
        const cut = (places: readonly number[]): string => [...base].filter((_, i) => !places.includes(i)).join('')
        expect(merged(base, cut(mine), cut(yours), 'conflict')).toBe(cut([...mine, ...yours]))
      }),
      { numRuns: 300 },
    )
  })
})
