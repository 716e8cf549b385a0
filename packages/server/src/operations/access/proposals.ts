/** Proposals: changes that wait for the approval of another principal. */
import { access } from 'agentstategraph/access'
import { z } from 'zod'
import { commitSchema, wireCommit } from '../../wire/commit.ts'
import { idField } from '../../wire/fields.ts'
import { pageFields, pageOf, wirePage } from '../../wire/page.ts'
import { proposalSchema, proposalStatuses, wireProposal } from '../../wire/proposal.ts'
import { inGroup, type Operation, operation } from '../operation.ts'

const id = idField.describe('The id of the proposal')
const reason = z.string().min(1).max(16_384).describe('Why; it is stored with the decision')

const listProposals = operation({
  name: 'list_proposals',
  summary: 'List proposals, with what they would change',
  guidance:
    'A write that needs an approval fails with approval-required and the id of its proposal. Call this to see its status, or ' +
    'what waits for your approval. The newest come first; a lapsed proposal has to be made again.',
  capability: 'none',
  effect: 'read',
  input: () => ({
    status: z.enum(proposalStatuses).optional().describe('Only these'),
    ...pageFields(50),
  }),
  output: () => pageOf(proposalSchema),
  route: 'GET /api/proposals',
  command: 'proposal list',
  tools: 'standard',
  examples: [{ title: 'what waits?', input: { status: 'open' } }],
  run: async (repo, { status, ...page }, { pace }) =>
    wirePage(access(repo).proposals({ status }), page, proposal => wireProposal(proposal, pace)),
})

const getProposal = operation({
  name: 'get_proposal',
  summary: 'Show one proposal and its decision',
  guidance: 'Returns every change that it would make, as far as you may read it, and who decided it.',
  capability: 'none',
  effect: 'read',
  input: () => ({ id }),
  output: () => proposalSchema,
  route: 'GET /api/proposals/{id}',
  command: 'proposal show <id>',
  examples: [{ title: 'what is proposed?', input: { id: 'proposal-1' } }],
  run: async (repo, { id: of }, { pace }) => wireProposal(await access(repo).proposal(of), pace),
})

const approve = operation({
  name: 'approve',
  summary: 'Approve a proposal of another principal',
  guidance:
    'Lands exactly the changes that get_proposal shows, on the head that they were made on, and returns the commit. You cannot ' +
    'approve your own proposal. When its branch has moved, a proposal has lapsed and has to be made again.',
  capability: 'approve',
  effect: 'write',
  input: () => ({ id, reason }),
  output: () => commitSchema,
  route: 'POST /api/proposals/{id}/approve',
  command: 'proposal approve <id>',
  examples: [{ title: 'looks right', input: { id: 'proposal-1', reason: 'The load test agrees' } }],
  run: async (repo, { id: of, reason: why }) => wireCommit(await access(repo).approve(of, why)),
  again: async (repo, _input, { commit }) => wireCommit(await repo.at(commit!).head()),
})

const reject = operation({
  name: 'reject',
  summary: 'Reject a proposal',
  guidance:
    'The proposal ends without landing. Give the reason for its author. An author withdraws a proposal the same way.',
  capability: 'approve',
  effect: 'write',
  input: () => ({ id, reason }),
  output: () => z.strictObject({ id: z.string(), status: z.literal('rejected') }),
  route: 'POST /api/proposals/{id}/reject',
  command: 'proposal reject <id>',
  examples: [{ title: 'not now', input: { id: 'proposal-1', reason: 'Wait until Monday' } }],
  async run(repo, { id: of, reason: why }) {
    await access(repo).reject(of, why)
    return { id: of, status: 'rejected' as const }
  },
  again: (_repo, { id: of }) => ({ id: of, status: 'rejected' as const }),
})

export const proposalOperations: readonly Operation[] = inGroup('access', [listProposals, getProposal, approve, reject])
