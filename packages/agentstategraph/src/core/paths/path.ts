/**
 * Paths: JSON Pointers (RFC 6901) over the keys that users see, and the arrays of their segments.
 *
 * One deviation: the text `/` is the root, like the empty text, because people write it so. The key '' directly below the
 * root therefore has no pointer; it is written `[""]`, which cannot be a pointer because it does not begin with `/`. Paths
 * below it are pointers again: `//x`. The root is written `/`.
 *
 * This file knows nothing of values: whether `0` is an index or a key depends on the container.
 */
import { coreError } from '../errors.ts'
import { defaultLimits, type Limits } from '../limits.ts'
import { isWellFormed, utf8Length } from '../text/stored.ts'

/** A JSON Pointer, or its segments, which need no escapes. */
export type Path = string | readonly (string | number)[]

const emptyKeyBelowRoot = '[""]'

/** Reads a path into its segments, which are user keys without escapes. */
export function parsePath(path: Path, limits: Limits = defaultLimits): readonly string[] {
  if (typeof path !== 'string' && !Array.isArray(path)) throw invalid(path, 'it is neither text nor a list of segments')
  const segments = typeof path === 'string' ? parsePointer(path) : path.map(segment => segmentOf(path, segment))
  if (segments.length > limits.depth) {
    throw invalid(path, `it has ${segments.length} segments and the limit is ${limits.depth}`)
  }
  for (const segment of segments) checkSegment(path, segment, limits)
  return segments
}

/** Reads a path that the library itself wrote, without checking limits. */
export function parseKnownPath(path: string): readonly string[] {
  return parsePointer(path)
}

function parsePointer(text: string): readonly string[] {
  if (text === '' || text === '/') return []
  if (text === emptyKeyBelowRoot) return ['']
  if (text.charCodeAt(0) !== 47) throw invalid(text, 'it does not begin with "/"')
  const segments = text.slice(1).split('/')
  if (!text.includes('~')) return segments
  if (/~(?![01])/.test(text)) throw invalid(text, '"~" is not followed by 0 or 1')
  return segments.map(segment => segment.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function segmentOf(path: Path, segment: string | number): string {
  if (typeof segment === 'string') return segment
  if (Number.isSafeInteger(segment) && segment >= 0) return `${segment}`
  throw invalid(path, `the number ${segment} is not an index`)
}

function checkSegment(path: Path, segment: string, limits: Limits): void {
  if (!isWellFormed(segment)) throw invalid(path, 'a segment contains a lone surrogate')
  if (segment.length * 3 <= limits.segmentBytes) return
  const bytes = utf8Length(segment)
  if (bytes > limits.segmentBytes) {
    throw invalid(path, `a segment has ${bytes} bytes and the limit is ${limits.segmentBytes}`)
  }
}

function invalid(path: Path, reason: string): Error {
  return coreError('path-invalid', { path: typeof path === 'string' ? path : String(JSON.stringify(path)), reason })
}

/** Writes segments as a path that `parsePath` reads back as the same segments. */
export function formatPath(segments: readonly string[]): string {
  if (segments.length === 0) return '/'
  if (segments.length === 1 && segments[0] === '') return emptyKeyBelowRoot
  let text = ''
  for (const segment of segments) text += `/${escapeSegment(segment)}`
  return text
}

function escapeSegment(segment: string): string {
  return /[~/]/.test(segment) ? segment.replaceAll('~', '~0').replaceAll('/', '~1') : segment
}

/** Whether a segment is an index of a list: decimal, without leading zeros, at most 2^53 - 1. */
export function isIndex(segment: string): boolean {
  return /^(?:0|[1-9][0-9]{0,15})$/.test(segment) && Number.isSafeInteger(Number(segment))
}

/** Whether a path is the prefix or below it. */
export function startsWithPath(path: readonly string[], prefix: readonly string[]): boolean {
  return path.length >= prefix.length && prefix.every((segment, i) => segment === path[i])
}

/**
 * Makes a list of formatted paths at most `max` long, sorted and without repetition.
 *
 * When there are too many, paths are folded into parents, written `<parent>/**`, which stands for the parent and all
 * below it. Parents are tried from the deepest level up to the root. Of the parents on one level that hold two or more
 * of the listed paths (themselves counted), the one that holds most is folded first; of equals, the first in order of
 * text. Folding stops as soon as the list is short enough.
 *
 * It yields after each path that it has looked at, because there may be very many.
 */
export function* foldPaths(paths: Iterable<string>, max: number): Generator<undefined, readonly string[]> {
  const unique = new Set<string>()
  for (const path of paths) {
    unique.add(path)
    yield
  }
  if (unique.size <= max) return [...unique].sort()
  const listed = new Set<readonly string[]>()
  let deepest = 0
  for (const path of unique) {
    const segments = rawSegments(path)
    deepest = Math.max(deepest, segments.length)
    listed.add(segments)
    yield
  }
  for (let depth = deepest - 1; listed.size > max && depth >= 0; depth--) {
    for (const held of yield* groupsBelow(listed, depth)) {
      if (listed.size <= max) break
      for (const segments of held) {
        listed.delete(segments)
        yield
      }
      listed.add([...held[0]!.slice(0, depth), '**'])
    }
  }
  return Array.from(listed, writeRaw).sort()
}

/** The listed paths at or below each parent on one level, for parents with two or more: most first, then by text. */
function* groupsBelow(
  listed: Iterable<readonly string[]>,
  depth: number,
): Generator<undefined, readonly (readonly string[])[][]> {
  const groups = new Map<string, (readonly string[])[]>()
  for (const segments of listed) {
    yield
    if (segments.length < depth) continue
    const parent = segments.slice(0, depth).join('/')
    const held = groups.get(parent)
    if (held === undefined) groups.set(parent, [segments])
    else held.push(segments)
  }
  return [...groups]
    .filter(([, held]) => held.length > 1)
    .sort(([a, heldA], [b, heldB]) => heldB.length - heldA.length || (a < b ? -1 : 1))
    .map(([, held]) => held)
}

function rawSegments(path: string): readonly string[] {
  if (path === '/') return []
  return path === emptyKeyBelowRoot ? [''] : path.slice(1).split('/')
}

function writeRaw(segments: readonly string[]): string {
  return segments.length === 1 && segments[0] === '' ? emptyKeyBelowRoot : `/${segments.join('/')}`
}
