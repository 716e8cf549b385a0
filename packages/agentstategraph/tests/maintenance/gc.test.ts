/** Garbage collection: what is reachable stays and reads the same; what is not goes, and the journal says so. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { gc, verify } from '../../src/maintenance/index.ts'
import { open, type Repository } from '../../src/repository/index.ts'
import { history, play } from './support/histories.ts'
import { stores } from './support/stores.ts'

const all = { keepNewerMs: -1 }

/** Everything that branches, tags and open speculations lead to: states, writers, and what was considered. */
async function everything(repo: Repository): Promise<unknown> {
  const told: unknown[] = []
  for (const { name, id } of [...(await repo.branches()), ...(await repo.tags())]) {
    const at = repo.at(id!)
    for (const commit of await at.log()) {
      const snapshot = repo.at(commit.id)
      told.push([name, commit, await snapshot.get('/'), undrafted(await snapshot.blameTree('/'))])
    }
    told.push(undrafted([await at.blame('/', { chain: true })]))
  }
  for (const { id } of await repo.speculations()) {
    const speculation = await repo.getSpeculation(id)
    told.push([id, await speculation.get('/'), await speculation.changes()])
  }
  return told
}

/** Blame without the names of drafts, which go with the drafts. */
function undrafted(blames: readonly object[]): unknown {
  return blames.map(one => ({ ...one, draft: undefined }))
}

describe('gc', () => {
  it('loses nothing that can be reached, in any history', async () => {
    await fc.assert(
      fc.asyncProperty(history, async steps => {
        await using repo = await open()
        await play(repo, steps)
        const before = await everything(repo)
        await gc(repo, all)
        expect(await everything(repo)).toEqual(before)
        expect((await verify(repo)).damage).toEqual([])
        expect((await gc(repo, all)).removed).toBe(0)
      }),
      { numRuns: 12 },
    )
  })

  it.each(stores)('drops a deleted branch in %s, and leaves its entries', async (_, make) => {
    await using repo = await open(make())
    await repo.set('/a', 1, 'Kept')
    const aside = await repo.branch('aside')
    const { id } = await aside.set('/b', 'x'.repeat(500), 'Not kept')
    await repo.deleteBranch('aside')
    const head = await repo.handle.journal.log.head()
    expect(await gc(repo, { ...all, dryRun: true })).toMatchObject({ kept: 1, removed: 1 })
    expect(await repo.handle.journal.log.head()).toEqual(head)
    const report = await gc(repo, all)
    expect(report).toMatchObject({ kept: 1, removed: 1 })
    expect(report.freedBytes).toBeGreaterThan(500)
    await expect(repo.at(id).get('/b')).rejects.toMatchObject({ code: 'pack-dropped' })
    const [prune] = await repo.handle.journal.log.entries(head.seq + 1, head.seq + 1, ['text'])
    expect(JSON.parse(prune!.text)).toMatchObject({
      kind: 'prune',
      body: { commits: 1, bytes: report.freedBytes, until: head.seq },
    })
    expect((await verify(repo)).damage).toEqual([])
  })

  it('keeps for a day what nothing reaches any more, unless told otherwise', async () => {
    let now = Date.parse('2026-01-01T00:00:00Z')
    await using repo = await open(undefined, { clock: () => new Date(now) })
    await repo.set('/a', 1, 'Kept')
    const aside = await repo.branch('aside')
    await aside.set('/b', 2, 'Not kept')
    await repo.deleteBranch('aside')
    now += 60 * 60 * 1000
    expect((await gc(repo)).removed).toBe(0)
    expect((await gc(repo, { keepNewerMs: 2 * 60 * 60 * 1000 })).removed).toBe(0)
    now += 24 * 60 * 60 * 1000
    expect((await gc(repo)).removed).toBe(1)
  })

  it('keeps an open speculation until it expires, and what it began at as long', async () => {
    let now = Date.parse('2026-01-01T00:00:00Z')
    await using repo = await open(undefined, { clock: () => new Date(now) })
    await repo.set('/a', 1, 'Kept')
    const aside = await repo.branch('aside')
    await aside.set('/b', 2, 'Base')
    const speculation = await aside.speculate({ ttlMs: 1000 })
    await speculation.set('/c', 3)
    await repo.deleteBranch('aside')
    now += 999
    expect((await gc(repo, all)).removed).toBe(0)
    expect(await speculation.get('/')).toEqual({ a: 1, b: 2, c: 3 })
    now += 1
    expect((await gc(repo, all)).removed).toBe(2)
  })

  it('keeps what a landing considered, and drops the draft that it landed', async () => {
    await using repo = await open()
    await repo.set('/a', 1, 'One')
    const kept = await repo.speculate()
    const other = await repo.speculate()
    await kept.set('/a', 2)
    await other.set('/a', 3)
    await kept.commit({ description: 'Two it is', alternatives: [other] })
    expect((await gc(repo, all)).removed).toBe(1)
    const { considered } = await repo.blame('/a', { chain: true })
    expect(considered).toMatchObject([{ changes: [{ path: '/a', after: 3 }] }])
  })

  it('is refused on a repository that is read-only, where a dry run is not', async () => {
    await using repo = await open(undefined, { readOnly: true })
    await expect(gc(repo)).rejects.toMatchObject({ code: 'read-only' })
    expect(await gc(repo, { dryRun: true })).toEqual({ freedBytes: 0, kept: 0, removed: 0, trimmed: 0 })
  })
})
