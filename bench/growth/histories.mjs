/** Questions and changes whose size is the number of commits, threads' steps, keys of a memory or tasks of a plan. */

import { open } from 'agentstategraph'
import { END, START, StateGraph } from 'agentstategraph/graph'
import { exportRepository, importRepository, push } from 'agentstategraph/maintenance'
import { agent, Versioned } from 'agentstategraph/memory'
import { plans } from 'agentstategraph/plans'
import { keyOf, numbered } from './numbered.mjs'

async function write(repo, n) {
  for (let i = 0; i < n; i++) {
    await repo.set(`/k${i % 50}`, i, { description: `Count to ${i}`, category: i % 2 === 0 ? 'Fix' : 'Refine' })
  }
}

async function walk(listing) {
  for await (const _ of listing);
}

/** A call on a history of n commits. */
const onHistory = (work, size, call) => ({
  work,
  size,
  async prepare(repo, n) {
    await repo.set('/first', 1, 'Begin')
    const first = await repo.head()
    await write(repo, n)
    return () => call(repo, n, { id: first.id })
  },
})

/** A call on a thread of n steps, each of which adds to a list. */
const onThread = (work, size, makeItem, call) => ({
  work,
  size,
  async prepare(repo, n) {
    const app = new StateGraph({ state: { items: [] }, reducers: { items: 'append' } })
      .addNode('add', ({ items }) => ({ items: [makeItem(items.length)] }))
      .addEdge(START, 'add')
      .addConditionalEdges('add', ({ items }) => (items.length < n ? 'add' : END), ['add', END])
      .compile({ repo })
    const thread = app.thread('long')
    await thread.run({}, { maxSteps: n + 1 })
    return () => call(thread, n)
  },
})

async function history(thread, n) {
  const states = await thread.history()
  if (states.length !== n + 1) throw new Error(`${states.length} states of ${n} steps.`)
}

const keeper = agent('keeper', { state: {} })

async function remembering(repo, n) {
  const memory = await Versioned.open(repo)
  const state = await memory.of(keeper)
  for (let i = 0; i < n; i++) state[`key${i}`] = { n: i }
  return { memory, state }
}

export const histories = [
  onHistory('bisect', 1500, (repo, _n, good) =>
    repo.bisect({ good, bad: 'main' }, async at => (await at.find('/k0')) === undefined),
  ),
  onHistory('log', 1500, repo => walk(repo.log())),
  onHistory('log of a path', 1500, repo => walk(repo.log({ path: '/k7' }))),
  onHistory('query', 1500, repo => walk(repo.query({ category: 'Fix' }))),
  onHistory('watch from the start', 1500, async (repo, n) => {
    let seen = 0
    for await (const _ of repo.watch({ after: 0 })) if (++seen === n) break
  }),
  onHistory('export', 1000, repo => walk(exportRepository(repo))),
  onHistory('export and import', 500, async repo => {
    const other = await open()
    await importRepository(other, exportRepository(repo))
    await other.close()
  }),
  onHistory('push', 500, async repo => {
    const other = await open()
    await push(repo, other)
    await other.close()
  }),
  {
    work: 'history of a path',
    size: 1000,
    async prepare(repo, n) {
      for (let i = 0; i < n; i++) await repo.set('/count', i, `Count to ${i}`)
      return () => walk(repo.history('/count'))
    },
  },
  {
    work: 'blameTree of places that many commits wrote',
    size: 1000,
    async prepare(repo, n) {
      for (let i = 0; i < n; i++) await repo.set(`/at/${keyOf(i)}`, i, 'Write')
      return () => walk(repo.blameTree('/'))
    },
  },
  {
    work: 'writes of a speculation, and landing it',
    size: 250,
    async prepare(repo, n) {
      await repo.set('/first', 1, 'Begin')
      return async () => {
        const speculation = await repo.speculate()
        for (let i = 0; i < n; i++) await speculation.set(`/at/${keyOf(i)}`, i, 'Write')
        await speculation.commit('Land')
      }
    },
  },
  onThread('history of a thread', 500, n => ({ role: 'user', text: `message ${n}` }), history),
  // Each step looks at the branch nodes of its list, which are full from about two thousand long elements on.
  onThread('history of a thread, long elements', 2000, n => ({ text: `message ${n} `.repeat(40) }), history),
  onThread('history of a thread, dates', 500, n => ({ text: `message ${n}`, at: new Date(n) }), history),
  {
    work: 'first checkpoint of a memory',
    size: 12_500,
    async prepare(repo, n) {
      const { memory } = await remembering(repo, n)
      return () => memory.checkpoint('Keep')
    },
  },
  {
    work: 'second checkpoint of a memory, every key changed',
    size: 5000,
    async prepare(repo, n) {
      const { memory, state } = await remembering(repo, n)
      await memory.checkpoint('Keep')
      for (let i = 0; i < n; i++) state[`key${i}`].n++
      return () => memory.checkpoint('Keep more')
    },
  },
  {
    work: 'tasks added to a plan at once',
    size: 500,
    async prepare(repo, n) {
      const plan = await plans(repo).create('plan')
      return () => plan.add(numbered(n, i => ({ title: `Task ${i}` })))
    },
  },
]
