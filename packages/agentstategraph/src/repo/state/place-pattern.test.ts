import fc from 'fast-check'
import { expect, it } from 'vitest'
import { couldMatchBelow, matchesGlob, parseGlob } from '../../core/index.ts'
import { coversNames, coversPlaces, meansName, meansPlace, touchesPlace } from './place-pattern.ts'

const segment = fc.constantFrom('a', 'b', 'c', '_meta', '_plans')
const path = fc.array(segment, { maxLength: 4 })
const pattern = fc
  .array(fc.constantFrom('a', 'b', '*', '**', '_meta'), { maxLength: 4 })
  .map(parts => `/${parts.join('/')}`)

/** The definition: some place that the path is in, or is, is matched; what the system keeps only by name. */
function means(glob: string, at: readonly string[]): boolean {
  if (at[0]?.startsWith('_') === true && !glob.startsWith('/_')) return false
  return at.concat('').some((_, length) => matchesGlob(parseGlob(glob), at.slice(0, length)))
}

it('a pattern means the places it matches and everything in them', () => {
  fc.assert(
    fc.property(pattern, path, (glob, at) => {
      expect(meansPlace(glob, at)).toBe(means(glob, at))
    }),
  )
})

it('a pattern touches what it means, what is in that and what that is in', () => {
  fc.assert(
    fc.property(pattern, path, (glob, at) => {
      const isHidden = at[0]?.startsWith('_') === true && !glob.startsWith('/_')
      const could = !isHidden && couldMatchBelow(parseGlob(glob), at)
      expect(touchesPlace(glob, at)).toBe(means(glob, at) || could)
    }),
  )
})

it('what is covered is meant by the wider pattern wherever it is meant by the narrower', () => {
  fc.assert(
    fc.property(pattern, pattern, path, (wide, narrow, at) => {
      if (coversPlaces(wide, narrow) && meansPlace(narrow, at)) expect(meansPlace(wide, at)).toBe(true)
    }),
    { numRuns: 2000 },
  )
})

it('a pattern that is built to take long is decided at once', () => {
  const hard = '/**/a'.repeat(8)
  const path = Array.from({ length: 60 }, () => 'a')
  expect(meansPlace(`${hard}/b`, path)).toBe(false)
  expect(meansName(`${hard}/b`.slice(1), path.join('/'))).toBe(false)
  expect(coversPlaces(`${hard}/b`, `/${path.join('/')}`)).toBe(false)
  expect(coversNames(`${hard}/b`.slice(1), path.join('/'))).toBe(false)
})

it('names are matched as a whole, part by part', () => {
  expect(['main', 'feature/x', 'feature/x/y'].map(name => meansName('feature/*', name))).toEqual([false, true, false])
  expect(['main', 'feature/x/y'].map(name => meansName('**', name))).toEqual([true, true])
  expect(meansName('main', 'main')).toBe(true)
  expect(coversNames('feature/**', 'feature/*')).toBe(true)
  expect(coversNames('feature/*', 'feature/**')).toBe(false)
  expect(coversNames('*', 'main')).toBe(true)
  expect(() => meansName('', 'main')).toThrow('empty')
})
