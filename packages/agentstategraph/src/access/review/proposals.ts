/**
 * Proposals: changes that wait for somebody else.
 *
 * A write that needs an approval throws `approval-required` with the id of its proposal. An approval lands exactly the difference
 * that is listed, on the head that it was made on, and lapses when the branch moves.
 */

import { optionsOf } from '../../core/index.ts'
import {
  type Handle,
  type KeptProposal,
  listRefs,
  proposalAt,
  proposalPrefix,
  redactWritten,
  type Written,
  writtenFrom,
} from '../../repo/index.ts'
import { badCursor, type Listing, listing, type Walker } from '../../repository/listing.ts'
import { receipted } from '../../repository/receipt.ts'
import { Repository } from '../../repository/repository.ts'
import type { Work } from '../../store/index.ts'
import { run } from '../run.ts'
import { approveProposal, getProposal, rejectProposal } from './decide-proposal.ts'
import { mayReadProposal, type Proposal, type ProposalStatus, redactProposal, statusOf } from './redact-proposal.ts'

export interface Proposals {
  /** The newest first. */
  proposals(filter?: ProposalFilter): Listing<Proposal>
  /** One of them. One that may not be seen is as unknown as one that is not there. */
  proposal(id: string): Promise<Proposal>
  /** Lands a proposal of somebody else. Binds to the difference and the head it was shown; lapses when either moves. */
  approve(proposal: string, reason: string): Promise<Written>
  /** Ends a proposal without landing it. Whoever made one can take it back so. */
  reject(proposal: string, reason: string): Promise<void>
  /** The repository, in which every commit becomes a proposal and nothing else is changed. */
  proposing<State = unknown>(): Repository<State>
}

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
  return yield* redactWritten(handle, yield* writtenFrom(handle.journal, commit, true))
}

/**
 * A cursor is the entry of the last proposal's commit. A ref that was decided points elsewhere, so every proposal is looked
 * up once, and read in full when its turn comes.
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
