/**
 * Protection: which paths hold data of a subject, to be encrypted with that subject's key.
 *
 * One segment of a pattern is the subject, as in `/users/{subject}/profile`. What a pattern matches is encrypted as a whole;
 * where several match, the one nearest to the root counts. System paths are never protected.
 */

import {
  checkOptions,
  coreError,
  couldMatchBelow,
  type Glob,
  matchesGlob,
  optionsOf,
  parseGlob,
  type SubjectKeys,
} from '../core/index.ts'
import { isSystemPath } from '../repo/index.ts'
import type { Encryption, ProtectedPlace } from '../tree/index.ts'

/** Options of `protect`: which paths, and whose keys. */
export interface ProtectOptions {
  /** JSON Pointer patterns: `{subject}` once, `*` for one segment, `**` after the subject for any number. */
  readonly patterns: readonly string[]
  /** Where the keys are kept. They must not be in the store itself. */
  readonly keys: SubjectKeys
}

const protectOptions = optionsOf<ProtectOptions>('protect', { patterns: true, keys: true })

/** Makes the `protect` option of `open`. */
export function protect(options: ProtectOptions): Encryption {
  checkOptions(protectOptions, options)
  const { patterns, keys } = options
  const places = patterns.map(parsePattern)
  return {
    keys,
    findPlace: path => findPlace(places, path),
    mayHavePlaceBelow: path => !isSystemPath(path) && places.some(({ glob }) => couldMatchBelow(glob, path)),
  }
}

/** Keys in a folder of files that only their owner can read. Node only; any number of processes may share it. */
export async function subjectKeyFolder(folder: string): Promise<SubjectKeys> {
  // Loaded on first use, because a browser cannot load it.
  const { openSubjectKeyFolder } = await import('../node/subject-key-folder.ts')
  return openSubjectKeyFolder(folder)
}

interface Pattern {
  readonly text: string
  readonly glob: Glob
  /** The segment that names the subject. */
  readonly subjectAt: number
}

const subjectSegment = '{subject}'

function parsePattern(pattern: string): Pattern {
  const refuse = (reason: string): never => {
    throw coreError('pattern-invalid', { pattern, reason })
  }
  const segments = pattern.split('/').slice(1)
  const subjectAt = segments.indexOf(subjectSegment)
  if (subjectAt < 0) return refuse(`no segment of it is ${subjectSegment}`)
  if (segments.lastIndexOf(subjectSegment) !== subjectAt) return refuse(`it has more than one ${subjectSegment}`)
  if (segments.slice(0, subjectAt).includes('**')) {
    return refuse(`with "**" before it, ${subjectSegment} could be any of several segments`)
  }
  return { text: pattern, glob: parseGlob(pattern.replace(subjectSegment, '*')), subjectAt }
}

function findPlace(patterns: readonly Pattern[], path: readonly string[]): ProtectedPlace | undefined {
  if (isSystemPath(path)) return undefined
  for (let depth = 1; depth <= path.length; depth++) {
    const head = path.slice(0, depth)
    const pattern = patterns.find(({ glob, subjectAt }) => subjectAt < depth && matchesGlob(glob, head))
    if (pattern !== undefined) return { depth, subject: path[pattern.subjectAt]!, pattern: pattern.text }
  }
  return undefined
}
