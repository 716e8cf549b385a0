/** What grows with the size of a thing grows no faster than it: four times as much takes at most five times the work. */
import { describe, expect, it } from 'vitest'
import { END, START, StateGraph } from '../../src/graph/index.ts'
import { gc, stats } from '../../src/maintenance/index.ts'
import { open, type Repository, type Transaction } from '../../src/repository/index.ts'
import { PieceLine } from '../../src/tree/edit/piece-line.ts'
import { workOf } from './support/work-of.ts'

/** Prepares a call whose size is `n`. */
type Case = (n: number) => Promise<{ readonly repo: Repository; readonly call: () => unknown }>

const keyOf = (n: number): string => `key-${String(n).padStart(5, '0')}`
const mapOf = (n: number): Record<string, number> =>
  Object.fromEntries(Array.from({ length: n }, (_, i) => [keyOf(i), i]))

async function growth(prepare: Case, n: number): Promise<number> {
  const [small, large] = [await prepare(n), await prepare(4 * n)]
  const ratio = (await workOf(large.repo, large.call)) / (await workOf(small.repo, small.call))
  await small.repo.close()
  await large.repo.close()
  return ratio
}

/** A transaction on a map of `n` keys, with `n` steps. */
function steps(step: (tx: Transaction, i: number) => unknown): Case {
  return async n => {
    const repo = await open()
    await repo.set('/at', mapOf(n), 'Begin')
    const call = (): Promise<unknown> =>
      repo.commit('Change', async tx => {
        for (let i = 0; i < n; i++) await step(tx, i)
      })
    return { repo, call }
  }
}

/** A repository with a history of `n` commits. */
async function history(n: number): Promise<Repository> {
  const repo = await open()
  for (let i = 0; i < n; i++) await repo.set('/count', i, `Count to ${i}`)
  return repo
}

/** A repository with `n` speculations, each with a write and on a commit of its own. */
async function speculations(n: number): Promise<Repository> {
  // Ids in the order of the journal: how many reads a range takes must not depend on chance.
  let made = 0
  const repo = await open(undefined, { ids: () => `id-${`${made++}`.padStart(6, '0')}` })
  for (let i = 0; i < n; i++) {
    await repo.set('/count', i, `Count to ${i}`)
    await (await repo.speculate()).set('/tried', i)
  }
  return repo
}

/** A thread of `n` steps, each of which adds to a list. */
async function thread(repo: Repository, n: number) {
  const app = new StateGraph({ state: { notes: [] as { text: string }[] }, reducers: { notes: 'append' } })
    .addNode('note', ({ notes }) => ({ notes: [{ text: `note ${notes.length}` }] }))
    .addEdge(START, 'note')
    .addConditionalEdges('note', ({ notes }) => (notes.length < n ? 'note' : END), ['note', END])
    .compile({ repo })
  const made = app.thread('long')
  await made.run({}, { maxSteps: n + 1 })
  return made
}

/** How often pieces are looked at while each of `n` elements becomes a piece of its own, in no order. */
function looksAtPieces(n: number): number {
  const line = new PieceLine(n)
  let looks = 0
  const counted = {
    get: () => {
      looks++
      return 'single'
    },
  }
  for (let i = 0; i < n; i++) Object.defineProperty(line.element((i * 7919) % n), 'kind', counted)
  return looks
}

describe('work grows with what is asked for:', () => {
  it.each<[string, Case]>([
    ['sets in one commit', steps((tx, i) => tx.set(`/at/${keyOf(i)}`, -i - 1))],
    ['a transaction that gets and sets', steps((tx, i) => tx.set(`/at/${keyOf(i)}`, -i - 1).get(`/at/${keyOf(i)}`))],
    ['a transaction that finds and deletes', steps((tx, i) => tx.delete(`/at/${keyOf(i)}`).find(`/at/${keyOf(i)}`))],
    ['a transaction that asks and sets', steps((tx, i) => tx.set(`/at/${keyOf(i)}`, -i - 1).has(`/at/${keyOf(i)}`))],
    ['a transaction that lists and sets', steps((tx, i) => tx.set(`/at/${keyOf(i)}`, -i - 1).list(`/at/${keyOf(i)}`))],
    [
      'a transaction that reads one place again and again',
      steps((tx, i) => tx.set(`/at/${keyOf(i)}`, -1).get('/at/key-00000')),
    ],
    [
      'bisect over a long history',
      async n => {
        const repo = await history(n)
        const good = { id: (await repo.log({ order: 'oldest', limit: 1 }))[0]!.id }
        return {
          repo,
          call: () => repo.bisect({ good, bad: 'main' }, async at => (await at.get<number>('/count')) < 1),
        }
      },
    ],
    [
      'the history of a thread whose state grows',
      async n => {
        const repo = await open()
        const made = await thread(repo, n)
        return { repo, call: () => made.history() }
      },
    ],
    [
      'the history of a thread with many commits that are no steps',
      async n => {
        const repo = await open()
        const made = await thread(repo, 1)
        const branch = repo.on(made.branchName)
        for (let i = 0; i < n; i++) await branch.set('/notes/0/text', `edit ${i}`, 'Edit')
        return { repo, call: () => made.history() }
      },
    ],
    [
      'a listing of speculations',
      async n => {
        const repo = await speculations(n)
        return { repo, call: () => repo.speculations() }
      },
    ],
    [
      'a collection beside many speculations',
      async n => {
        const repo = await speculations(n)
        return { repo, call: () => gc(repo, { keepNewerMs: -1 }) }
      },
    ],
  ])('%s', async (_, prepare) => {
    expect(await growth(prepare, 150)).toBeLessThanOrEqual(5)
  })
  it('a merge of a branch that was merged many times costs the same as the first ones', async () => {
    const merged = async (times: number): Promise<number> => {
      const repo = await open()
      await repo.set('/count', 0, 'Begin')
      await repo.branch('side')
      const side = repo.on('side')
      const round = async (i: number): Promise<unknown> => {
        await repo.set('/main', i, 'Work on main')
        await side.set('/side', i, 'Work on the side')
        return repo.merge('side', 'Bring both together')
      }
      for (let i = 0; i < times; i++) await round(i)
      const work = await workOf(repo, () => round(times))
      await repo.close()
      return work
    }
    expect((await merged(200)) / (await merged(20))).toBeLessThanOrEqual(1.5)
  })
  it.each<[string, Case]>([
    [
      'a page of an intent tree, of many intents',
      async n => {
        const repo = await open()
        for (let i = 0; i < n; i++)
          await repo.set('/count', i, { description: `Count to ${i}`, intent: { id: `i${i}` } })
        return { repo, call: () => repo.intentTree({ limit: 10 }) }
      },
    ],
    [
      'a page of an intent tree, of one intent with many commits and intents below it',
      async n => {
        const repo = await open()
        for (let i = 0; i < n; i++) {
          const intent = i % 2 === 0 ? { id: 'whole' } : { id: `part-${i}`, parent: 'whole' }
          await repo.set('/count', i, { description: `Count to ${i}`, intent })
        }
        const { next } = await repo.intentTree({ intent: 'whole', limit: n / 2 })
        return { repo, call: () => repo.intentTree({ intent: 'whole', limit: 10, after: next }) }
      },
    ],
    [
      'a page of an intent tree of what led to a branch',
      async n => {
        const repo = await history(n)
        await repo.intentTree({ limit: 1 })
        return { repo, call: () => repo.intentTree({ from: 'main', limit: 10 }) }
      },
    ],
    [
      'statistics, without the lengths of packs, which SQLite adds up',
      async n => {
        const repo = await history(n)
        return { repo, call: () => stats(repo) }
      },
    ],
  ])('%s does not grow with the history', async (_, prepare) => {
    const growing = async (n: number): Promise<number> => {
      const { repo, call } = await prepare(n)
      // The first call brings the index up to date.
      await call()
      const work = await workOf(repo, call)
      await repo.close()
      return work
    }
    expect(await growing(400)).toBeLessThanOrEqual(1.1 * (await growing(100)))
  })
  it('sets of list elements in no order', () => {
    expect(looksAtPieces(4000) / looksAtPieces(1000)).toBeLessThanOrEqual(5)
  })
})
