/**
 * Proposals: commits that wait on a ref of their own until another principal decides.
 *
 * The ref `proposal/<id>` points to the proposed commit while the proposal is open, and to the entry of the decision afterwards.
 * The parent of the commit is the head it was proposed on, which pins what an approval can land. Deciding is not done here.
 */

import type { Stored } from '../../core/index.ts'
import { type EntryRecord, type Move, readEntry, type Work } from '../../store/index.ts'
import type { Landing } from '../landing.ts'
import { accessError } from '../records/access-errors.ts'
import type { Accessor } from '../records/accessor.ts'
import { findBody, type ProposalBody } from '../records/entry-bodies.ts'
import { findRef, grantNameOf, proposalPrefix } from '../records/ref-names.ts'
import type { RequiredApproval } from '../records/required-approval.ts'
import { principalOf } from './gate.ts'

/** A proposal as the journal has it. */
export interface KeptProposal {
  readonly id: string
  /** The entry of the proposed commit. */
  readonly seq: number
  readonly record: EntryRecord
  readonly body: ProposalBody
  /** The entry that decided it; absent as long as it is open. */
  readonly decision?: {
    readonly seq: number
    readonly record: EntryRecord
    readonly status: 'approved' | 'rejected'
  }
}

export function proposalRef(id: string): string {
  return proposalPrefix + id
}

/** Creates the ref of a proposal, if the branch has not moved. */
export function proposedMoves(id: string, ref: string, at: number | null): readonly Move[] {
  return [
    { name: proposalRef(id), expect: null, to: { entry: 0 } },
    { name: ref, expect: at, to: at },
  ]
}

export function proposalBody({ identity }: Accessor, landing: Landing, required: RequiredApproval): Stored {
  const { ref, head, capability, changesMeta, moves = [], body } = landing
  const drops = moves.flatMap(({ name, expect, to }) => (to === null && expect !== null ? [[name, expect]] : []))
  const fields = {
    by: principalOf(identity),
    session: identity?.session,
    grant: identity?.grant,
    ref,
    head: head?.seq ?? 0,
    ...required,
    capability,
    changesMeta: changesMeta === true ? true : undefined,
    drops: drops.length === 0 ? undefined : drops,
    body,
  }
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  return { proposal: Object.fromEntries(given) as Stored }
}

/** The proposal in an entry; undefined when it has none. */
export function proposalIn(record: EntryRecord): ProposalBody | undefined {
  return findBody(record, 'commit')?.proposal
}

export function* findProposal(id: string): Work<KeptProposal | undefined> {
  const at = yield* findRef(proposalRef(id))
  return at === null ? undefined : yield* proposalAt(id, at)
}

/** The proposal whose ref points to an entry. */
export function* proposalAt(id: string, at: number): Work<KeptProposal> {
  const { record } = yield* readEntry(at)
  const body = proposalIn(record)
  if (body !== undefined) return { id, seq: at, record, body }
  const [, seq] = record.moves.find(([name]) => name === proposalRef(id))!
  const proposed = (yield* readEntry(seq!)).record
  const status = record.commit === undefined ? 'rejected' : 'approved'
  return { id, seq: seq!, record: proposed, body: proposalIn(proposed)!, decision: { seq: at, record, status } }
}

/** Whether an open proposal can no longer be approved, because its branch has moved. */
export function* isLapsed({ id, seq, body: { ref, head } }: KeptProposal): Work<boolean> {
  if ((yield* findRef(ref)) === (head === 0 ? null : head)) return false
  // An approval moves the branch too, and may have landed since the proposal was read.
  return (yield* findRef(proposalRef(id))) === seq
}

/** The name of the branch that a proposal is for. */
export function targetOf({ ref }: Pick<ProposalBody, 'ref'>): string {
  return grantNameOf(ref) ?? ref
}

export function approvalRequired(
  proposal: string,
  { ref, rule, approvers }: RequiredApproval & { readonly ref: string },
): Error {
  return accessError('approval-required', {
    proposal,
    branch: targetOf({ ref }),
    ...(rule === undefined ? {} : { rule }),
    ...(approvers === undefined ? {} : { approvers }),
  })
}

/**
 * The entry of the commit that a write with an idempotency key became, given the entry that the key names.
 *
 * A write that became a proposal throws the same error again until the proposal is decided.
 */
export function* landedBy(seq: number): Work<number> {
  const { record } = yield* readEntry(seq)
  const body = proposalIn(record)
  if (body === undefined) return seq
  const [ref] = record.moves.find(([name]) => name.startsWith(proposalPrefix))!
  const kept = yield* proposalAt(ref.slice(proposalPrefix.length), (yield* findRef(ref))!)
  const { id: proposal, decision } = kept
  if (decision?.status === 'approved') return decision.seq
  if (decision !== undefined) throw accessError('proposal-decided', { proposal, status: decision.status })
  if (yield* isLapsed(kept)) throw accessError('proposal-lapsed', { proposal, branch: targetOf(body) })
  throw approvalRequired(proposal, body)
}
