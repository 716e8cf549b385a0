import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defaultLimits } from '../limits.ts'
import { matchesGlob, parseGlob } from './glob.ts'
import { foldPaths, formatPath, isIndex, parsePath, startsWithPath } from './path.ts'

const segments = fc.array(
  fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('', '~', '/', '~1', '[""]', '-', '0')),
  {
    maxLength: 6,
  },
)
const invalid = expect.objectContaining({ code: 'path-invalid' })

describe('parsePath', () => {
  it('reads the empty text and "/" as the root', () => {
    expect(parsePath('')).toEqual([])
    expect(parsePath('/')).toEqual([])
    expect(parsePath([])).toEqual([])
  })

  it('reads a JSON Pointer', () => {
    expect(parsePath('/a/b~1c/m~0n/~01/ /%20/__proto__/0/-')).toEqual([
      'a',
      'b/c',
      'm~n',
      '~1',
      ' ',
      '%20',
      '__proto__',
      '0',
      '-',
    ])
    expect(parsePath('/a/')).toEqual(['a', ''])
    expect(parsePath('//')).toEqual(['', ''])
    expect(parsePath('//x')).toEqual(['', 'x'])
  })

  it('takes the segments as an array too, with indexes as numbers', () => {
    expect(parsePath([''])).toEqual([''])
    expect(parsePath(['a/b', 0, 12, '~'])).toEqual(['a/b', '0', '12', '~'])
  })

  it('refuses what is not a path, and says where', () => {
    for (const path of ['a', 'a/b', '/~', '/a~2', '/a~', '/\ud800', ['\udc00'], [-1], [0.5], [Number.NaN], [2 ** 53]]) {
      expect(() => parsePath(path), String(path)).toThrow(invalid)
    }
    expect(() => parsePath('/a~2')).toThrow('The path "/a~2" is not valid: "~" is not followed by 0 or 1.')
    expect(() => parsePath(['a', -1])).toThrow('The path "[\\"a\\",-1]" is not valid: the number -1 is not an index.')
  })

  it('refuses a segment that is too long and a path that is too deep, at exactly the limit', () => {
    expect(parsePath(`/${'é'.repeat(256)}`)).toHaveLength(1)
    expect(() => parsePath(`/${'é'.repeat(256)}x`)).toThrow(invalid)
    expect(parsePath('/a'.repeat(64))).toHaveLength(64)
    expect(() => parsePath('/a'.repeat(65))).toThrow(invalid)
    expect(() => parsePath('/a/b', { ...defaultLimits, depth: 1 })).toThrow(invalid)
  })
})

describe('formatPath', () => {
  it('writes what parsePath reads back as the same segments', () => {
    fc.assert(
      fc.property(segments, path => {
        expect(parsePath(formatPath(path))).toEqual(path)
      }),
    )
  })

  it('writes the root as "/", and the empty key below it in a form of its own', () => {
    expect(formatPath([])).toBe('/')
    expect(formatPath([''])).toBe('[""]')
    expect(formatPath(['', ''])).toBe('//')
    expect(formatPath(['[""]'])).toBe('/[""]')
  })
})

it('knows the indexes of a list', () => {
  expect(['0', '7', '10', '9007199254740991'].every(isIndex)).toBe(true)
  expect(['', '-', '-1', '01', '1.0', '1e3', ' 1', '9007199254740992', '99999999999999999999', '١'].some(isIndex)).toBe(
    false,
  )
})

it('knows whether a path is at or below another', () => {
  expect(startsWithPath(['a', 'b'], ['a'])).toBe(true)
  expect(startsWithPath(['a'], ['a'])).toBe(true)
  expect(startsWithPath(['a'], [])).toBe(true)
  expect(startsWithPath(['a'], ['a', 'b'])).toBe(false)
  expect(startsWithPath(['ab'], ['a'])).toBe(false)
})

describe('foldPaths', () => {
  it('only sorts and drops repetitions when there is room', () => {
    expect(folded(['/b', '/a', '/b', '/'], 3)).toEqual(['/', '/a', '/b'])
  })

  it('folds the parent that holds most, and stops when the list is short enough', () => {
    const paths = ['/a/1', '/a/2', '/b/1', '/b/2', '/b/3', '/c', '/d/e/f']
    expect(folded(paths, 5)).toEqual(['/a/1', '/a/2', '/b/**', '/c', '/d/e/f'])
    expect(folded(paths, 4)).toEqual(['/a/**', '/b/**', '/c', '/d/e/f'])
    expect(folded(paths, 3)).toEqual(['/**'])
  })

  it('folds deeper parents first, and takes a parent that is listed itself along', () => {
    expect(folded(['/a', '/a/b', '/a/b/1', '/a/b/2', '/c/1', '/c/2', '/c/3'], 5)).toEqual([
      '/a',
      '/a/b/**',
      '/c/1',
      '/c/2',
      '/c/3',
    ])
    expect(folded(['/a', '/a/b/1', '/a/b/2', '/c'], 2)).toEqual(['/a/**', '/c'])
  })

  it('writes the empty key below the root so that it is not the root', () => {
    expect(folded(['[""]', '//x', '/a'], 2)).toEqual(['//**', '/a'])
  })

  it('keeps every path covered, whatever it folds, and does not depend on order', () => {
    const key = fc.constantFrom('a', 'b', 'c', '', '~')
    const paths = fc.array(fc.array(key, { maxLength: 4 }), { maxLength: 40 })
    fc.assert(
      fc.property(paths, fc.integer({ min: 1, max: 10 }), (listed, max) => {
        const written = listed.map(formatPath)
        const short = folded(written, max)
        expect(short.length).toBeLessThanOrEqual(max)
        expect(short).toEqual(folded([...written].reverse(), max))
        for (const [i, path] of listed.entries()) expect(covers(short, written[i]!, path)).toBe(true)
      }),
    )
  })
})

function folded(paths: readonly string[], max: number): readonly string[] {
  const steps = foldPaths(paths, max)
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

function covers(folded: readonly string[], written: string, path: readonly string[]): boolean {
  return folded.includes(written) || folded.some(text => text.endsWith('/**') && matchesGlob(parseGlob(text), path))
}
