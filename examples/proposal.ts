/**
 * A proposal that a person approves. Two people set a rule: an agent's changes to production need approval. The agent's
 * write is refused and kept as a proposal; a person reads the diff and lets it land; blame names both.
 */

import assert from 'node:assert/strict'
import { isStateError, open, type Repository } from 'agentstategraph'
import { access, type Capability, type Proposal } from 'agentstategraph/access'
import { temporaryFile } from './temporary-file.ts'

await using file = await temporaryFile()
await using repo = await open(file.path)
await repo.set('/prod', { image: 'shop:1.4', replicas: 3 }, 'As it was installed')
const scaler = await join('agent/scaler', ['read', 'commit'])
const ann = await join('human/ann', ['read', 'policy', 'approve'])
const ben = await join('human/ben', ['policy'])
await agreeOnRule()
const id = await scale(6)
await lookAndApprove(id)
await tellWhoDidIt()

/** Adds a principal with a grant, and opens the repository with its key. */
async function join(id: string, capabilities: readonly Capability[]): Promise<Repository> {
  const { key } = await access(repo).addPrincipal(id, id.startsWith('human/') ? 'human' : 'agent')
  await access(repo).grant(id, { capabilities })
  return access(repo).authenticate(key)
}

/**
 * One principal proposes a rule and another ratifies it. From then on it applies to every principal and to the operator.
 */
async function agreeOnRule(): Promise<void> {
  const { id: rule } = await access(ann).proposePolicy({
    name: 'production-needs-a-person',
    effect: 'require-approval',
    when: { paths: ['/prod'], agents: ['agent/*'] },
    approvers: ['human/ann'],
  })
  await access(ben).ratifyPolicy(rule, 'After what happened in March')
}

/** The agent writes as usual, and gets an error with the id of the proposal. */
async function scale(replicas: number): Promise<string> {
  try {
    await scaler.set('/prod/replicas', replicas, {
      description: `Scale to ${replicas} replicas`,
      reasoning: 'The queue has been growing for an hour',
      confidence: 0.8,
    })
    assert.fail('a rule asks for an approval')
  } catch (error) {
    if (!isStateError(error, 'approval-required')) throw error
    assert.equal(await repo.get('/prod/replicas'), 3)
    console.log(`waiting for ${error.data.approvers?.join()}: ${error.data.rule}`)
    return error.data.proposal
  }
}

/** The approver sees exactly what will land. If the branch moves first, the proposal lapses. */
async function lookAndApprove(proposal: string): Promise<void> {
  const [waiting] = await access(ann).proposals({ status: 'open' })
  assert.equal(waiting?.id, proposal)
  show(waiting)
  await access(ann).approve(proposal, 'The queue is real')
  assert.equal(await repo.get('/prod/replicas'), 6)
}

function show({ by, into, description, reasoning, changes }: Proposal): void {
  console.log(`${by} proposes for ${into}: ${description} (${reasoning})`)
  for (const change of changes) {
    if (change.op === 'change') console.log(`  ${change.path}: ${change.before} -> ${change.after}`)
  }
}

/** The commit is the agent's, on the agent's grant, and says who let it land. */
async function tellWhoDidIt(): Promise<void> {
  const { agent, intent, approval, authority } = await repo.blame('/prod/replicas')
  console.log(`${agent}: ${intent.description}; approved by ${approval?.by}: ${approval?.reason}`)
  const [grant] = await access(repo).grants({ principal: agent })
  assert.deepEqual(authority, [grant?.id])
}
