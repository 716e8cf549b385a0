import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mergeText } from './merge-text.ts'

it('merges changes of different lines', () => {
  expect(mergeText('a\nb\nc\n', 'A\nb\nc\n', 'a\nb\nC\n')).toBe('A\nb\nC\n')
  expect(mergeText('a\nb', 'a\nb\nc', 'x\nb')).toBe('x\nb\nc')
  expect(mergeText('a', 'z\na', 'a\nb')).toBe('z\na\nb')
})

it('merges a moved line with a change elsewhere', () => {
  expect(mergeText('a\nb\nc\nd\n', 'b\nc\nd\na\n', 'a\nb\nX\nd\n')).toBe('b\nX\nd\na\n')
})

it('leaves two changes of one line, of neighbouring lines, or two inserts at one place, undecided', () => {
  expect(mergeText('a\n', 'b\n', 'c\n')).toBeUndefined()
  expect(mergeText('a\nb\n', 'A\nb\n', 'a\nB\n')).toBeUndefined()
  expect(mergeText('a\n', 'a\nb\n', 'a\nc\n')).toBeUndefined()
  expect(mergeText('', 'b\n', 'c\n')).toBeUndefined()
})

it('takes an equal change once', () => {
  expect(mergeText('a\nb\nc\nd\n', 'a\nX\nc\nd\n', 'a\nX\nc\nD\n')).toBe('a\nX\nc\nD\n')
})

it('leaves undecided what hangs on how an edit is read, where it can be read in several ways', () => {
  const base = 'message\ncomment\npattern\n}\n\nend\n'
  const ours = 'message\n}\n\ncomment\ncomment\npattern\n}\npattern\n}\n\nend\n'
  const theirs = 'message\ncomment\npattern\nfresh\n}\n\nend\n'
  expect(mergeText(base, ours, theirs)).toBeUndefined()
})

describe('the last line feed', () => {
  it('is dropped or added by one side without a change of the last line', () => {
    expect(mergeText('a\nb\nc\n', 'a\nb\nc', 'A\nb\nc\n')).toBe('A\nb\nc')
    expect(mergeText('a\nb\nc', 'a\nb\nc\n', 'A\nb\nc')).toBe('A\nb\nc\n')
  })

  it('is dropped where the other side goes on: no two lines become one', () => {
    expect(mergeText('a\nb\n', 'a\nb', 'a\nb\nc\n')).toBe('a\nb\nc')
    expect(mergeText('a\nb', 'a\nb\n', 'a\nb\nc')).toBe('a\nb\nc\n')
    expect(mergeText('a\nb\n', 'a\nb', 'x\na\nb\n')).toBe('x\na\nb')
  })

  it('is undecided when two new texts differ in it', () => {
    expect(mergeText('', 'a\n', 'a')).toBeUndefined()
  })

  it('is kept as it is with carriage returns', () => {
    expect(mergeText('a\r\nb\r\nc\r\n', 'A\r\nb\r\nc\r\n', 'a\r\nb\r\nC\r\n')).toBe('A\r\nb\r\nC\r\n')
    expect(mergeText('a\nb\nc\n', 'a\r\nb\nc\n', 'a\nb\nC\n')).toBe('a\r\nb\nC\n')
  })
})

it('is the same whichever side is called ours, gives a changed side when the other is not, and makes no new line', () => {
  const text = fc
    .tuple(fc.array(fc.constantFrom('a\n', 'b\n', 'c\n', '\n', 'a\r\n'), { maxLength: 6 }), fc.boolean())
    .map(([lines, isEnded]) => (isEnded ? lines.join('') : lines.join('').replace(/\n$/, '')))
  fc.assert(
    fc.property(text, text, text, (base, ours, theirs) => {
      const merged = mergeText(base, ours, theirs)
      expect(mergeText(base, theirs, ours)).toBe(merged)
      expect(mergeText(base, ours, base)).toBe(ours)
      expect(mergeText(base, base, theirs)).toBe(theirs)
      expect(mergeText(base, ours, ours)).toBe(ours)
      const known = new Set([ours, theirs].flatMap(side => side.split('\n')))
      for (const line of merged?.split('\n') ?? []) expect(known.has(line) || line === '').toBe(true)
    }),
    { numRuns: 500 },
  )
})

it('merges texts of a hundred thousand lines', () => {
  const lines = Array.from({ length: 100_000 }, (_, n) => `line ${n % 977}`)
  const grown = [...lines, ...lines.map(line => `more ${line}`), ...lines]
  const merged = mergeText(lines.join('\n'), grown.join('\n'), ['first', ...lines].join('\n'))
  expect(merged === ['first', ...grown].join('\n')).toBe(true)
})
