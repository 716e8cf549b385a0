/** A filtered log gives what a walk over every commit gives, and reads little of a straight history. */
import { describe, expect, it } from 'vitest'
import { memory } from '../../src/backends/index.ts'
import { type CommitFilter, open, type Repository } from '../../src/repository/index.ts'
import { stretchEntries } from '../../src/store/index.ts'
import { wrapped } from '../store/support/wrapped-backend.ts'
import { queryStores } from './support/query-stores.ts'

const filters: readonly CommitFilter[] = [
  { path: '/rare' },
  { path: '/n/3' },
  { path: '/n/**' },
  { agent: 'agent/1' },
  { agent: 'agent/nobody' },
  { text: 'rare', firstParent: true },
  { agent: 'agent/2', path: '/n', order: 'oldest' },
]

async function write(repo: Repository, from: number, to: number): Promise<void> {
  for (let n = from; n < to; n++) {
    const path = n % 97 === 0 ? '/rare' : `/n/${n % 10}`
    await repo.as(`agent/${n % 3}`).set(path, n, n % 97 === 0 ? `A rare write ${n}` : `Write ${n}`)
  }
}

/** Long lines, and all that bends them: merges, resets, renames, branches of branches. */
async function bentHistory(repo: Repository): Promise<void> {
  await write(repo, 0, 100)
  const side = await repo.branch('side')
  await write(side, 1000, 1070)
  await write(repo, 150, 220)
  await repo.merge('side', 'Bring the side')
  await write(repo, 240, 350)
  await repo.as('agent/1').undo()
  await write(repo, 350, 430)
  await repo.deleteBranch('side')
  const again = await repo.branch('side', { from: (await repo.log({ limit: 110 })).at(-1)!.id })
  await write(again, 2000, 2090)
  await repo.renameBranch('side', 'other')
  await write(repo.on('other'), 2090, 2180)
}

describe.each(queryStores)('on %s', (_name, newStore) => {
  it('a filtered log gives what a walk over every commit gives, also in pages', async () => {
    await using repo = await open(newStore(), { policies: { '/**': 'theirs' } })
    await bentHistory(repo)
    await repo.handle.shared.index!.flush()
    for (const branch of ['main', 'other']) {
      const at = repo.on(branch)
      const all = await at.log()
      for (const filter of filters) {
        const matching = new Set((await repo.query({ ...filter, firstParent: undefined })).map(({ id }) => id))
        const walked = filter.firstParent === true ? await at.log({ firstParent: true }) : all
        const expected = walked.map(({ id }) => id).filter(id => matching.has(id))
        if (filter.order === 'oldest') expected.reverse()
        expect((await at.log(filter)).map(({ id }) => id)).toEqual(expected)
        const paged: string[] = []
        for (let after: string | undefined; ; ) {
          const { items, next } = await at.log(filter).page({ limit: 7, after })
          paged.push(...items.map(({ id }) => id))
          if (next === undefined) break
          after = next
        }
        expect(paged).toEqual(expected)
      }
    }
  })
})

it('a filtered log of a straight history reads what it gives, and what is not indexed', async () => {
  let entries = 0
  const backend = wrapped(memory(), log => ({
    ...log,
    sync: undefined,
    async entries(from, to, columns) {
      const found = await log.entries(from, to, columns)
      entries += found.length
      return found
    },
  }))
  await using repo = await open(backend)
  await write(repo, 0, 8 * stretchEntries)
  await repo.handle.shared.index!.flush()
  for (const [filter, count] of [
    [{ path: '/rare' }, 11],
    [{ agent: 'agent/nobody' }, 0],
  ] as const) {
    repo.handle.journal.recent.clear()
    entries = 0
    expect(await repo.log(filter)).toHaveLength(count)
    expect(entries).toBeLessThan(count + 40)
  }
})
