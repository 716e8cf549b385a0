/**
 * Blind writes: path operations that become a commit on a ref, wherever that ref has got to.
 *
 * The head last seen is taken to be the head; the compare-and-swap of the append tells when it was not, and then the
 * same operations are done again on the new one.
 */

import { type CommitInfo, findHead, type Journal, readCommit, type StoredCommit, type Work } from '../store/index.ts'
import { type Edit, edit, type Link, rootOf } from '../tree/index.ts'
import { type Check, land } from './land.ts'

export interface Written {
  readonly commit: StoredCommit
  /** False when the state already was what the write asked for, and no commit was made. */
  readonly changed: boolean
}

/** What writers on one journal share. */
export interface Writer {
  readonly journal: Journal
  readonly checks: readonly Check[]
  /** The head of each ref as it was last seen. */
  readonly heads: Map<string, StoredCommit>
}

export function writer(journal: Journal, checks: readonly Check[] = []): Writer {
  return { journal, checks, heads: new Map() }
}

export interface WriteOptions {
  /** Used once: a repetition is answered with the first commit. So there is one, even when nothing changes. */
  readonly idempotencyKey?: string
  /** Commits even when nothing changes. */
  readonly allowEmpty?: boolean
}

export function* write(
  { journal, checks, heads }: Writer,
  ref: string,
  edits: readonly Edit[],
  info: CommitInfo,
  { idempotencyKey, allowEmpty = false }: WriteOptions = {},
): Work<Written> {
  let head = heads.get(ref) ?? (yield* findHead(journal, ref))
  for (;;) {
    const { root, changed } = yield* edit(journal.context, head?.tree ?? emptyRoot(journal), edits)
    if (head !== undefined && changed.length === 0 && !allowEmpty && idempotencyKey === undefined) {
      const now: StoredCommit | undefined = yield* findHead(journal, ref)
      heads.delete(ref)
      if (now?.seq === head.seq) return { commit: head, changed: false }
      head = now
      continue
    }
    const system = head?.system ?? emptyRoot(journal)
    const key = idempotencyKey === undefined ? {} : { idempotencyKey }
    const outcome = yield* land(journal, { ref, head, tree: root, system, changed, info, ...key }, checks)
    if (outcome.kind === 'done') {
      heads.set(ref, outcome.commit)
      return { commit: outcome.commit, changed: true }
    }
    if (outcome.kind === 'repeated') return { commit: yield* readCommit(journal, outcome.seq), changed: false }
    heads.delete(ref)
    head = yield* findHead(journal, ref)
  }
}

function emptyRoot(journal: Journal): Link {
  return rootOf(journal.context, {}, 0)
}
