/**
 * The one function that ends every way of writing.
 *
 * Whatever made a new state (an edit, a merge, a speculation, a step) hands it over here. The checks see what is about to
 * become history and may refuse it by throwing, and it has to keep the schemas of its own system root; then it is appended,
 * and the ref moves. Nothing else appends commits.
 */

import type { Stored } from '../core/index.ts'
import {
  appendCommit,
  type CommitInfo,
  type CommitOutcome,
  type Journal,
  type Move,
  type StoredCommit,
  type Work,
} from '../store/index.ts'
import { type Link, sealedRoot } from '../tree/index.ts'
import { assertMeta } from './meta.ts'
import { judgeState, withWarnings } from './schema-check.ts'

/** A state that is to become a commit on a ref. */
export interface Landing {
  readonly ref: string
  /** The commit that the ref must still point to; undefined when the ref is to be created. */
  readonly head: StoredCommit | undefined
  /** Where the ref must be when that is not its head: the entry that made it, as long as nothing was written on it. */
  readonly expect?: number
  /** Parents beside the head: the other side of a merge. */
  readonly merged?: readonly StoredCommit[]
  readonly tree: Link
  readonly system: Link
  readonly detail?: Link | undefined
  readonly changed: readonly (readonly string[])[]
  readonly info: CommitInfo
  /** The commits that this one lands. */
  readonly drafts?: readonly string[] | undefined
  /** What the entry says beside the commit. */
  readonly body?: Stored | undefined
  /** Whether it may change what the system keeps under `/_meta`: only those who keep it set this. */
  readonly changesMeta?: boolean | undefined
  /** Refs that move together with this one. */
  readonly moves?: readonly Move[]
  /** Refs that must not have moved meanwhile. */
  readonly guards?: readonly Move[]
  readonly idempotencyKey?: string | undefined
}

/** Looks at a landing and throws when it must not happen. Pure and synchronous. */
export type Check = (landing: Landing) => void

export function* land(journal: Journal, landing: Landing, checks: readonly Check[]): Work<CommitOutcome> {
  for (const check of checks) check(landing)
  const { ref, head, merged = [], tree, system, detail, changed, info, drafts, body, idempotencyKey } = landing
  const { expect = head?.seq ?? null, moves = [], guards = [], changesMeta = false } = landing
  const parents = head === undefined ? merged : [head, ...merged]
  yield* assertMeta(journal, parents, system, changesMeta)
  const { schema, warnings } = yield* judgeState(journal, parents[0], landing)
  return yield* appendCommit(journal, {
    parents,
    // Whatever made this state, nothing that is protected becomes history unsealed.
    tree: journal.context.sealing === undefined ? tree : yield* sealedRoot(journal.context, tree, changed),
    system,
    changed,
    info: schema === undefined ? info : { ...info, schema },
    moves: [{ name: ref, expect, to: { entry: 0 } }, ...moves, ...guards],
    detail: yield* withWarnings(journal, detail, warnings),
    drafts,
    body,
    idempotencyKey,
  })
}
