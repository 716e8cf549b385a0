/**
 * A graph that tries several plans in parallel, each as a speculation on the shared state, scores them and lands the best.
 * The others stay on record as alternatives, each with the reason against it.
 */

import assert from 'node:assert/strict'
import { open } from 'agentstategraph'
import { Send, START, StateGraph } from 'agentstategraph/graph'

await using repo = await open()
await repo.set('/cluster', { nodes: 2, storage: { type: 'local' } }, 'Initialize cluster')

/** How good each kind of storage would be for a cluster of so many nodes. */
const scores: Readonly<Record<string, (nodes: number) => number>> = {
  local: () => 0.2,
  nfs: nodes => (nodes < 3 ? 0.9 : 0.5),
  ceph: nodes => (nodes < 3 ? 0.1 : 0.95),
}

const choose = new StateGraph({
  state: { way: '', tried: [] as { way: string; id: string; score: number }[], best: '' },
  reducers: { tried: 'append' },
})
  .addNodes({
    // The effect is recorded: after a crash the same speculations are scored, not more of them.
    attempt: async (s, { once }) => {
      const id = await once('speculate', async () => (await repo.speculate({ label: s.way })).id)
      const speculation = await repo.getSpeculation(id)
      await speculation.set('/cluster/storage/type', s.way)
      const score = scores[s.way]?.(await speculation.get<number>('/cluster/nodes')) ?? 0
      return { tried: [{ way: s.way, id, score }] }
    },
    keep: async (s, { once }) => {
      const [best, ...others] = [...s.tried].sort((a, b) => b.score - a.score)
      if (best === undefined) return {}
      const chosen = {
        description: `Use ${best.way}`,
        confidence: best.score,
        alternatives: others.map(({ way, id, score }) => ({
          label: way,
          speculation: id,
          whyNot: `It scored ${score}`,
        })),
      }
      await once('land', async () => (await (await repo.getSpeculation(best.id)).commit(chosen)).id)
      return { best: best.way }
    },
  })
  .addConditionalEdges(START, () => Object.keys(scores).map(way => new Send('attempt', { way })), ['attempt'])
  .addEdge('attempt', 'keep')
  .compile({ repo, name: 'choose' })

const { best } = await choose.run({})
assert.equal(best, 'nfs')
assert.equal(await repo.get('/cluster/storage/type'), 'nfs')

const why = await repo.blame('/cluster/storage/type')
assert.equal(why.draft?.label, 'nfs')
assert.equal(why.confidence, 0.9)
for (const { label, whyNot } of why.alternatives) console.log(`not ${label}: ${whyNot}`)
console.log(`${why.intent.description}, ${why.confidence} sure`)
