/** Edits by path. */

import type { Stored } from '../../core/index.ts'
import { type Writer, writerOf } from '../nodes/node.ts'

/**
 * One change of a path. Segments are user keys. "-" as the last segment appends to a list, and creates the list when the
 * path does not exist. Before the last segment, "-" is a key of an existing map, else it is refused.
 *
 * `set` writes a value and creates missing maps above it; `insert` makes room in a list first; `delete` of a path that does
 * not exist changes nothing. `draft` is the number of the draft it comes from, 0 or absent for the commit itself.
 */
export type Edit =
  | { readonly op: 'set' | 'insert'; readonly path: readonly string[]; readonly value: Stored; readonly draft?: number }
  | { readonly op: 'delete'; readonly path: readonly string[]; readonly draft?: number }

/** The index of the first edit of the path itself, -1 when all are below it. */
export function firstWhole(edits: readonly Edit[], depth: number): number {
  return edits.findIndex(one => one.path.length === depth)
}

export function writerOfLast(edits: readonly Edit[]): Writer {
  return writerOf(0, edits.at(-1)?.draft ?? 0)
}
