import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { diffTexts } from './text-diff.ts'

const texts = fc
  .array(fc.constantFrom('one', 'two', ' ', '\n', 'three'), { maxLength: 30 })
  .map(words => words.join(''))

describe('the difference of two texts', () => {
  it('gives both texts back', () => {
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        const parts = diffTexts(before, after)
        const side = (other: string): string =>
          parts
            .filter(({ kind }) => kind !== other)
            .map(({ text }) => text)
            .join('')
        expect(side('added')).toBe(before)
        expect(side('removed')).toBe(after)
      }),
    )
  })

  it('keeps what is equal at both ends and in between', () => {
    expect(diffTexts('scale to 3 nodes today', 'scale to 5 nodes today')).toEqual([
      { kind: 'same', text: 'scale to ' },
      { kind: 'removed', text: '3' },
      { kind: 'added', text: '5' },
      { kind: 'same', text: ' nodes today' },
    ])
  })
})
