/** The graphs of the benchmarks in the words of LangGraphJS. Each side of `cases/graph.mjs` has the same nodes and edges. */
import { join } from 'node:path'
import { Annotation, END, MemorySaver, Send, START, StateGraph } from '@langchain/langgraph'
import { bytesOf } from './files.mjs'
import { saverOn } from './langgraph.mjs'

/** Opens a place to run on: nothing kept, kept in memory, or in a file. */
export function openTheirPlace(kind, folder, driver) {
  if (kind === 'none') return { saver: undefined, bytes: () => undefined, rest() {}, close() {} }
  if (kind === 'memory') return openMemory()
  const file = join(folder, 'langgraph.db')
  const database = driver.open(file)
  return { saver: saverOn(database), bytes: () => bytesOf(database, file), rest() {}, close: () => database.close() }
}

/** When it rests, what it holds is counted and forgotten. */
function openMemory() {
  const saver = new MemorySaver()
  let counted = 0
  const rest = () => {
    counted += bytesWithin(saver.storage) + bytesWithin(saver.writes)
    saver.storage = {}
    saver.writes = {}
  }
  const bytes = () => {
    rest()
    return counted
  }
  return { saver, bytes, rest, close() {} }
}

/** The bytes of all values that a saver in memory holds, without what it finds them by. */
function bytesWithin(value) {
  if (value instanceof Uint8Array) return value.length
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce((sum, part) => sum + bytesWithin(part), 0)
}

function runOne(app, id, input) {
  return app.invoke(input, { configurable: { thread_id: id }, recursionLimit: 10_000 })
}

const append = () => Annotation({ reducer: (list, more) => list.concat(more), default: () => [] })

export function theirChain({ saver }, length) {
  const State = Annotation.Root({ count: Annotation({ reducer: (a, b) => a + b, default: () => 0 }) })
  const graph = new StateGraph(State)
  for (let step = 0; step < length; step++) graph.addNode(`n${step}`, () => ({ count: 1 }))
  graph.addEdge(START, 'n0')
  for (let step = 1; step < length; step++) graph.addEdge(`n${step - 1}`, `n${step}`)
  const app = graph.compile({ checkpointer: saver })
  return id => runOne(app, id, {})
}

export function theirLoop({ saver }, length, makeItem) {
  const app = new StateGraph(Annotation.Root({ items: append() }))
    .addNode('add', s => ({ items: [makeItem(s.items.length)] }))
    .addEdge(START, 'add')
    .addConditionalEdges('add', s => (s.items.length < length ? 'add' : END), ['add', END])
    .compile({ checkpointer: saver })
  return id => runOne(app, id, { items: [] })
}

/** What is sent is all that a node sees there, so the shared value has to go along. */
export function theirFanOut({ saver }, width, shared) {
  const app = new StateGraph(Annotation.Root({ shared: Annotation(), item: Annotation(), sizes: append() }))
    .addNode('spread', () => ({}))
    .addNode('one', s => ({ sizes: [s.shared.length + s.item] }))
    .addNode('gather', () => ({}))
    .addEdge(START, 'spread')
    .addConditionalEdges(
      'spread',
      s => Array.from({ length: width }, (_, item) => new Send('one', { item, shared: s.shared })),
      ['one'],
    )
    .addEdge('one', 'gather')
    .compile({ checkpointer: saver })
  return id => runOne(app, id, { shared })
}

export function theirOneStep({ saver }) {
  const app = new StateGraph(Annotation.Root({ text: Annotation(), length: Annotation() }))
    .addNode('measure', s => ({ length: s.text.length }))
    .addEdge(START, 'measure')
    .compile({ checkpointer: saver })
  return id => runOne(app, id, { text: `text of ${id}` })
}
