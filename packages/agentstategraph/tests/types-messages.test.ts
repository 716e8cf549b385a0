/** What the compiler says about a wrong path or value can be read by a person. */
import { expect, it } from 'vitest'
import { root } from './architecture/source-file.ts'
import { runBlocks } from './docs/run-blocks.ts'

const start = `import { open } from 'agentstategraph'
interface Cluster { cluster: { replicas: number; nodes: { status: 'up' | 'down' }[] } }
const repo = await open<Cluster>()
`

it('a wrong path, a wrong value and a write to the past are named in the message', async () => {
  const wrong = [
    ["await repo.get('/cluster/replcas')", 'the state has no /cluster/replcas'],
    ["await repo.set('/cluster/replcas', 3, 'Scale')", 'the state has no /cluster/replcas'],
    ["await repo.commit('Scale', tx => tx.set('/cluster/replcas', 3))", 'the state has no /cluster/replcas'],
    ["await repo.get('/cluster/nodes/first')", 'the state has no /cluster/nodes/first'],
    ["await repo.set('/cluster/nodes/0/status', 'gone', 'Lose it')", `'"gone"' is not assignable to`],
    [
      "await repo.at('v1').set('/cluster/replicas', 3, 'Scale')",
      "Property 'set' does not exist on type 'Snapshot<Cluster>'",
    ],
  ] as const
  const outcomes = await runBlocks(
    root,
    wrong.map(([line]) => ({ language: 'ts', code: start + line })),
  )
  for (const [index, [, message]] of wrong.entries()) expect(outcomes[index]!.failure).toContain(message)
})
