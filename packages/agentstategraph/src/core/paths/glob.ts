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

/** How many `**` a pattern may have. */
const MAX_ANY = 8

/** Reads a pattern, or throws `pattern-invalid`. */
export function parseGlob(pattern: string): Glob {
  if (pattern === '' || pattern === '/') return { text: '/', parts: [] }
  if (!pattern.startsWith('/')) throw invalid(pattern, 'it does not begin with "/"')
  if (/~(?![01])/.test(pattern)) throw invalid(pattern, '"~" is not followed by 0 or 1')
  const parts = pattern
    .slice(1)
    .split('/')
    .map(segment => partOf(pattern, segment))
  if (parts.filter(({ kind }) => kind === 'any').length > MAX_ANY) {
    throw invalid(pattern, `it has more than ${MAX_ANY} segments "**"`)
  }
  return { text: pattern, parts }
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

/** Whether a path matches. */
export function matchesGlob({ parts }: Glob, segments: readonly string[]): boolean {
  return matchesParts(parts, segments, matchesPart)
}

/**
 * Whether parts match a sequence, where `meets` says what a part that is no `**` stands for. It takes at most as many steps as
 * the product of the two lengths.
 */
export function matchesParts<T>(
  parts: readonly GlobPart[],
  sequence: readonly T[],
  meets: (part: GlobPart, one: T) => boolean,
): boolean {
  const last = parts.length - 1
  let part = 0
  let place = 0
  let lastAny = -1
  let anyEnds = 0
  while (place < sequence.length) {
    if (part <= last && parts[part]!.kind === 'any') {
      if (part === last) return true
      lastAny = part++
      anyEnds = place
    } else if (part <= last && meets(parts[part]!, sequence[place]!)) {
      part++
      place++
    } else if (lastAny >= 0) {
      // Backtracking to the last ** is enough: it can match whatever an earlier one could.
      part = lastAny + 1
      place = ++anyEnds
    } else return false
  }
  for (; part <= last; part++) if (parts[part]!.kind !== 'any') return false
  return true
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

/** Whether a part that is no `**` matches a segment. */
export function matchesPart(part: GlobPart, segment: string): boolean {
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
