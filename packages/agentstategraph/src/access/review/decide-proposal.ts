/**
 * Deciding proposals: an approval lands exactly what was proposed, on the head it was proposed on.
 *
 * It lands a copy of the proposed commit with the same parents, states and message, authorized again by what the proposer may do
 * now. The ref of the proposal moves to the decision in the same append, so of two decisions one wins.
 */

import { encode, parseKnownPath, type Stored } from '../../core/index.ts'
import { currentAccess } from '../../repo/access/access-state.ts'
import { findCommonLink, linksOf, linksOfCommit } from '../../repo/access/actors.ts'
import { assertMay } from '../../repo/access/assert-may.ts'
import { principalOf } from '../../repo/access/gate.ts'
import { findProposal, isLapsed, type KeptProposal, proposalRef, targetOf } from '../../repo/access/proposal.ts'
import { noteRefusal } from '../../repo/access/refusals.ts'
import type { Handle } from '../../repo/handle.ts'
import { accessError } from '../../repo/records/access-errors.ts'
import { operator } from '../../repo/records/access-record.ts'
import type { AccessRequest } from '../../repo/records/capability.ts'
import { type Approval, checkedText } from '../../repo/records/info.ts'
import { findRef } from '../../repo/records/ref-names.ts'
import { landAt, type Place } from '../../repo/write/land-with-retry.ts'
import type { Candidate, Prepared } from '../../repo/write/prepared.ts'
import { recordEntries } from '../../repo/write/record-entries.ts'
import { type CommitInfo, type Move, readCommit, type StoredCommit, type Work } from '../../store/index.ts'
import { diff, edit, type Link, ownCopy, rootOf, type StoredChange } from '../../tree/index.ts'
import { mayReadProposal } from './redact-proposal.ts'

const MAX_REASON_BYTES = 16 * 1024

/** Lands a proposal; gives the commit. */
export function* approveProposal(handle: Handle, id: string, reason: string): Work<StoredCommit> {
  const said = checkedText('reason', reason ?? '', MAX_REASON_BYTES)!
  const by = principalOf(handle.identity)
  const find = function* (): Work<ProposalTarget> {
    const open = yield* getOpen(handle, id)
    const { ref, head } = open.body
    if (yield* isLapsed(open)) throw accessError('proposal-lapsed', { proposal: id, branch: targetOf(open.body) })
    return { open, ref, head: head === 0 ? undefined : yield* readCommit(handle.journal, head) }
  }
  const prepare = function* ({ open }: ProposalTarget): Work<Prepared<undefined>> {
    const changed = placesOf(yield* proposedChanges(handle, open.seq))
    const state = yield* currentAccess(handle)
    const grants = yield* assertMay(handle, state, approveAsk(open, changed))
    const { record } = yield* readCommit(handle.journal, open.seq)
    const proposer = yield* linksOfCommit(state, { ...record, agent: open.body.by })
    const common = findCommonLink(proposer, yield* linksOf(state, handle.identity, grants))
    if (common !== undefined) {
      throw yield* noteRefusal(handle, accessError('self-approved', { proposal: id, principal: common }))
    }
    const landing = yield* landingOf(handle, open, { by, reason: said, proposal: id })
    return { kind: 'landing', landing, result: undefined }
  }
  const open = yield* getOpen(handle, id)
  const { approvers } = open.body
  if (open.body.by === by)
    throw yield* noteRefusal(handle, accessError('self-approved', { proposal: id, principal: by }))
  if (approvers?.includes(by) === false) {
    throw yield* noteRefusal(handle, accessError('approver-unnamed', { principal: by, approvers }))
  }
  const outcome = yield* landAt({ ...handle, identity: proposerOf(open), proposes: false }, find, prepare)
  if (outcome.kind === 'done') return outcome.commit
  throw new Error(`An approval was answered with ${outcome.kind}`)
}

interface ProposalTarget extends Place {
  readonly open: KeptProposal
}

/** Ends a proposal without landing it. Its proposer may withdraw it in this way. */
export function* rejectProposal(handle: Handle, id: string, reason: string): Work<void> {
  const said = checkedText('reason', reason ?? '', MAX_REASON_BYTES)!
  const by = principalOf(handle.identity)
  const open = yield* getOpen(handle, id)
  const asked = function* (): Work<{
    readonly requests: readonly AccessRequest[]
    readonly changes: readonly never[]
  }> {
    if (open.body.by === by) return { requests: [], changes: [] }
    return { requests: [approveAsk(open, placesOf(yield* proposedChanges(handle, open.seq)))], changes: [] }
  }
  const body = { decision: { proposal: id, by, reason: said } }
  const moves: Move[] = [{ name: proposalRef(id), expect: open.seq, to: { entry: 0 } }]
  const record = { kind: 'proposal', agent: handle.who.agent, body }
  const outcome = yield* recordEntries(handle, asked, [record], { moves })
  // The ref moves only by a decision, so reading it again throws `proposal-decided`.
  if (outcome.kind !== 'done') yield* getOpen(handle, id)
}

/** Throws `proposal-unknown` also for a proposal that the handle may not read. */
export function* getProposal(handle: Handle, id: string): Work<KeptProposal> {
  const kept = yield* findProposal(id)
  if (kept !== undefined && (yield* mayReadProposal(handle, kept))) return kept
  throw accessError('proposal-unknown', { proposal: id })
}

function* getOpen(handle: Handle, id: string): Work<KeptProposal> {
  const kept = yield* getProposal(handle, id)
  if (kept.decision === undefined) return kept
  throw accessError('proposal-decided', { proposal: id, status: kept.decision.status })
}

/** The changes of a commit against its first parent, in both roots. */
export function* proposedChanges({ journal }: Handle, seq: number): Work<readonly StoredChange[]> {
  const { parents, tree, system } = yield* readCommit(journal, seq)
  const before = parents[0] === undefined ? undefined : yield* readCommit(journal, parents[0])
  const nothing = rootOf(journal.context, {}, 0)
  return [
    ...(yield* diff(journal.context, before?.tree ?? nothing, tree)),
    ...(yield* diff(journal.context, before?.system ?? nothing, system)),
  ]
}

function placesOf(changes: readonly StoredChange[]): readonly (readonly string[])[] {
  const paths = changes.flatMap(change => (change.op === 'move' ? [change.path, change.from] : [change.path]))
  return paths.map(parseKnownPath)
}

function approveAsk({ body }: KeptProposal, changed: readonly (readonly string[])[]): AccessRequest {
  return { capability: 'approve', branch: targetOf(body), paths: changed.length === 0 ? undefined : changed }
}

function proposerOf({ body: { by, session, grant } }: KeptProposal): Handle['identity'] {
  return by === operator ? undefined : { principal: by, session, grant }
}

function* landingOf(handle: Handle, { id, seq, body }: KeptProposal, approval: Approval): Work<Candidate> {
  const { journal } = handle
  const proposed = yield* readCommit(journal, seq)
  const parents: StoredCommit[] = []
  for (const parent of proposed.parents) parents.push(yield* readCommit(journal, parent))
  if (body.head !== 0) parents.shift()
  const own = (link: Link): Work<Link> => ownCopy(journal.context, link, seq)
  return {
    merged: parents,
    tree: yield* own(proposed.tree),
    system: yield* own(proposed.system),
    detail: yield* withApproval(handle, proposed.detail && (yield* own(proposed.detail)), approval),
    info: infoOf(proposed),
    drafts: proposed.record.drafts,
    body: {
      ...(body.body as { readonly [field: string]: Stored } | undefined),
      approval: { proposal: id, by: approval.by },
    },
    changesMeta: body.changesMeta,
    capability: body.capability,
    approved: { identity: handle.identity, proposal: id },
    moves: [{ name: proposalRef(id), expect: seq, to: { entry: 0 } }, ...(yield* droppedRefs(body.drops ?? []))],
  }
}

function* withApproval({ journal }: Handle, detail: Link | undefined, approval: Approval): Work<Link> {
  const context = { ...journal.context, encryption: undefined }
  const root = detail ?? rootOf(context, {}, 0)
  return (yield* edit(context, root, [{ op: 'set', path: ['approval'], value: encode(approval) }])).root
}

/** The message of the proposed commit. Its authority is determined anew when it lands. */
function infoOf({ record }: StoredCommit): CommitInfo {
  const { agent, intent, reasoning, confidence, trace, merge } = record
  return { agent, intent, reasoning, confidence, trace, merge }
}

function* droppedRefs(drops: readonly (readonly [string, number])[]): Work<readonly Move[]> {
  const moves: Move[] = []
  for (const [name, at] of drops) if ((yield* findRef(name)) === at) moves.push({ name, expect: at, to: null })
  return moves
}
