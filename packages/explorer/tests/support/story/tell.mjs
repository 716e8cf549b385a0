/** The story that the tests of the Explorer play and its pictures show, in one store. */
import { isStateError } from 'agentstategraph'
import { access } from 'agentstategraph/access'
import { Versioned } from 'agentstategraph/memory'
import { plans } from 'agentstategraph/plans'
import { epochs } from 'agentstategraph/trust'
import { app } from './app.mjs'
import { tellIncident } from './incident.mjs'

/** A clock that moves on by itself: every look is some minutes after the last. */
export function storyClock(start = '2026-05-12T00:30:00Z', minutes = 7) {
  let now = Date.parse(start)
  return () => {
    now += minutes * 60_000
    return new Date(now)
  }
}

/** Fills a store. Gives what tests need to know of it. */
export async function tellStory(repo) {
  await tellIncident(repo)
  await tellOutcomes(repo)
  await tellMigration(repo)
  await tellBilling(repo)
  await tellPlan(repo)
  await tellMemory(repo)
  await tellRuns(repo)
  return tellAccess(repo)
}

/** Confidence that can be compared with what happened. */
async function tellOutcomes(repo) {
  const said = [0.95, 0.9, 0.9, 0.85, 0.6, 0.55, 0.5, 0.3, 0.2]
  const held = [true, true, false, true, true, false, true, false, false]
  for (const [nth, confidence] of said.entries()) {
    const { id } = await repo.as('agent/scaler').set('/cluster/replicas', nth + 2, {
      description: `Scale to ${nth + 2} replicas`,
      category: 'Refine',
      confidence,
      expects: [{ path: '/latency_ms', max: 100 }],
    })
    await repo.as('agent/monitor').observe(id, { held: held[nth] })
  }
}

/** Three ways to move a database, none chosen yet. */
async function tellMigration(repo) {
  await repo
    .as('agent/dba')
    .set(
      '/database',
      { engine: 'postgres 15', storage: 'local', replicas: 1 },
      { description: 'Describe the database', category: 'Checkpoint' },
    )
  const ways = [
    ['in place', { engine: 'postgres 17' }, 'One night of downtime', 0.55],
    ['logical replication', { engine: 'postgres 17', replicas: 2 }, 'No downtime, and a way back', 0.86],
    ['managed service', { engine: 'postgres 17', storage: 'managed', replicas: 3 }, 'Costs twice as much', 0.6],
  ]
  for (const [label, changes, reasoning, confidence] of ways) {
    const speculation = await repo.as('agent/dba').speculate({ label })
    for (const [key, value] of Object.entries(changes)) {
      await speculation.set(`/database/${key}`, value, { description: `Move by ${label}`, reasoning, confidence })
    }
  }
}

/** A sealed quarter, and a branch that disagrees with what came after. */
async function tellBilling(repo) {
  await epochs(repo).create('2026-q1', 'First quarter')
  const billing = repo.as('agent/billing')
  await billing.set('/refunds', { limit: 50, currency: 'EUR' }, { description: 'Set a limit', confidence: 0.6 })
  await repo.branch('raise-limits')
  await repo
    .as('agent/support')
    .on('raise-limits')
    .commit(
      { description: 'Raise the limit for known customers', reasoning: 'Support asked for it', confidence: 0.7 },
      tx => tx.set('/refunds/limit', 120).set('/refunds/known_customers', true),
    )
  await billing.set('/refunds/limit', 80, { description: 'Raise the limit', reasoning: 'Inflation', confidence: 0.9 })
  await epochs(repo).seal('2026-q1', 'Limits are settled')
  await epochs(repo).create('2026-q2', 'Second quarter')
}

async function tellPlan(repo) {
  const plan = await plans(repo.as('agent/lead')).create('launch', 'Ship version 2')
  await plan.add([
    { title: 'Freeze the schema', priority: 'high' },
    { title: 'Write the release notes' },
    { title: 'Tell the customers', priority: 'low' },
  ])
  await plan.add({ title: 'Copy the rows', blockedBy: ['t-1'], priority: 'critical' })
  await plan.add({ title: 'Switch the traffic', blockedBy: ['t-4', 't-2'], priority: 'critical' })
  const worker = await plans(repo.as('agent/ann')).get('launch')
  const first = await worker.claim({ id: 't-1', leaseMs: 3_600_000 })
  const { id } = await repo.as('agent/ann').set('/schema/frozen', true, 'No more changes until we have moved')
  await first.complete({ kind: 'commit', value: id, note: 'The flag is set' })
  await (await plans(repo.as('agent/ben')).get('launch')).take({ id: 't-2', leaseMs: 365 * 86_400_000 })
}

async function tellMemory(repo) {
  await repo.branch('memory')
  const memory = await Versioned.open(repo, { branch: 'memory' })
  const { help } = app.agents.support
  await help({ customer: 'Ada', problem: 'a late parcel' }, { state: memory })
  await help({ customer: 'Ben', problem: 'a wrong bill' }, { state: memory })
  await help({ customer: 'Cem', problem: 'a legal threat' }, { state: memory }).catch(() => undefined)
  await memory.close()
}

async function tellRuns(repo) {
  const refunds = app.graphs.refund(repo.as('agent/support'))
  await refunds.thread('order-7').run({ order: 'order-7', amount: 40 })
  await refunds.thread('order-7').resume({ value: { approved: true, amount: 40, channel: 'card' } })
  await refunds
    .thread('order-13')
    .run({ order: 'order-13', amount: 900 })
    .catch(() => undefined)
  await refunds.thread('order-21').run({ order: 'order-21', amount: 120 })
}

/** People, what they may do, what was refused, and what waits for a decision. */
async function tellAccess(repo) {
  const control = access(repo)
  const keys = {}
  for (const [id, kind] of [
    ['olga', 'human'],
    ['agent/deployer', 'agent'],
    ['agent/intern', 'agent'],
  ]) {
    keys[id] = (await control.addPrincipal(id, kind)).key
  }
  await control.grant('olga', { capabilities: ['read', 'commit', 'approve', 'grant', 'propose'], depth: 2 })
  const olga = await control.authenticate(keys.olga)
  await access(olga).grant('agent/deployer', {
    capabilities: ['read', 'commit', 'propose', 'grant'],
    paths: ['/cluster'],
    depth: 1,
  })
  const deployer = await control.authenticate(keys['agent/deployer'])
  await access(deployer).grant('agent/intern', { capabilities: ['read', 'propose'], paths: ['/cluster'] })
  const intern = await control.authenticate(keys['agent/intern'])
  await intern.set('/refunds/limit', 9999, 'Raise the limit').catch(() => undefined)
  await control.openSession({ agent: 'agent/deployer', scope: { paths: ['/cluster'] } })
  await control.taint({ path: '/cluster/node-3', effect: 'review', reason: 'Its sensor is broken', severity: 'high' })
  await proposalOf(deployer, 80, 'Move the load to node 1')
  return { keys }
}

/** Proposes once more, on what the branch is now; gives the id of the proposal. */
export async function propose(repo, { keys }) {
  return proposalOf(await access(repo).authenticate(keys['agent/deployer']), 85, 'Move more load to node 1')
}

async function proposalOf(by, cpu, description) {
  try {
    await access(by)
      .proposing()
      .set('/cluster/node-1/cpu', cpu, { description, reasoning: 'Node 3 is drained', confidence: 0.75 })
  } catch (error) {
    if (isStateError(error, 'approval-required')) return error.data.proposal
    throw error
  }
  throw new Error('The change landed')
}
