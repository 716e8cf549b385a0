/**
 * Blind writes: path operations that become a commit on a ref, wherever that ref has got to.
 *
 * The head last seen is taken to be the head; the compare-and-swap of the append tells when it was not, and then the
 * same operations are done again on the new one. A precondition is asked on the head that the write lands on.
 */

import type { Stored } from '../core/index.ts'
import { type CommitInfo, findHead, type Journal, readCommit, type StoredCommit, type Work } from '../store/index.ts'
import { type Edit, type Edited, edit, type Link, rootOf } from '../tree/index.ts'
import { newAccessCache } from './access/access-state.ts'
import { assertMayEdit, assertStillMayEdit } from './access/assert-may-edit.ts'
import { nameOfRef } from './access/landing-asks.ts'
import { findDone } from './find-done.ts'
import { type Check, type Lander, land } from './land.ts'
import { refNotFound } from './refs.ts'

export interface Landed {
  readonly commit: StoredCommit
  /** False when the state already was what the write asked for, and no commit was made. */
  readonly changed: boolean
}

/** Who writes: every handle is one. */
export interface Writer extends Lander {
  /** With the head of each ref as it was last seen. */
  readonly shared: Lander['shared'] & { readonly heads: Map<string, StoredCommit> }
}

/** A writer on a journal alone. */
export function writer(journal: Journal, checks: readonly Check[] = []): Writer {
  return { journal, shared: { checks, heads: new Map(), access: newAccessCache() } }
}

export interface WriteOptions {
  /** Used once: a repetition is answered with the first commit. So there is one, even when nothing changes. */
  readonly idempotencyKey?: string | undefined
  /** Commits even when nothing changes. */
  readonly allowEmpty?: boolean | undefined
  /** What the commit says beyond its text. */
  readonly detail?: Stored | undefined
  /** Whether a ref that is not there is made. Otherwise writing to it is an error. */
  readonly mayCreate?: boolean | undefined
  /** Throws when the write must not be made on this head. */
  readonly precondition?: ((head: StoredCommit | undefined) => Work<void>) | undefined
}

export function* write(
  writing: Writer,
  ref: string,
  edits: readonly Edit[],
  info: CommitInfo,
  options: WriteOptions = {},
): Work<Landed> {
  const { journal } = writing
  const { heads } = writing.shared
  const { idempotencyKey, allowEmpty = false, mayCreate = true, detail, precondition } = options
  if (idempotencyKey !== undefined) {
    // A retry is answered before it is judged: what it did the first time may be why its precondition no longer holds.
    const seq = yield* findDone(idempotencyKey)
    if (seq !== undefined) return { commit: yield* readCommit(journal, seq), changed: false }
  }
  const branch = nameOfRef(ref)
  yield* assertMayEdit(writing, info.agent, branch, edits)
  let head = precondition === undefined ? heads.get(ref) : undefined
  head ??= yield* findHead(journal, ref)
  for (;;) {
    if (head === undefined && !mayCreate) throw yield* refNotFound(writing, ref.slice(ref.indexOf('/') + 1))
    if (precondition !== undefined) yield* precondition(head)
    let edited: Edited
    try {
      edited = yield* edit(journal.context, head?.tree ?? emptyRoot(journal), edits)
    } catch (error) {
      yield* assertStillMayEdit(writing, info.agent, branch, edits)
      // The head may be an old one: what is impossible on it may be possible on the new one.
      const now: StoredCommit | undefined = yield* findHead(journal, ref)
      heads.delete(ref)
      if (now?.seq === head?.seq) throw error
      head = now
      continue
    }
    const { root, changed } = edited
    if (head !== undefined && changed.length === 0 && !allowEmpty && idempotencyKey === undefined) {
      yield* assertStillMayEdit(writing, info.agent, branch, edits)
      // The head may be an old one: nothing to do on it says nothing about the new one.
      const now: StoredCommit | undefined = yield* findHead(journal, ref)
      heads.delete(ref)
      if (now?.seq === head.seq) return { commit: head, changed: false }
      head = now
      continue
    }
    const landing = {
      ref,
      head,
      tree: root,
      system: head?.system ?? emptyRoot(journal),
      changed,
      info,
      detail: detail === undefined ? undefined : rootOf(journal.context, detail, 0),
      idempotencyKey,
    }
    const outcome = yield* land(writing, landing)
    if (outcome.kind === 'done') {
      heads.set(ref, outcome.commit)
      return { commit: outcome.commit, changed: true }
    }
    heads.delete(ref)
    if (outcome.kind === 'repeated') return { commit: yield* readCommit(journal, outcome.seq), changed: false }
    head = yield* findHead(journal, ref)
  }
}

export function emptyRoot(journal: Journal): Link {
  return rootOf(journal.context, {}, 0)
}
