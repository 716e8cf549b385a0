/** An app as a user would write one: a graph that asks, an agent that counts, and migrations. */
import type { Repository } from 'agentstategraph'
import { END, START, StateGraph } from 'agentstategraph/graph'
import { agent } from 'agentstategraph/memory'
import { z } from 'zod'
import type { AnyApp, AnyTask, Apps } from '../../../src/operations/apps.ts'

const review = new StateGraph({ state: { draft: '', approved: false } })
  .addNode('ask', async (state, { interrupt }) => ({ approved: await interrupt(`Send ${state.draft}?`, z.boolean()) }))
  .addNode('send', () => ({}))
  .addEdge(START, 'ask')
  .addConditionalEdges('ask', state => (state.approved ? 'send' : END))

const counter = agent('counter', { state: { total: 0 } })
const add = counter.task('add', (by: number, { state, emit }) => {
  emit({ kind: 'action', thinking: `add ${by}` })
  state.total += by
  return state.total
})

export const app = {
  graphs: { review: (repo: Repository) => review.compile({ repo, name: 'review' }) as unknown as AnyApp },
  agents: { counter: { add: add as unknown as AnyTask } },
  migrations: [
    { from: 0, to: 1, name: 'add owner', migrate: tx => tx.set('/owner', 'ops') },
    { from: 1, to: 2, name: 'add region', migrate: tx => tx.set('/region', 'eu') },
  ],
} satisfies Apps
