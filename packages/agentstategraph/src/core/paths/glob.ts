/**
 * Globs: JSON Pointer patterns in which `*` stands for one segment and `**` for any number of them, also none.
 *
 * A star is a whole segment: a key that contains a star cannot be written in a pattern, and is matched by `*`. The
 * pattern `/` is the root alone; `/**` is the root and all below it. This file knows nothing of what patterns are for.
 */
import { coreError } from '../errors.ts'

export type GlobPart =
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'one' }
  | { readonly kind: 'any' }

export interface Glob {
  readonly text: string
  readonly parts: readonly GlobPart[]
}

/** Reads a pattern, or throws `pattern-invalid`. */
export function parseGlob(pattern: string): Glob {
  if (pattern === '' || pattern === '/') return { text: '/', parts: [] }
  if (!pattern.startsWith('/')) throw invalid(pattern, 'it does not begin with "/"')
  if (/~(?![01])/.test(pattern)) throw invalid(pattern, '"~" is not followed by 0 or 1')
  return {
    text: pattern,
    parts: pattern
      .slice(1)
      .split('/')
      .map(segment => partOf(pattern, segment)),
  }
}

function partOf(pattern: string, segment: string): GlobPart {
  if (segment === '*') return { kind: 'one' }
  if (segment === '**') return { kind: 'any' }
  if (segment.includes('*')) throw invalid(pattern, '"*" and "**" must be whole segments')
  return { kind: 'key', key: segment.replaceAll('~1', '/').replaceAll('~0', '~') }
}

function invalid(pattern: string, reason: string): Error {
  return coreError('pattern-invalid', { pattern, reason })
}

/** Whether a path matches, in at most as many steps as the product of the two lengths. */
export function matchesGlob({ parts }: Glob, segments: readonly string[]): boolean {
  let part = 0
  let segment = 0
  let lastAny = -1
  let anyEnds = 0
  while (segment < segments.length) {
    const { kind } = parts[part] ?? { kind: 'end' }
    if (kind === 'any') {
      lastAny = part++
      anyEnds = segment
    } else if (kind !== 'end' && matchesPart(parts[part]!, segments[segment]!)) {
      part++
      segment++
    } else if (lastAny >= 0) {
      // Backtracking to the last ** is enough: it can match whatever an earlier one could.
      part = lastAny + 1
      segment = ++anyEnds
    } else return false
  }
  return parts.slice(part).every(({ kind }) => kind === 'any')
}

/** Whether a path below this one could match, because a change of a whole may change any of its parts. */
export function couldMatchBelow(glob: Glob, path: readonly string[]): boolean {
  const { parts } = glob
  for (let i = 0; i < path.length; i++) {
    const part = parts[i]
    if (part === undefined) return false
    if (part.kind === 'any') return true
    if (part.kind === 'key' && part.key !== path[i]) return false
  }
  return parts.length > path.length
}

function matchesPart(part: GlobPart, segment: string): boolean {
  return part.kind === 'one' || (part.kind === 'key' && part.key === segment)
}

const ranks = { key: 0, one: 1, end: 2, any: 3 }

/**
 * Orders patterns, the more specific first: at the first place where they differ in kind, a key comes before `*`, `*`
 * before the end, the end before `**`. Patterns of the same kinds are in order of text.
 */
export function compareGlobs(a: Glob, b: Glob): number {
  const length = Math.max(a.parts.length, b.parts.length)
  for (let i = 0; i < length; i++) {
    const difference = ranks[a.parts[i]?.kind ?? 'end'] - ranks[b.parts[i]?.kind ?? 'end']
    if (difference !== 0) return difference
  }
  return a.text < b.text ? -1 : a.text > b.text ? 1 : 0
}
