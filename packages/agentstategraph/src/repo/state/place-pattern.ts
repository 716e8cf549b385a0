/**
 * Patterns of places and of names, as grants, rules and taints use them.
 *
 * They are matched on parsed segments, exactly. A pattern of places means the places it matches and everything in them; what the
 * system keeps (`/_plans`, `/_meta`) is meant only by patterns that name it. Names of branches are patterns of their parts.
 */

import {
  coreError,
  type Glob,
  type GlobPart,
  matchesGlob,
  matchesPart,
  matchesParts,
  parseGlob,
} from '../../core/index.ts'
import { isSystemPath, systemKeys } from './state.ts'

/** A pattern as it is matched. */
interface Pattern extends Glob {
  readonly namesSystem: boolean
  /** The parts with `**` at the end: they match the places and everything in them. */
  readonly inside: readonly GlobPart[]
}

const MAX_PARSED = 4096
const places = new Map<string, Pattern>()
const names = new Map<string, Glob>()

function remembered<T>(known: Map<string, T>, pattern: string, parse: (pattern: string) => T): T {
  const found = known.get(pattern)
  if (found !== undefined) return found
  const made = parse(pattern)
  if (known.size >= MAX_PARSED) known.clear()
  known.set(pattern, made)
  return made
}

/** The pattern of a place, or throws `pattern-invalid`. */
export function placePattern(pattern: string): Pattern {
  return remembered(places, pattern, parsePlace)
}

function parsePlace(pattern: string): Pattern {
  const glob = parseGlob(pattern)
  const first = glob.parts[0]
  return {
    ...glob,
    namesSystem: first?.kind === 'key' && systemKeys.includes(first.key),
    inside: [...glob.parts, { kind: 'any' }],
  }
}

/** The pattern of a name such as `feature/*`, or throws `pattern-invalid`. */
export function namePattern(pattern: string): Glob {
  return remembered(names, pattern, parseName)
}

function parseName(pattern: string): Glob {
  if (typeof pattern === 'string' && !pattern.split('/').includes('')) return parseGlob(`/${pattern}`)
  throw coreError('pattern-invalid', { pattern, reason: 'a part of the name is empty' })
}

/** Whether a pattern means a place: it matches the place, or something that the place is in. */
export function meansPlace(pattern: string, path: readonly string[]): boolean {
  const { inside, namesSystem } = placePattern(pattern)
  return (namesSystem || !isSystemPath(path)) && matchesParts(inside, path, matchesPart)
}

/** Whether a pattern means a place, something in it, or something that it is in. */
export function touchesPlace(pattern: string, path: readonly string[]): boolean {
  const { parts, namesSystem } = placePattern(pattern)
  if (!namesSystem && isSystemPath(path)) return false
  for (let i = 0; i < parts.length && i < path.length; i++) {
    const part = parts[i]!
    if (part.kind === 'any') return true
    if (part.kind === 'key' && part.key !== path[i]) return false
  }
  return true
}

/** Whether a pattern of names matches one: all of it. */
export function meansName(pattern: string, name: string): boolean {
  if (pattern === name && !/[*~]/.test(pattern)) return true
  return matchesGlob(namePattern(pattern), name.split('/'))
}

/** Whether all that one pattern of places means is meant by another. Says no when in doubt. */
export function coversPlaces(wide: string, narrow: string): boolean {
  const [outer, inner] = [placePattern(wide), placePattern(narrow)]
  if (inner.namesSystem && !outer.namesSystem) return false
  return matchesParts(outer.inside, inner.parts, coversPart)
}

/** The same for patterns of names, which mean no more than they match. */
export function coversNames(wide: string, narrow: string): boolean {
  return matchesParts(namePattern(wide).parts, namePattern(narrow).parts, coversPart)
}

/** Whether all that a part of a narrow pattern matches is matched by a part that is no `**`. */
function coversPart(wide: GlobPart, narrow: GlobPart): boolean {
  if (narrow.kind === 'any') return false
  return wide.kind === 'one' || (narrow.kind === 'key' && matchesPart(wide, narrow.key))
}
