/** Matching contents of long lists: one part after the other. */
import { expect, it } from 'vitest'
import { Matching } from './list-matches.ts'

it('looks at no more than 1,024 elements between two steps', () => {
  const contents = Array.from({ length: 5000 }, (_, n) => `${n}`)
  const matching = new Matching(contents.toReversed(), contents)
  let looks = 0
  let most = 0
  const steps = matching.byOccurrence(() => {
    looks++
    return true
  })
  while (steps.next().done !== true) {
    most = Math.max(most, looks)
    looks = 0
  }
  expect([Math.max(most, looks), matching.matches[0]]).toEqual([1024, 4999])
})
