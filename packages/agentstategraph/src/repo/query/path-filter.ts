/**
 * What `path` and `exact` mean in a filter, wherever one is taken.
 *
 * A path means its place and everything below it; with `exact`, the place alone. A list of segments is always a path. A text
 * with a segment `*` or `**` is a pattern, says by itself how deep it reaches, and means the places that it matches, with
 * `exact` or without.
 */

import { coreError, formatPath, type Glob, type GlobPart, type Path, parseGlob, parsePath } from '../../core/index.ts'

export interface PathFilter {
  /** Matches every place that is meant. */
  readonly glob: Glob
  /** The place, when all below it is meant too. */
  readonly place: readonly string[] | undefined
}

export function pathFilterOf(path: Path | undefined, exact: boolean | undefined): PathFilter | undefined {
  if (exact !== undefined && typeof exact !== 'boolean') {
    throw coreError('option-invalid', { field: 'exact', reason: `${String(exact)} is neither true nor false` })
  }
  if (path === undefined) {
    if (exact !== true) return undefined
    throw coreError('option-invalid', { field: 'exact', reason: 'there is no path that it could be about' })
  }
  const glob = globOf(path)
  const isPattern = glob.parts.some(({ kind }) => kind !== 'key')
  if (isPattern || exact === true) return { glob, place: undefined }
  return belowPlace(glob.parts.map(part => (part as { readonly key: string }).key))
}

/** The filter of a place and everything below it. */
export function placeFilter(path: Path): PathFilter {
  return belowPlace(parsePath(path))
}

function belowPlace(place: readonly string[]): PathFilter {
  const { text, parts } = globOfPlace(place)
  return { glob: { text: `${text}/**`, parts: [...parts, { kind: 'any' }] }, place }
}

function globOf(path: Path): Glob {
  if (typeof path === 'string' && path !== EMPTY_KEY) return parseGlob(path)
  return globOfPlace(parsePath(path))
}

function globOfPlace(place: readonly string[]): Glob {
  return { text: formatPath(place), parts: place.map((key): GlobPart => ({ kind: 'key', key })) }
}

/** How the path of the key '' directly below the root is written: it is the one path that is no pointer. */
const EMPTY_KEY = formatPath([''])
