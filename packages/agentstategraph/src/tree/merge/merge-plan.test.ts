import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type OnGap, planMerge } from './merge-plan.ts'

function merged(base: string, ours: string, theirs: string, onGap: OnGap = 'conflict'): string | undefined {
  const plan = planMerge([...base], [...ours], [...theirs], onGap)
  return plan
    ?.map(step => {
      if (step.kind === 'ours') return ours[step.index]
      if (step.kind === 'theirs') return theirs[step.index]
      const [was, mine, yours] = [base[step.base], ours[step.ours], theirs[step.theirs]]
      return mine === was ? yours : mine === yours || yours === was ? mine : '!'
    })
    .join('')
}

describe('planMerge', () => {
  it.each([
    ['inserts at different gaps', 'abc', 'xabc', 'abcy', 'xabcy'],
    ['equal inserts at one gap', 'ab', 'axb', 'axb', 'axb'],
    ['a removal and an insert elsewhere', 'abcd', 'acd', 'abcdx', 'acdx'],
    ['a removal by both', 'abc', 'ac', 'ac', 'ac'],
    ['an insert beside a removal', 'abc', 'axbc', 'bc', 'xbc'],
    ['changes of different elements', 'abc', 'xbc', 'aby', 'xby'],
    ['a change and an insert after it, beside a change elsewhere', 'abcd', 'aXYcd', 'abcZ', 'aXYcZ'],
    ['a removal and a change that leave one of two, beside a change elsewhere', 'abcd', 'aXd', 'abcZ', 'aXZ'],
    ['a move and a change elsewhere', 'abcd', 'bcda', 'abxd', 'bxda'],
    ['the same move by both', 'abcd', 'bcda', 'bcda', 'bcda'],
    ['a move by theirs', 'abcd', 'abcdx', 'dabc', 'dabcx'],
  ])('brings together %s', (_what, base, ours, theirs, expected) => {
    expect(merged(base, ours, theirs)).toBe(expected)
    expect(merged(base, theirs, ours)).toBe(expected)
  })

  it.each([
    ['different inserts at one gap', 'ab', 'axb', 'ayb'],
    ['a removal against a change', 'abc', 'ac', 'axc'],
    ['a change against a removal that may be of the same element', 'abcd', 'aXd', 'aYcd'],
    ['a removal against a move', 'abcd', 'bcd', 'bcda'],
    ['a change against a move', 'abcd', 'xbcd', 'bcda'],
    ['one element moved to two places', 'abcde', 'bcade', 'bcdea'],
    ['a move to where the other side put in an equal one', 'abc', 'abca', 'bca'],
  ])('leaves %s in conflict', (_what, base, ours, theirs) => {
    expect(merged(base, ours, theirs)).toBeUndefined()
    expect(merged(base, theirs, ours)).toBeUndefined()
  })

  it('puts both inserts of one gap in, in the order asked for', () => {
    expect(merged('ab', 'axb', 'ayb', 'ours-first')).toBe('axyb')
    expect(merged('ab', 'axb', 'ayb', 'theirs-first')).toBe('ayxb')
  })

  it('puts what both moved to one gap in once', () => {
    expect(merged('abc', 'bcax', 'bcay', 'ours-first')).toBe('bcaxy')
    expect(merged('abc', 'bcax', 'bcay', 'theirs-first')).toBe('bcayx')
  })

  it('is the same plan whichever side is called ours', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), maxLength: 8 })
    fc.assert(
      fc.property(text, text, text, (base, ours, theirs) => {
        expect(merged(base, theirs, ours)).toBe(merged(base, ours, theirs))
        expect(merged(base, theirs, ours, 'theirs-first')).toBe(merged(base, ours, theirs, 'ours-first'))
      }),
      { numRuns: 2000 },
    )
  })

  it('with one side unchanged gives the other', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd'), maxLength: 8 })
    fc.assert(
      fc.property(text, text, (base, other) => {
        expect(merged(base, base, other)).toBe(other)
        expect(merged(base, other, base)).toBe(other)
        expect(merged(base, other, base, 'ours-first')).toBe(other)
      }),
      { numRuns: 1000 },
    )
  })
})
