/**
 * A guided tour on a temporary SQLite file: commits with reasons, blame, branches and merges, speculations, and large
 * states.
 */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Change, type Commit, isStateError, open } from 'agentstategraph'
import { verify } from 'agentstategraph/maintenance'
import { largeState } from './large-state.ts'
import { note, say, title } from './print.ts'

const folder = await mkdtemp(join(tmpdir(), 'agentstategraph-tour-'))
const file = join(folder, 'state.db')
const repo = await open(file)
const scaler = repo.as('agent/scaler')

try {
  title('1. Every change is a commit that says who and why')
  note(`The state is a tree of values, here in ${file}`)
  const nodes = [
    { id: 'n1', status: 'up' },
    { id: 'n2', status: 'up' },
  ]
  show(await repo.as('agent/setup').set('/cluster', { name: 'prod', replicas: 2, nodes }, 'Initialize cluster'))
  show(
    await scaler.set('/cluster/replicas', 3, {
      description: 'Scale to 3 replicas',
      reasoning: 'Traffic is up 40 % over the last hour',
      confidence: 0.85,
      tags: ['scaling'],
    }),
  )

  title('2. Blame is a read: the writer stands beside every value')
  for (const path of ['/cluster/name', '/cluster/replicas', '/cluster/nodes/1/status']) {
    const { agent, intent, reasoning } = await repo.blame(path)
    say(`${path.padEnd(26)} ${agent}: ${intent.description}${reasoning === undefined ? '' : `, because: ${reasoning}`}`)
  }

  title('3. Two agents disagree; the conflict is a value until somebody decides')
  const network = (await repo.branch('agent/net')).as('agent/net')
  await network.commit('Move to flannel', tx => tx.set('/cluster/network', 'flannel').set('/cluster/replicas', 4))
  await scaler.set('/cluster/replicas', 5, 'Scale to 5 replicas')
  for (const change of await repo.diff('main', 'agent/net')) say(inWords(change))
  try {
    await repo.merge('agent/net')
  } catch (error) {
    if (!isStateError(error, 'merge-conflict')) throw error
    for (const { path, base, ours, theirs } of error.data.conflicts) {
      say(`conflict ${path}: was ${base}, main has ${ours}, agent/net has ${theirs}`)
    }
  }
  const why = {
    description: 'Adopt flannel',
    reasoning: 'Lower overhead',
    policies: { '/cluster/replicas': 'max' as const },
  }
  show(await repo.merge('agent/net', why))

  title('4. Try many, keep one; what was not chosen stays readable')
  await using nfs = await repo.speculate({ label: 'nfs' })
  await using ceph = await repo.speculate({ label: 'ceph' })
  await nfs.set('/storage/type', 'nfs')
  await ceph.set('/storage/type', 'ceph')
  await ceph.set('/storage/replicas', 3)
  for (const { path, values } of (await repo.compare([nfs, ceph])).rows) say(`${path.padEnd(20)} ${values.join(' | ')}`)
  const reasoning = 'Only 2 nodes, Ceph needs 3'
  show(await nfs.commit({ description: 'Use NFS', reasoning, confidence: 0.9, alternatives: [ceph] }))
  const { alternatives } = await repo.blame('/storage/type')
  say(`considered and not taken: ${alternatives.map(({ label }) => label).join(', ')}`)

  title('5. Questions to history')
  for (const commit of await repo.query({ agent: 'agent/scaler', text: 'traffic' })) show(commit)
  for (const { value, agent, timestamp } of await repo.history('/cluster/replicas')) {
    say(`/cluster/replicas = ${value}  ${agent}  ${timestamp}`)
  }

  title('6. Large states stay cheap')
  await largeState(repo)

  title('7. Nothing is taken on trust')
  const { ok, checked } = await verify(repo)
  say(`verify: ${ok ? 'every hash, pointer and writer is as it should be' : 'damaged'} (${checked} entries)`)
} finally {
  await repo.close()
  await rm(folder, { recursive: true })
}

function show({ id, agent, intent }: Commit): void {
  say(`${id.slice(0, 10)}  ${agent}: ${intent.description}`)
}

function inWords(change: Change): string {
  const value = 'after' in change ? change.after : change.before
  return `${change.op.padEnd(6)} ${change.path} ${JSON.stringify(value)}`
}
