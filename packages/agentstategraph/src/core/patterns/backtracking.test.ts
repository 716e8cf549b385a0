import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { reasonAgainstMatching } from './matcher.ts'

const dangerous = [
  '^(a+)+$',
  '(a*)*',
  '^(a|a)*$',
  '^(a|ab|b)*c',
  '(\\w+\\s?)+$',
  '^(([a-z])+.)+[A-Z]([a-z])+$',
  '(x+x+)+y',
  '(.*)*x',
  '((a|b)+|c)*d',
  '^([\\p{L}\\d]+-?)*$',
  '(?=(a+)+$)b',
  '(a{1,3}){1,500}b',
  '(?<name>\\d+)+$',
  '([^,]*,?)*;',
  '(\\u0061+|a)+$',
  '([\\u{1F600}-\\u{1F64F}]|\\p{Emoji})+$',
  '(\\S+|\\D)+!',
]

const harmless = [
  '^a*$',
  'a+',
  'f.*o',
  '^[a-z][a-z0-9-]*[a-z0-9]$',
  '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$',
  '^([0-9a-f]{2}){6}$',
  '^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}(:\\d{2}(\\.\\d+)?)?(Z|[+-]\\d{2}:\\d{2}))?$',
  '^[^@\\s]+@[^@\\s.]+(\\.[^@\\s.]+)+$',
  '^\\p{L}+(\\s\\p{L}+)*$',
  '^(?=.*[A-Z])(?=.*\\d).{8,}$',
  '^(?!.*--)[a-z-]+$',
  '^.{1,5000}$',
  '^([a-z]{1,63}\\.)+[a-z]{2,}$',
  '^(\\/[^/]+)*$',
  '^(foo|bar|baz)+$',
  '^(0|[1-9]\\d*)(\\.(0|[1-9]\\d*)){2}$',
  '^[\\w\\-.]+$',
  '(a|b)*c(a|b)*',
  '^(?:a?){3,}b',
  '^(.*){1,3}a',
  '\\bword\\b',
  '[\\b\\cA\\x41\\u{41}\\]-]+',
  '(?:){1000000000}',
  '(?:a{0}){1000000000,}',
  '',
]

describe('an expression', () => {
  it.each(dangerous)('%s is not run, because a loop in it is ambiguous', source => {
    expect(new RegExp(source, 'u')).toBeInstanceOf(RegExp)
    expect(reasonAgainstMatching(source)).toMatch(/several ways/)
  })

  it.each(harmless)('%s may be run', source => {
    expect(new RegExp(source, 'u')).toBeInstanceOf(RegExp)
    expect(reasonAgainstMatching(source)).toBeUndefined()
  })

  it.each([
    ['(a)\\1', /refers back/],
    ['(?<x>a)\\k<x>', /refers back/],
    ['(?:(?:ab){100}){1000}', /repetitions/],
    ['(?:^){1000000000}', /repetitions/],
    [`${'('.repeat(3000)}${')'.repeat(3000)}`, /nested too deep/],
    [`(?:(?=${'(?:ab){99}'.repeat(99)})){50}`, /repetitions/],
  ])('%s cannot be matched', (source, reason) => {
    expect(reasonAgainstMatching(source)).toMatch(reason)
  })

  it('that may be run does not double the ways to read a text with each piece of it', () => {
    fc.assert(
      fc.property(expression, fc.constantFrom('a', 'b', 'ab'), (source, piece) => {
        if (reasonAgainstMatching(source) !== undefined) return
        const [short, middle, long] = [6, 12, 24].map(times => waysToRead(source, piece.repeat(times)))
        // Twice the text is read in some power of two as many ways, the same power each time; exponential ways are squared.
        if (long! < MOST_WAYS) expect(long! / middle!).toBeLessThan((4 * middle!) / short! + 10)
      }),
      { numRuns: 300 },
    )
  })
})

const MOST_WAYS = 200_000

const atom = fc.constantFrom('a', 'b', '[ab]', '.', 'ab', 'a?b')
const expression = fc.letrec<{ part: string }>(tie => ({
  part: fc.oneof(
    { maxDepth: 4 },
    atom,
    fc.tuple(tie('part'), tie('part')).map(([x, y]) => `${x}${y}`),
    fc.tuple(tie('part'), tie('part')).map(([x, y]) => `(?:${x}|${y})`),
    fc.tuple(tie('part'), fc.constantFrom('*', '+', '?', '{2}', '{1,3}')).map(([x, times]) => `(?:${x})${times}`),
  ),
})).part

/** In how many ways an expression of the test's own grammar reads the beginnings of a text, counted by trying them all. */
function waysToRead(source: string, text: string): number {
  type Read = (at: number, then: (at: number) => void) => void
  let steps = 0
  const step = (): boolean => ++steps > MOST_WAYS
  const parts = [...source]
  let index = 0
  const choice = (): Read => {
    const options = [sequence()]
    while (parts[index] === '|') {
      index++
      options.push(sequence())
    }
    return (at, then) => {
      for (const option of options) option(at, then)
    }
  }
  const sequence = (): Read => {
    const reads: Read[] = []
    while (index < parts.length && parts[index] !== '|' && parts[index] !== ')') reads.push(quantified())
    return (at, then) => {
      const go = (n: number, from: number): void =>
        n === reads.length ? then(from) : reads[n]!(from, to => go(n + 1, to))
      go(0, at)
    }
  }
  const quantified = (): Read => {
    const one = single()
    const rest = parts.slice(index).join('')
    const [text = ''] = /^(?:[*+?]|\{[\d,]+\})/.exec(rest) ?? []
    index += text.length
    if (text === '') return one
    const [min, max] = { '*': [0, 99], '+': [1, 99], '?': [0, 1], '{2}': [2, 2], '{1,3}': [1, 3] }[text] as [
      number,
      number,
    ]
    const times = (n: number, at: number, then: (at: number) => void): void => {
      if (step()) return
      if (n < max) one(at, to => (to === at && n >= min ? undefined : times(n + 1, to, then)))
      if (n >= min) then(at)
    }
    return (at, then) => times(0, at, then)
  }
  const single = (): Read => {
    if (parts[index] === '(') {
      index += 3
      const inside = choice()
      index++
      return inside
    }
    const end = parts[index] === '[' ? parts.indexOf(']', index) + 1 : index + 1
    const matcher = new RegExp(parts.slice(index, end).join(''), 'u')
    index = end
    return (at, then) => {
      if (!step() && at < text.length && matcher.test(text[at]!)) then(at + 1)
    }
  }
  choice()(0, () => {})
  return steps
}
