/** Every error of the tree layer: its code, what it carries, and its words. */

import type { Stored } from '../core/index.ts'
import { type ErrorMaker, errorsOf } from '../core/index.ts'

/** One path that two sides changed differently, with the full values. A side without the path is absent. */
export interface StoredConflict {
  readonly path: string
  readonly base?: Stored
  readonly ours?: Stored
  readonly theirs?: Stored
}

export interface TreeErrors {
  'path-blocked': { path: string; at: string; type: string }
  'index-invalid': { path: string; segment: string; length: number }
  'index-out-of-range': { path: string; index: number; length: number }
  'root-not-a-map': { type: string }
  'value-encrypted': { path: string; at: string; erasedAt: string | undefined }
  'policy-invalid': { path: string; reason: string }
  'policy-failed': { path: string; policy: string; reason: string }
}

export const treeError: ErrorMaker<TreeErrors> = errorsOf<TreeErrors>({
  'path-blocked': ({ path, at, type }) => [
    `Nothing can be written at "${path}": "${at}" holds ${type}, which has no parts.`,
    `Set "${at}" to a map or a list first.`,
  ],
  'index-invalid': ({ path, segment, length }) => [
    `"${path}" is not a place in a list: "${segment}" is no index.`,
    length === 0
      ? 'The list is empty: use "-" as the last segment to append.'
      : `The list has ${length} elements: use 0 to ${length - 1}, or "-" as the last segment to append.`,
  ],
  'index-out-of-range': ({ path, index, length }) => [
    `"${path}" does not exist: the list has ${length} elements, and ${index} is past its end.`,
    'Use "-" as the last segment to append.',
  ],
  'root-not-a-map': ({ type }) => [
    `The root of a state is a map; it cannot become ${type}.`,
    'Put the value under a key, or set the root to {} to empty it.',
  ],
  'value-encrypted': ({ path, at, erasedAt }) => [
    `Nothing can be written at "${path}": ${
      erasedAt === undefined ? `the key to the value at "${at}" is not here` : `the value at "${at}" was erased`
    }.`,
    `Set "${at}" as a whole.`,
  ],
  'policy-invalid': ({ path, reason }) => [
    `The merge policy for "${path}" is not valid: ${reason}.`,
    'Use manual, ours, theirs, latest, max, min, sum, union, {unionBy: field}, append, text or a function.',
  ],
  'policy-failed': ({ path, policy, reason }) => [
    `The merge policy ${policy} failed at "${path}": ${reason}.`,
    'Nothing was merged. Correct the policy, or resolve this path yourself.',
  ],
})

/** What a stored value is, in words. */
export function typeInWords(value: Stored): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value !== 'object') return `a ${typeof value}`
  const tag = Object.keys(value)[0]
  return tag?.startsWith('$') === true && !tag.startsWith('$$') ? `a ${tag.slice(1)}` : 'a map'
}
