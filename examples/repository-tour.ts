/**
 * The first hour with AgentStateGraph: write with a reason, branch, merge, land one of two speculations, then ask who did
 * what and why. Assertions check each step.
 */

import assert from 'node:assert/strict'
import { open } from 'agentstategraph'
import { epochs } from 'agentstategraph/trust'
import { temporaryFile } from './temporary-file.ts'

await using file = await temporaryFile()
await using repo = await open(file.path)

// Every write says why: a sentence, or all there is to say.
await repo.set('/cluster/name', 'prod', { description: 'Initialize cluster', category: 'Checkpoint' })
assert.equal(await repo.get<string>('/cluster/name'), 'prod')

await repo.set('/cluster/replicas', 3, {
  description: 'Scale to 3 replicas',
  category: 'Refine',
  agent: 'agent/scaler',
  reasoning: 'Traffic increased 40% over last hour',
  confidence: 0.85,
  tags: ['scaling', 'auto'],
})
await repo.set('/cluster/network', { subnet: '10.0.0.0/16', dns: '1.1.1.1' }, 'Configure network')
await repo.delete('/cluster/network', { description: 'Remove network config', category: 'Fix' })
assert.equal(await repo.has('/cluster/network'), false)

// Many changes, one commit; what it reads is part of it.
await repo.commit('Move to the new network', async tx => {
  const replicas = await tx.get<number>('/cluster/replicas')
  tx.set('/network/size', replicas * 2).delete('/network/old')
})
assert.equal(await repo.get('/network/size'), 6)

// `branch` gives the handle, `on` finds it again.
const feature = await repo.branch('feature/new-network')
await feature.set('/cluster/network', 'flannel', { description: 'Try flannel', category: 'Explore' })
assert.deepEqual(
  (await repo.branches({ prefix: 'feature/' })).map(({ name }) => name),
  ['feature/new-network'],
)
assert.deepEqual(await repo.diff('main', 'feature/new-network'), [
  { op: 'add', path: '/cluster/network', after: 'flannel' },
])
await repo.merge('feature/new-network', { description: 'Adopt flannel', reasoning: 'Lower overhead than calico' })
await repo.deleteBranch('feature/new-network')
assert.equal((await repo.blame('/cluster/network')).intent.description, 'Try flannel')

// Try many, keep one. What is not committed is discarded at the end of the scope.
await using nfs = await repo.speculate({ label: 'approach-nfs' })
await using ceph = await repo.speculate({ label: 'approach-ceph' })
await nfs.set('/storage/type', 'nfs')
await ceph.set('/storage/type', 'ceph')
await ceph.set('/storage/replicas', 3)
for (const { path, values } of (await repo.compare([nfs, ceph])).rows) console.log(path, values)
await nfs.commit({
  description: 'Use NFS',
  reasoning: 'Only 2 nodes, Ceph needs 3+',
  confidence: 0.9,
  alternatives: [ceph],
})
assert.deepEqual(await repo.get('/storage'), { type: 'nfs' })
const storage = await repo.blame('/storage/type')
assert.equal(storage.reasoning, 'Only 2 nodes, Ceph needs 3+')
assert.equal(storage.draft?.label, 'approach-nfs')
assert.deepEqual(
  storage.alternatives.map(({ label }) => label),
  ['approach-ceph'],
)

// Ask over all branches, and of one path.
const recent = await repo.query({
  agent: 'agent/scaler',
  category: 'Refine',
  confidence: { min: 0.7 },
  text: 'traffic',
  limit: 5,
})
assert.equal(recent.length, 1)
const { agent, intent, reasoning, confidence, value } = await repo.blame('/cluster/replicas')
assert.deepEqual(
  [agent, intent.category, reasoning, confidence, value],
  ['agent/scaler', 'Refine', 'Traffic increased 40% over last hour', 0.85, 3],
)

// An epoch for an auditor: every commit between its opening and its seal belongs to it.
const epoch = epochs(repo)
await epoch.create('2026-04-incident', 'Node3 recovery', { rootIntents: ['intent-001'] })
await repo.set('/cluster/node-3/status', 'up', {
  description: 'Restart node3',
  category: 'Fix',
  intent: { id: 'intent-001' },
})
await repo.set('/cluster/replicas', 4, { description: 'Restore replicas', intent: { parent: 'intent-001' } })
await epoch.seal('2026-04-incident', 'Recovered node3, replicas restored')
for await (const one of epoch.list()) if (one.status !== 'open') console.log(one.id, one.commits, one.root)
assert.deepEqual(
  (await repo.query({ epoch: '2026-04-incident' })).map(({ intent }) => intent.description),
  ['Restore replicas', 'Restart node3'],
)

for (const commit of await repo.log({ limit: 5 })) {
  console.log(`${commit.id.slice(0, 10)}: ${commit.intent.description} (by ${commit.agent})`)
}
