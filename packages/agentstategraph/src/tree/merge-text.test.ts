import fc from 'fast-check'
import { expect, it } from 'vitest'
import { mergeText } from './merge-text.ts'

it('merges changes of different lines', () => {
  expect(mergeText('a\nb\nc\n', 'A\nb\nc\n', 'a\nb\nC\n')).toBe('A\nb\nC\n')
  expect(mergeText('a\nb', 'a\nb\nc', 'x\nb')).toBe('x\nb\nc')
  expect(mergeText('a', 'z\na', 'a\nb')).toBe('z\na\nb')
})

it('merges a moved line with a change elsewhere', () => {
  expect(mergeText('a\nb\nc\nd\n', 'b\nc\nd\na\n', 'a\nb\nX\nd\n')).toBe('b\nX\nd\na\n')
})

it('leaves two changes of one line, or two inserts at one place, undecided', () => {
  expect(mergeText('a\n', 'b\n', 'c\n')).toBeUndefined()
  expect(mergeText('a\n', 'a\nb\n', 'a\nc\n')).toBeUndefined()
  expect(mergeText('', 'b\n', 'c\n')).toBeUndefined()
})

it('is the same whichever side is called ours, and gives a changed side when the other is not', () => {
  const text = fc.array(fc.constantFrom('a\n', 'b\n', 'c\n', '\n'), { maxLength: 6 }).map(lines => lines.join(''))
  fc.assert(
    fc.property(text, text, text, (base, ours, theirs) => {
      expect(mergeText(base, theirs, ours)).toBe(mergeText(base, ours, theirs))
      expect(mergeText(base, ours, base)).toBe(ours)
      expect(mergeText(base, base, theirs)).toBe(theirs)
    }),
    { numRuns: 500 },
  )
})
