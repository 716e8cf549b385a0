/** The graphs of the benchmarks in our words. Each side of `cases/graph.mjs` has the same nodes, fields and edges. */
import { join } from 'node:path'
import { open } from 'agentstategraph'
import { sqlite } from 'agentstategraph/backends'
import { END, Send, START, StateGraph } from 'agentstategraph/graph'
import { stats } from 'agentstategraph/maintenance'
import { bytesOfClosed } from './ours.mjs'

/** Opens a place to run on: nothing kept, kept in memory, or in a file. */
export async function openOurPlace(kind, folder, driver) {
  if (kind === 'none') return { repo: undefined, bytes: async () => undefined, close: async () => {} }
  const file = join(folder, 'ours.db')
  const repo = await open(kind === 'memory' ? undefined : sqlite(file, { driver: driver.module }))
  return {
    repo,
    /** All that it holds. A file is counted as the file system counts it, and closed for that. */
    async bytes() {
      if (kind === 'memory') return (await stats(repo)).storedBytes
      await repo.close()
      return bytesOfClosed(file)
    },
    close: () => repo.close(),
  }
}

/** Runs one input to its end, in a thread of its own where there is a place for it. */
async function runOne(app, place, id, input, options) {
  if (place.repo === undefined) return app.run(input, options)
  const { status, state, error } = await app.thread(id).run(input, options)
  if (status !== 'done') throw error ?? new Error(`The thread is ${status}.`)
  return state
}

export function ourChain(place, length) {
  const graph = new StateGraph({ state: { count: 0 }, reducers: { count: 'sum' } })
  for (let step = 0; step < length; step++) graph.addNode(`n${step}`, () => ({ count: 1 }))
  graph.addEdge(START, 'n0')
  for (let step = 1; step < length; step++) graph.addEdge(`n${step - 1}`, `n${step}`)
  const app = graph.compile({ repo: place.repo, name: 'chain' })
  return id => runOne(app, place, id, {}, {})
}

export function ourLoop(place, length, makeItem) {
  const app = new StateGraph({ state: { items: [] }, reducers: { items: 'append' } })
    .addNode('add', s => ({ items: [makeItem(s.items.length)] }))
    .addEdge(START, 'add')
    .addConditionalEdges('add', s => (s.items.length < length ? 'add' : END), ['add', END])
    .compile({ repo: place.repo, name: 'loop' })
  return id => runOne(app, place, id, {}, { maxSteps: length + 10 })
}

/** `isSent`: the shared value goes along with every Send, as it has to elsewhere; else it is part of the state. */
export function ourFanOut(place, width, shared, isSent) {
  const payload = isSent ? item => ({ item, shared }) : item => ({ item })
  const app = new StateGraph({ state: { shared: '', item: 0, sizes: [] }, reducers: { sizes: 'append' } })
    .addNode('spread', () => {})
    .addNode('one', s => ({ sizes: [s.shared.length + s.item] }))
    .addNode('gather', () => {})
    .addEdge(START, 'spread')
    .addConditionalEdges('spread', () => Array.from({ length: width }, (_, i) => new Send('one', payload(i))), ['one'])
    .addEdge('one', 'gather')
    .compile({ repo: place.repo, name: 'fan-out' })
  return id => runOne(app, place, id, { shared }, {})
}

/** `durability`: `exit` keeps the run as one commit when it ends; else its input is kept before the node runs. */
export function ourOneStep(place, durability) {
  const app = new StateGraph({ state: { text: '', length: 0 } })
    .addNode('measure', s => ({ length: s.text.length }))
    .compile({ repo: place.repo, name: 'one-step' })
  return id => runOne(app, place, id, { text: `text of ${id}` }, { durability })
}
