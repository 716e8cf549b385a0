/** A repository with a typed state: a wrong path or value does not compile, and the past is read-only. */

import assert from 'node:assert/strict'
import { open } from 'agentstategraph'
import { temporaryFile } from './temporary-file.ts'

interface Cluster {
  cluster: { name: string; replicas: number; nodes: { id: string; status: 'up' | 'down' }[] }
}

await using file = await temporaryFile()
await using repo = await open<Cluster>(file.path)
await repo.set(
  '/cluster',
  { name: 'prod', replicas: 3, nodes: [{ id: 'n0', status: 'up' }] },
  { description: 'Initialize cluster', category: 'Checkpoint' },
)
await repo.tag('v1')

const replicas: number = await repo.get('/cluster/replicas')
assert.equal(replicas, 3)
await repo.set('/cluster/nodes/0/status', 'down', 'Node 0 stopped answering')
assert.equal(await repo.get(['cluster', 'nodes', 0, 'status']), 'down')

// @ts-expect-error "the state has no /cluster/replcas"
assert.equal(await repo.find('/cluster/replcas'), undefined)
// @ts-expect-error the past is read-only
assert.equal(repo.at('v1').set, undefined)
assert.equal(await repo.at('v1').get('/cluster/nodes/0/status'), 'up')
console.log(`${replicas} replicas; node 0 is ${await repo.get('/cluster/nodes/0/status')}`)
