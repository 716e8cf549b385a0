/** What else an index serves, and that it can be lost and made again. */
import { describe, expect, it } from 'vitest'
import { memory, sqlite } from '../../src/backends/index.ts'
import { pull } from '../../src/maintenance/index.ts'
import { reindex, stats } from '../../src/repo/index.ts'
import { type CommitFilter, open, type Repository } from '../../src/repository/index.ts'
import { type Backend, stretchEntries } from '../../src/store/index.ts'
import { dropNow } from '../store/support/drop-now.ts'
import { newFile } from '../store/support/sqlite-file.ts'
import { commitSamples, momentOf, sample } from './support/queried.ts'
import { queryStores } from './support/query-stores.ts'

const COUNT = 320

async function opened(store: Backend): Promise<{ repo: Repository; clock: { now: Date } }> {
  const clock = { now: new Date(0) }
  return { repo: await open(store, { clock: () => clock.now }), clock }
}

const ids = async (repo: Repository): Promise<string[]> => (await repo.query({ agent: 'agent/a' })).map(({ id }) => id)

describe.each(queryStores)('on %s', (_name, newStore) => {
  it('a branch that seldom moves is found as it was long ago', async () => {
    const { repo, clock } = await opened(newStore())
    await commitSamples(repo, 1, 3, clock)
    const quiet = await repo.branch('quiet')
    await commitSamples(quiet, 4, 4, clock)
    await commitSamples(repo, 5, COUNT, clock)
    const path = (n: number) => quiet.at(momentOf(n)).get(sample(n === 3 ? 3 : 4).path)
    expect(await path(3)).toBe(3)
    expect(await path(COUNT)).toBe(4)
    await repo.deleteBranch('quiet')
    await expect(quiet.at(momentOf(COUNT)).head()).rejects.toMatchObject({ code: 'ref-not-found' })
    await expect(quiet.at(momentOf(2)).head()).rejects.toMatchObject({ code: 'ref-not-found' })
    await repo.close()
  })

  it('stats count landed commits by agent and category, branches, and the bytes that are kept', async () => {
    const { repo, clock } = await opened(newStore())
    await commitSamples(repo, 1, 12, clock)
    const small = await repo.handle.journal.run(stats(repo.handle))
    expect(small).toMatchObject({
      commits: 12,
      branches: 1,
      byAgent: { 'agent/a': 4, 'agent/b': 4, 'agent/c': 4 },
      byCategory: { Refine: 3, Fix: 3, Explore: 3, 'custom kind': 3 },
    })
    const names = Array.from({ length: 3000 }, (_, i) => [`key ${i}`, `value ${i} ${'x'.repeat(100)}`])
    await (await repo.branch('large')).set('/large', Object.fromEntries(names), 'A commit of many parts')
    const large = await repo.handle.journal.run(stats(repo.handle))
    expect(large).toMatchObject({ commits: 13, branches: 2 })
    const added = large.storedBytes - small.storedBytes
    expect(added).toBeGreaterThan(3000 * 110)
    expect(added).toBeLessThan(3000 * 400)
    await repo.close()
  })

  it('an index is made again from the journal, and tells how far it is', async () => {
    const { repo, clock } = await opened(newStore())
    await commitSamples(repo, 1, COUNT, clock)
    const before = await ids(repo)
    const { journal, shared } = repo.handle
    // What follows the commits would index beside it.
    await shared.index?.flush()
    const progress: number[] = []
    await journal.run(reindex(repo.handle, ({ done }) => progress.push(done)))
    expect(await ids(repo)).toEqual(before)
    const { seq } = await journal.log.head()
    expect(progress).toEqual(journal.log.index === undefined ? [] : [0, stretchEntries, 2 * stretchEntries, seq])
    expect((await journal.log.index?.mark()) ?? seq).toBe(seq)
    await repo.close()
  })

  it('a commit whose pack was dropped is no longer found, and the others are', async () => {
    const { repo, clock } = await opened(newStore())
    await commitSamples(repo, 1, 90, clock)
    const before = await ids(repo)
    const { journal } = repo.handle
    const dropped = await repo.query({ agent: 'agent/a', limit: 1, until: momentOf(30) })
    await dropNow(
      journal.log,
      dropped.map(({ seq }) => seq),
    )
    journal.recent.clear()
    expect(await ids(repo)).toEqual(before.filter(id => id !== dropped[0]!.id))
    await journal.run(reindex(repo.handle))
    expect(await ids(repo)).toEqual(before.filter(id => id !== dropped[0]!.id))
    await repo.close()
  })

  it('a commit that was pulled is found by the time at which it was made', async () => {
    const early = await opened(memory())
    await commitSamples(early.repo, 1, 90, early.clock)
    const late = await opened(newStore())
    late.clock.now = momentOf(1_000_000)
    await late.repo.set('/own', 1, 'Before the pull')
    await early.repo.branch('early')
    await pull(late.repo, early.repo, { branches: ['early'] })
    const found = async (filter: CommitFilter) =>
      (await late.repo.query(filter)).map(({ intent }) => intent.description)
    const descriptions = (from: number, to: number) =>
      Array.from({ length: to - from + 1 }, (_, i) => sample(to - i).description)
    expect(await found({ until: momentOf(80) })).toEqual(descriptions(1, 80))
    expect(await found({ since: momentOf(11), until: momentOf(20) })).toEqual(descriptions(11, 20))
    expect(await found({ since: momentOf(1000) })).toEqual(['Before the pull'])
    await early.repo.close()
    await late.repo.close()
  })

  it('an index that is cleared in the middle of a query costs nothing but time', async () => {
    const { repo, clock } = await opened(newStore())
    await commitSamples(repo, 1, COUNT, clock)
    const filters: CommitFilter[] = [{}, { order: 'oldest' }, { intent: 'top' }, { intent: 'g1', order: 'oldest' }]
    for (const filter of filters) {
      const expected = (await repo.query(filter)).map(({ id }) => id)
      const found: string[] = []
      for await (const { id } of repo.query(filter)) {
        found.push(id)
        if (found.length % 70 === 0) await repo.handle.journal.log.index?.clear()
      }
      expect(found).toEqual(expected)
    }
    await repo.close()
  })
})

it('two connections that build one index make the same', async () => {
  const file = newFile()
  const { repo, clock } = await opened(sqlite(file))
  await commitSamples(repo, 1, COUNT, clock)
  const other = await open(sqlite(file))
  const both = await Promise.all([ids(repo), ids(other)])
  await commitSamples(repo, COUNT + 1, COUNT + 90, clock)
  const later = [await ids(other), await ids(repo)]
  expect(both[0]).toEqual(both[1])
  expect(later[0]).toEqual(later[1])
  expect(later[0]).toHaveLength(Math.floor((COUNT + 90) / 3))
  await other.close()
  await repo.close()
})
