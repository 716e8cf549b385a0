/** What `query` promises on every backend: with an index, without one, and while one is being built. */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CommitFilter, open, type Repository } from '../../src/repository/index.ts'
import { ALONE, commitSamples, DEVIATED, isExpected, sample } from './support/queried.ts'
import { queryStores } from './support/query-stores.ts'

const COUNT = 330

describe.each(queryStores)('query on %s', (_name, newStore) => {
  const clock = { now: new Date(0) }
  let repo: Repository

  beforeAll(async () => {
    repo = await open(newStore(), { clock: () => clock.now })
    await commitSamples(repo, 1, 150, clock)
    // So that what comes later must find its way into what is indexed already.
    await repo.query({}).count()
    await repo.resolveIntent(DEVIATED[0]!, { outcome: 'partial', summary: 's', deviations: [{ description: 'd' }] })
    await commitSamples(repo, 151, COUNT, clock)
    await repo.resolveIntent(DEVIATED[1]!, { outcome: 'partial', summary: 's', deviations: [{ description: 'd' }] })
    await repo.resolveIntent('g3', { outcome: 'fulfilled', summary: 'as intended' })
  })
  afterAll(() => repo.close())

  const expected = (filter: CommitFilter, count = COUNT): string[] => {
    const found: string[] = []
    for (let n = count; n > 0; n--) if (isExpected(filter, sample(n))) found.push(sample(n).description)
    return (filter.order === 'oldest' ? found.reverse() : found).slice(0, filter.limit)
  }
  const found = async (filter: CommitFilter): Promise<string[]> =>
    (await repo.query(filter)).map(({ intent }) => intent.description)

  it.each(ALONE.map(filter => [JSON.stringify(filter), filter] as const))('finds exactly %s', async (_text, filter) => {
    expect(await found(filter)).toEqual(expected(filter))
    expect(await found({ ...filter, order: 'oldest' })).toEqual(expected({ ...filter, order: 'oldest' }))
  })

  it('finds what all of several filters let through, in either order, up to a limit', async () => {
    const one = fc.constantFrom(...ALONE)
    const order = fc.constantFrom('newest' as const, 'oldest' as const)
    const limit = fc.constantFrom(undefined, 1, 7, 70)
    await fc.assert(
      fc.asyncProperty(one, one, order, limit, async (a, b, order, limit) => {
        const filter: CommitFilter = { ...a, ...b, order, limit }
        expect(await found(filter)).toEqual(expected(filter))
      }),
      { numRuns: 25 },
    )
  })

  it.each(['newest', 'oldest'] as const)('gives pages that join without gap or repeat, the %s first', async order => {
    const filter = { agent: 'agent/b', order, limit: 50 }
    const pages: string[][] = []
    for (let after: string | undefined; ; ) {
      const { items, next } = await repo.query(filter).page({ limit: 15, after })
      pages.push(items.map(({ intent }) => intent.description))
      if (next === undefined) break
      after = next
    }
    expect(pages.map(page => page.length)).toEqual([15, 15, 15, 5])
    expect(pages.flat()).toEqual(expected(filter))
    expect(await repo.query(filter).count()).toBe(50)
  })
})

describe.each(queryStores)('query on %s', (_name, newStore) => {
  it('sees commits of every branch, also of one that is gone, and none of a draft', async () => {
    const repo = await open(newStore())
    await repo.set('/a', 1, 'on main')
    const side = await repo.branch('side')
    await side.set('/b', 2, 'on side')
    await repo.deleteBranch('side')
    const speculation = await repo.speculate()
    await speculation.set('/c', 3)
    const seen = async () => (await repo.query({})).map(({ intent }) => intent.description)
    expect(await seen()).toEqual(['on side', 'on main'])
    await speculation.commit('kept')
    expect(await seen()).toEqual(['kept', 'on side', 'on main'])
    await repo.close()
  })

  it('knows what is below an intent, in whatever order the links became known', async () => {
    const repo = await open(newStore())
    const under = (id: string, parent?: string) =>
      repo.set('/a', id, { description: id, intent: parent === undefined ? { id } : { id, parent }, allowEmpty: true })
    await under('leaf', 'middle')
    expect(await repo.query({ intent: 'root' })).toEqual([])
    await under('middle', 'root')
    const below = async (intent: string) => (await repo.query({ intent })).map(({ intent: { id } }) => id)
    expect(await below('root')).toEqual(['middle', 'leaf'])
    expect(await below('middle')).toEqual(['middle', 'leaf'])
    await under('root', 'leaf')
    expect(await below('leaf')).toEqual(['root', 'middle', 'leaf'])
    await repo.close()
  })

  it('knows what is below an intent at any depth', async () => {
    const repo = await open(newStore())
    const names = Array.from({ length: 80 }, (_, i) => `intent ${i}`)
    for (const [i, id] of names.entries()) {
      const intent = i === 0 ? { id } : { id, parent: names[i - 1]! }
      await repo.set('/a', i, { description: id, intent })
    }
    await repo.set('/a', 'other', { description: 'other', intent: { id: 'other', parent: 'elsewhere' } })
    for (const i of [0, 10, 47, 48, 79]) {
      const found = await repo.query({ intent: names[i]!, order: 'oldest' })
      expect(found.map(({ intent }) => intent.id)).toEqual(names.slice(i))
    }
    await repo.close()
  })
})
