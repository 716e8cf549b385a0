import fc from 'fast-check'
import { expect, it } from 'vitest'
import { compareGlobs, type Glob, matchesGlob, matchesPart, matchesParts, parseGlob } from './glob.ts'
import { parsePath } from './path.ts'

const patterns = fc
  .array(fc.constantFrom('a', 'b', '*', '**'), { maxLength: 6 })
  .map(segments => parseGlob(`/${segments.join('/')}`))
const paths = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 6 })

it.each([
  ['/', ['/'], ['/a']],
  ['/a/b', ['/a/b'], ['/a', '/a/b/c', '/a/x']],
  ['/a/*', ['/a/b', '/a/'], ['/a', '/a/b/c']],
  ['/**', ['/', '/a', '/a/b/c'], []],
  ['/a/**', ['/a', '/a/b', '/a/b/c'], ['/', '/b']],
  ['/**/z', ['/z', '/a/z', '/z/z', '/a/b/z'], ['/', '/z/a']],
  ['/a/**/c/*/e', ['/a/c/x/e', '/a/b/c/x/e', '/a/c/c/c/e'], ['/a/c/e', '/a/c/x/y/e']],
  ['/a~1b/~0', ['/a~1b/~0'], ['/a/b/~0']],
  ['/{name}', ['/{name}'], ['/x']],
  ['//x', ['//x'], ['/x']],
])('the pattern %s matches exactly what it says', (pattern, matched, others) => {
  const glob = parseGlob(pattern)
  for (const path of matched) expect(matchesGlob(glob, parsePath(path)), path).toBe(true)
  for (const path of others) expect(matchesGlob(glob, parsePath(path)), path).toBe(false)
})

it('refuses a pattern that could be misread', () => {
  for (const pattern of ['a', '*', '/a*', '/***', '/*b/c', '/~', '/~2']) {
    expect(() => parseGlob(pattern), pattern).toThrow(expect.objectContaining({ code: 'pattern-invalid' }))
  }
})

it('matches as a plain search over all possibilities does', () => {
  fc.assert(
    fc.property(patterns, paths, (glob, path) => matchesGlob(glob, path) === search(glob.parts, path)),
    { numRuns: 500 },
  )
})

it('refuses more "**" than eight', () => {
  expect(parseGlob('/**/a'.repeat(8)).parts).toHaveLength(16)
  for (const pattern of ['/**/a'.repeat(9), '/**'.repeat(9)]) {
    expect(() => parseGlob(pattern)).toThrow(expect.objectContaining({ code: 'pattern-invalid' }))
  }
})

it('asks about no more pairs of part and segment than there are', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 60 }), (stars, length) => {
      const { parts } = parseGlob(`${'/**/a'.repeat(stars)}/b`)
      const path = Array.from({ length }, () => 'a')
      let asked = 0
      const isMatch = matchesParts(parts, path, (part, segment) => {
        asked++
        return matchesPart(part, segment)
      })
      expect({ isMatch, isBounded: asked <= parts.length * length }).toEqual({ isMatch: false, isBounded: true })
    }),
  )
})

it('puts the more specific pattern first', () => {
  const sorted = ['/a/b/c', '/a/b', '/a/b/**', '/a/*', '/a/**/b', '/a/**', '/*/b', '/', '/**/a', '/**']
  const shuffled = [...sorted].reverse().map(parseGlob)
  expect(shuffled.sort(compareGlobs).map(({ text }) => text)).toEqual(sorted)
})

it('orders all patterns: one way, and without circles', () => {
  fc.assert(
    fc.property(patterns, patterns, patterns, (a, b, c) => {
      expect(Math.sign(compareGlobs(a, b)) + Math.sign(compareGlobs(b, a))).toBe(0)
      expect(compareGlobs(a, b) === 0).toBe(a.text === b.text)
      const [x, y, z] = [a, b, c].sort(compareGlobs) as [Glob, Glob, Glob]
      expect([compareGlobs(x, y), compareGlobs(y, z), compareGlobs(x, z)].every(order => order <= 0)).toBe(true)
    }),
    { numRuns: 500 },
  )
})

function search(parts: Glob['parts'], path: readonly string[]): boolean {
  const [part, ...rest] = parts
  if (part === undefined) return path.length === 0
  if (part.kind === 'any') return path.concat('').some((_, i) => search(rest, path.slice(i)))
  return path.length > 0 && (part.kind === 'one' || part.key === path[0]) && search(rest, path.slice(1))
}
