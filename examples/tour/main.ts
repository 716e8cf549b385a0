/**
 * A guided tour of the ground that AgentStateGraph stands on, on a SQLite file of its own: commits that say why, blame
 * that is a read, differences and merges that follow what changed, and large states that stay cheap.
 */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sqlite } from 'agentstategraph/backends'
import { decode, hexOfId } from 'agentstategraph/core'
import { writer } from 'agentstategraph/repo'
import { openJournal, type StoredCommit } from 'agentstategraph/store'
import { diff, merge, policyTable, type StoredChange } from 'agentstategraph/tree'
import { largeState } from './large-state.ts'
import { note, say, title } from './print.ts'
import { blame, branch, commit } from './team.ts'

const folder = await mkdtemp(join(tmpdir(), 'agentstategraph-tour-'))
const file = join(folder, 'state.db')
const backend = sqlite(file)

try {
  const journal = await openJournal(backend)
  const writing = writer(journal)

  title('1. Every change is a commit that says who and why')
  note(`The state is a tree of values, here in ${file}`)
  const nodes = [
    { id: 'n1', status: 'up' },
    { id: 'n2', status: 'up' },
  ]
  const setup = { agent: 'agent/setup', description: 'Initialize cluster' }
  show(await commit(writing, 'main', { '/cluster': { name: 'prod', replicas: 2, network: 'calico', nodes } }, setup))
  const scale = {
    agent: 'agent/scaler',
    description: 'Scale to 3 replicas',
    reasoning: 'Traffic is up 40 %',
    confidence: 0.85,
  }
  const main = await commit(writing, 'main', { '/cluster/replicas': 3 }, scale)
  show(main)

  title('2. Blame is a read: the writer stands beside every value')
  for (const path of ['/cluster/name', '/cluster/replicas', '/cluster/nodes/1/status']) {
    const { record } = await blame(writing, 'main', path)
    const because = record.reasoning === undefined ? '' : `, because: ${record.reasoning}`
    say(`${path.padEnd(26)} ${record.agent}: ${record.intent.description}${because}`)
  }

  title('3. Two agents work on branches; a branch is one ref')
  await branch(writing, 'network', main, 'agent/net')
  await branch(writing, 'capacity', main, 'agent/scaler')
  const network = await commit(
    writing,
    'network',
    { '/cluster/network': 'flannel', '/cluster/replicas': 4 },
    { agent: 'agent/net', description: 'Try flannel' },
  )
  const capacity = await commit(
    writing,
    'capacity',
    { '/cluster/replicas': 5, '/cluster/nodes/-': { id: 'n3', status: 'up' } },
    { agent: 'agent/scaler', description: 'Add a node' },
  )
  for (const side of [network, capacity]) {
    show(side)
    for (const change of await journal.run(diff(journal.context, main.tree, side.tree))) say(`    ${inWords(change)}`)
  }

  title('4. Merges are three-way; conflicts are values until a policy decides')
  for (const policies of [{}, { '/cluster/replicas': 'max' as const }]) {
    const options = { policies: policyTable(policies), later: 'theirs' as const }
    const { root, conflicts } = await journal.run(
      merge(journal.context, main.tree, network.tree, capacity.tree, options),
    )
    say(`policies ${JSON.stringify(policies)}: ${conflicts.length} conflicts, root ${short(root.id)}`)
    for (const { path, base, ours, theirs } of conflicts)
      say(`    ${path}: was ${base}, network has ${ours}, capacity has ${theirs}`)
  }

  title('5. Large states stay cheap')
  await largeState(writing)
} finally {
  await backend.close()
  await rm(folder, { recursive: true })
}

function show({ id, record }: StoredCommit): void {
  say(`${short(id)}  ${record.agent}: ${record.intent.description}`)
}

function short(id: string): string {
  return hexOfId(id).slice(0, 10)
}

function inWords(change: StoredChange): string {
  const value = 'after' in change ? change.after : change.before
  return `${change.op.padEnd(6)} ${change.path} ${JSON.stringify(decode(value))}`
}
