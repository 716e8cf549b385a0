/**
 * The API of proposals: changes that wait for the approval of another principal.
 *
 * A write that needs an approval throws `approval-required` with the id of its proposal. An approval lands exactly the listed
 * changes on the head they were made on; a proposal lapses when its branch moves.
 */

import { optionsOf } from '../../core/index.ts'
import {
  type Handle,
  type KeptProposal,
  listRefs,
  proposalAt,
  proposalPrefix,
  receipted,
  type Written,
  writtenFrom,
} from '../../repo/index.ts'
import { badCursor, type Listing, listing, type Walker } from '../../repository/listing.ts'
import { Repository } from '../../repository/repository.ts'
import type { Work } from '../../store/index.ts'
import { run } from '../run.ts'
import { approveProposal, getProposal, rejectProposal } from './decide-proposal.ts'
import { mayReadProposal, type Proposal, type ProposalStatus, redactProposal, statusOf } from './redact-proposal.ts'

/** Landings that wait for an approval. */
export interface Proposals {
  /** The newest first. */
  proposals(filter?: ProposalFilter): Listing<Proposal>
  /** One of them. Throws `proposal-unknown` also for one that is not readable. */
  proposal(id: string): Promise<Proposal>
  /** Lands a proposal of another principal, if its branch has not moved. */
  approve(proposal: string, reason: string): Promise<Written>
  /** Ends a proposal without landing it. Its proposer can withdraw it in this way. */
  reject(proposal: string, reason: string): Promise<void>
  /** The same repository, where every commit becomes a proposal and other changes are refused. */
  proposing<State = unknown>(): Repository<State>
}

/** Options of `proposals`. */
export interface ProposalFilter {
  status?: ProposalStatus | undefined
}

const proposalsOptions = optionsOf<ProposalFilter>('proposals', { status: true })

export function proposalsOf({ handle }: Pick<Repository, 'handle'>): Proposals {
  return {
    proposals: (filter = {}) => listing(after => walkFrom(handle, filter.status, after), proposalsOptions, filter),
    proposal: id => run(handle, undefined, shown(handle, id)),
    approve: async (proposal, reason) =>
      receipted(handle, await run(handle, 'approve', approved(handle, proposal, reason))),
    reject: (proposal, reason) => run(handle, 'reject', rejectProposal(handle, proposal, reason)),
    proposing: () => new Repository({ ...handle, proposes: true }),
  }
}

function* shown(handle: Handle, id: string): Work<Proposal> {
  return yield* redactProposal(handle, yield* getProposal(handle, id))
}

function* approved(handle: Handle, proposal: string, reason: string): Work<Written> {
  const commit = yield* approveProposal(handle, proposal, reason)
  return yield* writtenFrom(handle, commit, true)
}

/**
 * A cursor is the entry of the last proposal's commit. The ref of a decided proposal points elsewhere, so all proposals are
 * looked up at the start, and each is read in full when the walk reaches it.
 */
async function walkFrom(
  handle: Handle,
  status: ProposalStatus | undefined,
  after: string | undefined,
): Promise<Walker<Proposal>> {
  if (after !== undefined && !/^\d{1,15}$/.test(after)) throw badCursor(after)
  let last = after === undefined ? Number.POSITIVE_INFINITY : Number(after)
  const all = await run(handle, undefined, keptProposals())
  const waiting = all.filter(({ seq }) => seq < last).sort((a, b) => b.seq - a.seq)
  let at = 0
  return {
    async next() {
      while (at < waiting.length) {
        const kept = waiting[at++]!
        last = kept.seq
        const found = await run(handle, undefined, wanted(handle, kept, status))
        if (found !== undefined) return found
      }
      return undefined
    },
    cursor: () => String(last),
  }
}

function* keptProposals(): Work<KeptProposal[]> {
  const kept: KeptProposal[] = []
  for (const { name, seq } of yield* listRefs(proposalPrefix)) {
    kept.push(yield* proposalAt(name.slice(proposalPrefix.length), seq))
  }
  return kept
}

function* wanted(handle: Handle, kept: KeptProposal, status: ProposalStatus | undefined): Work<Proposal | undefined> {
  if (status !== undefined && (yield* statusOf(kept)) !== status) return undefined
  return (yield* mayReadProposal(handle, kept)) ? yield* redactProposal(handle, kept) : undefined
}
