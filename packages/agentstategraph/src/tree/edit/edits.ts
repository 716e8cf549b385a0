/** What an edit is, and what a group of them means for one place. */

import type { Stored } from '../../core/index.ts'
import { type Writer, writerOf } from '../nodes/node.ts'

/**
 * One change asked for by path. Segments are keys as users write them; "-" at the end of a path appends to a list, and
 * makes the list when nothing is there. Before the end of a path "-" is a key of a map that is there, else refused.
 *
 * `set` writes a value and creates missing maps on the way; `insert` makes room in a list first; `delete` of what is not
 * there changes nothing. `draft` is the number of the draft it comes from, 0 or absent for the commit itself.
 */
export type Edit =
  | { readonly op: 'set' | 'insert'; readonly path: readonly string[]; readonly value: Stored; readonly draft?: number }
  | { readonly op: 'delete'; readonly path: readonly string[]; readonly draft?: number }

/** The first edit that sets or deletes the place itself, -1 when all are below it. */
export function firstWhole(edits: readonly Edit[], depth: number): number {
  return edits.findIndex(one => one.path.length === depth)
}

export function writerOfLast(edits: readonly Edit[]): Writer {
  return writerOf(0, edits.at(-1)?.draft ?? 0)
}
