/** Push and pull: the same commits on both sides, whatever holds them; nothing lost, nothing believed. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { gc, pull, push, verify } from '../../src/maintenance/index.ts'
import { type Commit, open, type Repository } from '../../src/repository/index.ts'
import { history, play } from './support/histories.ts'
import { stores } from './support/stores.ts'

const steps = [
  [16, 0, 2, 11],
  [0, 1, 0, 0],
  [14, 1, 5, 6],
  [17, 0, 6, 4],
  [2, 0, 0, 1],
  [11, 0, 4, 4],
] as const

/** What must be the same on both sides: everything but sequence numbers, and what drafts were called where they were made. */
async function told(repo: Repository, branch: string): Promise<unknown> {
  const on = repo.on(branch)
  const unnumbered = ({ seq: _, draft, ...rest }: Commit & { draft?: unknown }): unknown => ({
    ...rest,
    isDraft: draft !== undefined,
  })
  return {
    log: (await on.log()).map(unnumbered),
    state: await on.get('/'),
    blame: (await on.blameTree('/')).map(unnumbered),
  }
}

async function branchesOf(repo: Repository): Promise<readonly string[]> {
  return (await repo.branches()).map(({ name }) => name)
}

const pairs = stores.flatMap(([from, a]) => stores.map(([to, b]) => [from, to, a, b] as const))

describe('push', () => {
  it.each(pairs)('from %s to %s brings commits, states and blame', async (_from, _to, a, b) => {
    await using source = await open(a())
    await using target = await open(b())
    await play(source, steps)
    const { refs } = await push(source, target)
    expect(refs).toEqual((await branchesOf(source)).map(name => ({ name, kind: 'created' })))
    for (const { name } of refs) expect(await told(target, name)).toEqual(await told(source, name))
    expect((await verify(target)).damage).toEqual([])
    expect((await push(source, target)).refs).toEqual(refs.map(({ name }) => ({ name, kind: 'up-to-date' })))
  })

  it('of any history leaves a whole one, in one go or in two', async () => {
    await fc.assert(
      fc.asyncProperty(history, history, async (first, second) => {
        await using source = await open()
        await using target = await open()
        await play(source, first)
        await push(source, target)
        await play(source, second)
        // A branch that was deleted and made anew went another way, and then stays as it was.
        const { refs } = await push(source, target)
        for (const { name, kind } of refs) {
          if (kind !== 'diverged') expect(await told(target, name)).toEqual(await told(source, name))
        }
        expect((await verify(target)).damage).toEqual([])
      }),
      { numRuns: 6 },
    )
  })

  it('sends only the branches named, and tells how far it is', async () => {
    await using source = await open()
    await using target = await open()
    await play(source, steps)
    const seen: { done: number; total?: number }[] = []
    const { refs } = await push(source, target, { branches: ['main'], onProgress: step => seen.push(step) })
    expect(refs).toEqual([{ name: 'main', kind: 'created' }])
    expect(await branchesOf(target)).toEqual(['main'])
    // Those of main, and the drafts that it was merged from.
    expect(seen.at(-1)).toEqual({ done: 8, total: 8 })
    expect(seen.map(({ done }) => done)).toEqual(seen.map(({ done }) => done).toSorted((a, b) => a - b))
    await expect(push(source, target, { branches: ['mian'] })).rejects.toMatchObject({ code: 'ref-not-found' })
  })

  it('says in each entry where the commit came from', async () => {
    await using source = await open(undefined, { ids: () => 'the-origin' })
    await using target = await open()
    await source.set('/a', 1, 'One')
    await push(source, target)
    const [, entry] = await target.handle.journal.log.entries(1, 2, ['text'])
    expect(JSON.parse(entry!.text).body).toEqual({ via: { origin: 'the-origin', seq: 2 } })
  })

  it('keeps what a landed speculation considered readable', async () => {
    await using source = await open()
    await using target = await open()
    await source.set('/a', 1, 'One')
    const kept = await source.speculate({ label: 'kept' })
    const other = await source.speculate({ label: 'other' })
    await kept.set('/a', 2)
    await other.set('/a', 3)
    await kept.commit({ description: 'Two it is', alternatives: [other] })
    await push(source, target)
    expect((await target.query({})).map(({ intent }) => intent.description)).toEqual(['Two it is', 'One'])
    const { considered } = await target.blame('/a', { chain: true })
    expect(considered.map(({ changes }) => changes)).toEqual([[expect.objectContaining({ path: '/a', after: 3 })]])
  })

  it('brings again what was dropped there, and it is found by its id', async () => {
    await using source = await open()
    await using target = await open()
    await source.set('/a', 1, 'One')
    const aside = await source.branch('aside')
    const { id } = await aside.set('/b', 2, 'Two')
    await push(source, target)
    await target.deleteBranch('aside')
    expect((await gc(target, { keepNewerMs: -1 })).removed).toBe(1)
    await expect(target.at(id).get('/b')).rejects.toMatchObject({ code: 'pack-dropped' })
    await target.set('/c', 3, 'Three')
    await push(source, target, { branches: ['aside'] })
    expect(await target.at(id).get('/')).toEqual({ a: 1, b: 2 })
    await target.merge('aside', 'Take it')
    expect(await target.get('/')).toEqual({ a: 1, b: 2, c: 3 })
    expect((await verify(target)).damage).toEqual([])
  })

  it('to a repository that is read-only is refused', async () => {
    await using source = await open()
    await using target = await open(undefined, { readOnly: true })
    await source.set('/a', 1, 'One')
    await expect(push(source, target)).rejects.toMatchObject({ code: 'read-only' })
  })
})

describe('two repositories that went different ways', () => {
  async function diverged(ours: [string, unknown], theirs: [string, unknown]): Promise<[Repository, Repository]> {
    const a = await open()
    const b = await open()
    await a.set('/shared', 1, 'Shared')
    await push(a, b)
    await a.set(ours[0], ours[1], 'Ours')
    await b.set(theirs[0], theirs[1], 'Theirs')
    return [a, b]
  }

  it('stay as they are without merge, and say so', async () => {
    const [a, b] = await diverged(['/a', 1], ['/b', 2])
    const before = await a.head()
    expect(await pull(a, b)).toEqual({ refs: [{ name: 'main', kind: 'diverged' }] })
    expect((await a.head()).id).toBe(before.id)
  })

  it('come together with merge, and the other then only moves forward', async () => {
    const [a, b] = await diverged(['/a', 1], ['/b', 2])
    expect(await pull(a, b, { merge: true })).toEqual({ refs: [{ name: 'main', kind: 'merged' }] })
    expect(await a.get('/')).toEqual({ shared: 1, a: 1, b: 2 })
    expect((await a.blame('/b')).id).toBe((await b.head()).id)
    expect(await pull(b, a)).toEqual({ refs: [{ name: 'main', kind: 'fast-forward' }] })
    expect((await b.head()).id).toBe((await a.head()).id)
    expect((await verify(a)).damage).toEqual([])
    expect((await verify(b)).damage).toEqual([])
  })

  it('conflict as branches do, and nothing moves', async () => {
    const [a, b] = await diverged(['/x', 1], ['/x', 2])
    const before = await a.head()
    await expect(pull(a, b, { merge: true })).rejects.toMatchObject({ code: 'merge-conflict' })
    expect((await a.head()).id).toBe(before.id)
  })
})
