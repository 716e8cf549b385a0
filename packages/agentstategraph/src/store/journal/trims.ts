/**
 * Old states that retention drops while others write.
 *
 * Nodes are trimmed in an append that moves the ref of retention. A process may have such nodes in its cache, and may be
 * about to point to them: so an append that leads to other states than its head's expects the ref where it was when the cache
 * was known to be good. When the ref has moved, the caches are emptied, and what the append leads to is read again.
 */

import { type Link, nodeOf, provenanceOf } from '../../tree/index.ts'
import type { Appended, Move } from '../contract/backend.ts'
import type { Work } from '../contract/work.ts'
import { findCommitAt } from './commits.ts'
import type { Journal } from './journal.ts'
import { retentionRef } from './trimmed-error.ts'

/** Makes an append fail when states were trimmed that this process may have in its cache. */
export function trimGuard({ trims }: Journal): Move {
  return { name: retentionRef, expect: trims, to: trims }
}

/** Whether that is why an append failed. */
export function isTrimmedMeanwhile({ name }: Extract<Appended, { readonly kind: 'moved' }>): boolean {
  return name === retentionRef
}

export function noteTrims(journal: Journal, at: number | null): void {
  journal.trims = at
  journal.nodes.clear()
}

/** Throws `state-trimmed` unless the commit of an entry, if it has one, has its state. */
export function* assertStateStored(journal: Journal, seq: number): Work<void> {
  const commit = yield* findCommitAt(journal, seq)
  if (commit !== undefined) for (const root of [commit.tree, commit.system]) yield* nodeOf(journal.nodes, root)
}

/** Throws `state-trimmed` unless all older nodes that a new commit links to are stored. A stored node has all below it. */
export function* assertLinksStored(journal: Journal, roots: readonly Link[], own: readonly Link[]): Work<void> {
  const older = new Map<number, Link>()
  const note = (link: Link): void => {
    if (link.fresh === undefined) older.set(link.at, link)
  }
  for (const root of roots) note(root)
  for (const { fresh } of own) provenanceOf(fresh!.node, note, () => {})
  for (const link of older.values()) yield* nodeOf(journal.nodes, link)
}
