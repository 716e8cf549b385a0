/**
 * The redaction of proposals.
 *
 * A proposal is readable for its proposer, and for a principal that may read one of the places it changes on its branch. For
 * others it does not exist.
 */

import { hexOfId, isStateError } from '../../core/index.ts'
import { principalOf } from '../../repo/access/gate.ts'
import { isLapsed, type KeptProposal, targetOf } from '../../repo/access/proposal.ts'
import type { Handle } from '../../repo/handle.ts'
import type { Change } from '../../repo/records/change.ts'
import { bodyOf } from '../../repo/records/entry-bodies.ts'
import { changesFrom } from '../../repo/state/decode-value.ts'
import { commitFrom } from '../../repo/visibility/commit.ts'
import { type BranchScope, readScopeOf } from '../../repo/visibility/read-scope.ts'
import { isReadableCommit } from '../../repo/visibility/readable-commit.ts'
import { readableState } from '../../repo/visibility/readable-state.ts'
import { readCommit, type StoredCommit, type Work } from '../../store/index.ts'
import { diff, rootOf } from '../../tree/index.ts'

/** Where a proposal stands. */
export type ProposalStatus = 'open' | 'approved' | 'rejected' | 'lapsed'

/** A change that waits for an approval, why it needs one, and how it was decided. */
export interface Proposal {
  readonly id: string
  /** The principal that made it. */
  readonly by: string
  /** Where it was made in a session of others: the principals from the one that opened the first session to `by`. */
  readonly actors?: readonly string[]
  readonly timestamp: string
  /** The branch that it is for. */
  readonly into: string
  readonly description: string
  readonly reasoning?: string
  readonly confidence?: number
  /** The id of the proposed commit, to read its state by. */
  readonly commit: string
  /** What it changes there. Empty when it was rejected and garbage collection took it. */
  readonly changes: readonly Change[]
  /** The rules and taints that require the approval; absent when the proposer may only propose. */
  readonly rule?: string
  /** Who may approve it; every principal with the capability when absent. */
  readonly approvers?: readonly string[]
  readonly status: ProposalStatus
  /** Who decided it, and the commit that landed when it was approved. */
  readonly decision?: { readonly by: string; readonly reason?: string; readonly commit?: string }
}

/** Whether a proposal is readable for the handle. */
export function* mayReadProposal(handle: Handle, kept: KeptProposal): Work<boolean> {
  if (kept.body.by === principalOf(handle.identity)) return true
  const scope = yield* branchScopeOn(handle, kept)
  if (scope === undefined) return true
  const commit = yield* findCommit(handle, kept.seq)
  return commit === undefined ? scope.isWhole : yield* isReadableCommit(handle.journal, commit, scope)
}

/** The readable part of a proposal. */
export function* redactProposal(handle: Handle, kept: KeptProposal): Work<Proposal> {
  const { id, seq, record, body } = kept
  const scope = yield* branchScopeOn(handle, kept)
  const commit = yield* findCommit(handle, seq)
  const said = commit && (yield* commitFrom(handle.journal, commit, scope))
  const decision = yield* decisionOf(handle, kept)
  return {
    id,
    by: body.by,
    ...(commit?.record.actors === undefined ? {} : { actors: commit.record.actors }),
    timestamp: new Date(record.time).toISOString(),
    into: targetOf(body),
    description: said?.intent.description ?? '',
    ...(said?.reasoning === undefined ? {} : { reasoning: said.reasoning }),
    ...(said?.confidence === undefined ? {} : { confidence: said.confidence }),
    commit: hexOfId(record.commit!),
    changes: commit === undefined ? [] : yield* readableChanges(handle, commit, scope),
    ...(body.rule === undefined ? {} : { rule: body.rule }),
    ...(body.approvers === undefined ? {} : { approvers: body.approvers }),
    status: yield* statusOf(kept),
    ...(decision === undefined ? {} : { decision }),
  }
}

export function* statusOf(kept: KeptProposal): Work<ProposalStatus> {
  return kept.decision?.status ?? ((yield* isLapsed(kept)) ? 'lapsed' : 'open')
}

function* branchScopeOn(handle: Handle, { body }: KeptProposal): Work<BranchScope | undefined> {
  return (yield* readScopeOf(handle))?.on([targetOf(body)])
}

/** The commit of an entry; undefined after garbage collection dropped it. */
function* findCommit({ journal }: Handle, seq: number): Work<StoredCommit | undefined> {
  try {
    return yield* readCommit(journal, seq)
  } catch (error) {
    if (isStateError(error, 'pack-dropped')) return undefined
    throw error
  }
}

function* readableChanges(
  { journal }: Handle,
  commit: StoredCommit,
  scope: BranchScope | undefined,
): Work<readonly Change[]> {
  const { context } = journal
  const nothing = rootOf(context, {}, 0)
  const [first] = commit.parents
  const parent = first === undefined ? { tree: nothing, system: nothing } : yield* readCommit(journal, first)
  const before = yield* readableState(context, parent, scope)
  const after = yield* readableState(context, commit, scope)
  const changes = [
    ...(yield* diff(context, before.tree, after.tree)),
    ...(yield* diff(context, before.system, after.system)),
  ]
  return yield* changesFrom(context, changes)
}

function* decisionOf(handle: Handle, { decision }: KeptProposal): Work<Proposal['decision']> {
  if (decision === undefined) return undefined
  const { seq, record, status } = decision
  if (status === 'rejected') {
    const { by, reason } = bodyOf(record, 'proposal').decision
    return { by, reason }
  }
  const landed = yield* findCommit(handle, seq)
  const reason = landed && (yield* commitFrom(handle.journal, landed, undefined)).approval?.reason
  return {
    by: bodyOf(record, 'commit').approval!.by,
    ...(reason === undefined ? {} : { reason }),
    commit: hexOfId(record.commit!),
  }
}
