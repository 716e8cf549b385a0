import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { matcherOf } from './matcher.ts'

/** What the matcher says, and in how many slices. */
function matched(source: string, text: string): { readonly is: boolean; readonly slices: number } {
  const steps = matcherOf(source)(text)
  for (let slices = 1; ; slices++) {
    const step = steps.next()
    if (step.done === true) return { is: step.value, slices }
  }
}

const sources = [
  '',
  '^$',
  'a+b',
  '^a{2,4}$',
  '^(?:ab?){2,}$',
  '(?=.*b)(?!.*c)a',
  '(?<=a)b(?!b)',
  '(?<!a|^)b$',
  '^(?=(?!b)a)',
  '\\bab\\b',
  '\\Ba|b\\B',
  '^[^ab]+$',
  '^\\p{L}{1,3}\\s?$',
  '^.{2}$',
  '😀+$',
  '^(?:a{1,3}b{0,2}){1,3}$',
  '^(?:(?:a|b)*c){0,2}$',
  '(?:a{2,3})*b',
  '^(?:(?=a))*a',
  '[\\u{1F600}-\\u{1F64F}a]{2,}',
]
const plain = ['a', 'b', 'c', ' ', '\n', 'é', '_']
const text = fc.array(fc.constantFrom(...plain, '😀', '\ud83d'), { maxLength: 12 })
// V8 finds matches without width inside a pair of surrogates, which the specification excludes.
const plainText = fc.array(fc.constantFrom(...plain), { maxLength: 12 })

const part = fc.letrec<{ part: string }>(tie => ({
  part: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom('a', 'b', '[ab]', '.', '[^a]', '\\w', '^', '$', '\\b', '\\B', '(?=b)', '(?<!a)'),
    fc.tuple(tie('part'), tie('part')).map(([x, y]) => `${x}${y}`),
    fc.tuple(tie('part'), tie('part')).map(([x, y]) => `(?:${x}|${y})`),
    tie('part').map(x => `(?=${x})`),
    tie('part').map(x => `(?!${x})`),
    tie('part').map(x => `(?<=${x})`),
    fc
      .tuple(tie('part'), fc.constantFrom('*', '+', '?', '{2}', '{1,3}', '{0}', '{2,}', '*?'))
      .map(([x, times]) => `(?:${x})${times}`),
    fc
      .tuple(fc.constantFrom('a', '[ab]', '.'), fc.constantFrom('{2,3}', '{3}', '{2,}', '*', '+'))
      .map(([x, n]) => x + n),
  ),
})).part

describe('a matcher says what the runtime says', () => {
  it.each(sources)('of %s', source => {
    fc.assert(
      fc.property(text, characters => {
        const whole = characters.join('')
        expect(matched(source, whole).is).toBe(new RegExp(source, 'u').test(whole))
      }),
    )
  })

  it('of any expression', () => {
    fc.assert(
      fc.property(part, plainText, (source, characters) => {
        const whole = characters.join('')
        expect(matched(source, whole).is).toBe(new RegExp(source, 'u').test(whole))
      }),
      { numRuns: 2000 },
    )
  })
})

/** Each takes a backtracking engine a time that grows with a power of the length of such a text. */
const slow: readonly (readonly [source: string, piece: string])[] = [
  ['^(.*){1,3}x', 'a'],
  ['^(.*)(.*)x$', 'a'],
  ['a+$', 'ab'],
  ['.*.*.*.*x', 'a'],
  ['(?=.*.*x)y', 'a'],
  ['(?<=a.*)b', 'a'],
  ['(?:a|b)*c(?:a|b)*d', 'ab'],
  ['^.{1,5000}$', 'a'],
]

it.each(slow)('%s is matched in slices whose number grows with the text alone', (source, piece) => {
  const slices = (length: number): number => matched(source, piece.repeat(length)).slices
  expect(slices(40_000)).toBeLessThan(4.5 * slices(10_000) + 4)
})
