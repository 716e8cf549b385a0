/** A folder of bounded size: full, it refuses and keeps all it has; what frees room is never refused. */
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { availableSqliteDrivers, cache, disk, sqlite } from '../../src/backends/index.ts'
import { loadSqliteDriver } from '../../src/backends/sqlite/driver.ts'
import type { SqliteStatement } from '../../src/backends/sqlite/module.ts'
import { gc, verify } from '../../src/maintenance/index.ts'
import { open, type Repository } from '../../src/repository/index.ts'
import { runWorkers } from '../processes/worker-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'asg-disk-'))
afterAll(() => rmSync(folder, { recursive: true }))
let folders = 0
const newFolder = (): string => join(folder, 'made on demand', `${folders++}`)
const maxBytes = 2 ** 20
const text = (n: number): string => `${n} `.repeat(4000)

function bytesIn(inside: string): number {
  return readdirSync(inside).reduce((sum, name) => sum + statSync(join(inside, name)).size, 0)
}

/** How often room was made. */
async function prunesOf(repo: Repository): Promise<number> {
  const { log } = repo.handle.journal
  const entries = await log.entries(1, (await log.head()).seq, ['text'])
  return entries.filter(entry => JSON.parse(entry.text).kind === 'prune').length
}

/** Writes until it is refused; gives how many writes went through, and the refusal. */
async function fill(repo: Repository, path = '/n', value = text): Promise<{ count: number; refusal: unknown }> {
  for (let count = 0; count < 1000; count++) {
    try {
      await repo.set([...path.slice(1).split('/'), String(count)], value(count), 'Fill')
    } catch (refusal) {
      return { count, refusal }
    }
  }
  throw new Error('it never filled up')
}

describe.each(availableSqliteDrivers())('a full store with %s', driver => {
  it('refuses the next write with the remedies, stays within its bytes, and reads as before', async () => {
    const inside = newFolder()
    await using repo = await open(disk(inside, { maxBytes, driver }))
    const { count, refusal } = await fill(repo)
    expect(count).toBeGreaterThan(10)
    expect(refusal).toMatchObject({
      code: 'store-full',
      data: { file: join(inside, 'state.db'), maxBytes, usedBytes: expect.any(Number) },
      hint: expect.stringMatching(/maxBytes.*gc/),
    })
    expect(bytesIn(inside)).toBeLessThanOrEqual(maxBytes + 65_536)
    for (let n = 0; n < count; n++) expect(await repo.get(['n', String(n)])).toBe(text(n))
    expect((await repo.log()).length).toBe(count)
    expect(await repo.query({ text: 'Fill', limit: 5 })).toHaveLength(5)
    expect((await repo.blame('/n/0')).value).toBe(text(0))
    expect((await verify(repo)).damage).toEqual([])
  })

  it('takes writes again after what is not needed was let go and collected, and never lost the rest', async () => {
    await using repo = await open(disk(newFolder(), { maxBytes, driver }))
    await repo.set('/kept', text(7), 'Keep')
    await repo.tag('first')
    const aside = await repo.branch('aside')
    const { count } = await fill(aside, '/aside')
    await expect(repo.set('/more', text(8).repeat(4), 'More')).rejects.toMatchObject({ code: 'store-full' })
    await repo.deleteBranch('aside')
    expect((await gc(repo, { keepNewerMs: -1 })).removed).toBe(count)
    await repo.set('/more', text(8), 'More')
    expect(await repo.get('/')).toEqual({ kept: text(7), more: text(8) })
    expect(await repo.at('first').get('/kept')).toBe(text(7))
    expect((await verify(repo)).damage).toEqual([])
  })
})

describe.each(['disk', 'a cache over it'])('a retention of %s', kind => {
  const opened = async (): Promise<Repository> => {
    const store = disk(newFolder(), { maxBytes, retention: { keepNewerMs: -1 } })
    return open(kind === 'disk' ? store : cache(store))
  }

  it('lets a write to a full store first drop what nothing reaches, and never what is reachable', async () => {
    await using repo = await opened()
    const { id } = await repo.set('/kept', text(7), 'Keep')
    await repo.tag('first')
    for (let round = 0; round < 4; round++) {
      const aside = await repo.branch('aside')
      for (let n = 0; n < 25; n++) await aside.set(['aside', String(n)], text(100 * round + n), 'Try')
      await repo.deleteBranch('aside')
    }
    expect(await prunesOf(repo)).toBeGreaterThan(0)
    const { count, refusal } = await fill(repo)
    expect(refusal).toMatchObject({ code: 'store-full', hint: expect.stringContaining('retention') })
    for (let n = 0; n < count; n++) expect(await repo.get(['n', String(n)])).toBe(text(n))
    for (const revision of ['first', id]) expect(await repo.at(revision).get('/kept')).toBe(text(7))
    expect((await verify(repo)).damage).toEqual([])
  })

  it('does not drop what a write is about to point to, to make room for it', async () => {
    await using repo = await opened()
    await repo.set('/kept', text(7), 'Keep')
    const aside = await repo.branch('aside')
    const { id } = await aside.set('/aside', text(8), 'Aside')
    const junk = await repo.branch('junk')
    await fill(junk)
    await fill(junk, '/small', String)
    await repo.deleteBranch('aside')
    await repo.deleteBranch('junk')
    expect(await prunesOf(repo)).toBe(0)
    await repo.merge(id, 'Bring it back')
    expect(await prunesOf(repo)).toBe(1)
    expect(await repo.get('/')).toEqual({ kept: text(7), aside: text(8) })
    expect((await verify(repo)).damage).toEqual([])
  })
})

it('is full for everybody who opened it so, and has room for one with a larger bound', async () => {
  const inside = newFolder()
  await using ours = await open(disk(inside, { maxBytes }))
  await using theirs = await open(disk(inside, { maxBytes }))
  await fill(ours)
  await expect(theirs.set('/m', text(12_345), 'Theirs')).rejects.toMatchObject({ code: 'store-full' })
  await using larger = await open(disk(inside, { maxBytes: 2 * maxBytes }))
  await larger.set('/m', text(1), 'Larger')
  expect(await theirs.get('/m')).toBe(text(1))
})

it('processes that fill it together stop at its bound, and all they were told is kept', async () => {
  const inside = newFolder()
  await open(disk(inside, { maxBytes })).then(repo => repo.close())
  const names = ['a', 'b', 'c']
  const said = await runWorkers(
    'fill-worker.mjs',
    names.map(name => ({ folder: inside, maxBytes, name })),
  )
  expect(said.flat()).toMatchObject(names.map(name => ({ name, code: 'store-full' })))
  expect(bytesIn(inside)).toBeLessThanOrEqual(maxBytes + 65_536)
  await using repo = await open(disk(inside, { maxBytes }))
  for (const { name, count } of said.flat() as { name: string; count: number }[]) {
    expect(await repo.list([name])).toHaveLength(count)
  }
  expect((await verify(repo)).damage).toEqual([])
})

it('opens again when it is full, also with a smaller bound, and can be read', async () => {
  const inside = newFolder()
  const { count } = await (async () => {
    await using repo = await open(disk(inside, { maxBytes: 2 * maxBytes }))
    return await fill(repo)
  })()
  await using repo = await open(disk(inside, { maxBytes }))
  expect(await repo.get(['n', String(count - 1)])).toBe(text(count - 1))
  await expect(repo.set('/m', text(1), 'More')).rejects.toMatchObject({ code: 'store-full' })
})

it('of appends made durable together, only those without room are refused', async () => {
  await using repo = await open(disk(newFolder(), { maxBytes }), { durability: 'group' })
  await fill(repo)
  const settled = await Promise.allSettled([
    repo.on('main').set('/large', 'x'.repeat(500_000), 'Large'),
    repo.set('/small', 1, 'Small'),
  ])
  expect(settled[0]).toMatchObject({ status: 'rejected', reason: { code: 'store-full' } })
  for (const one of settled) if (one.status === 'rejected') expect(one.reason.code).toBe('store-full')
  expect(await repo.find('/large')).toBeUndefined()
})

it('a full disk is called that, and nothing was written', async () => {
  const { DatabaseSync } = loadSqliteDriver()
  class OnSmallDisk extends DatabaseSync {
    override prepare(sql: string): SqliteStatement {
      if (sql === 'BEGIN') this.exec('PRAGMA store.max_page_count = 60')
      return super.prepare(sql)
    }
  }
  const file = join(folder, 'small-disk.db')
  await using repo = await open(sqlite(file, { driver: { DatabaseSync: OnSmallDisk } }))
  await repo.set('/a', 1, 'One')
  await expect(repo.set('/b', 'x'.repeat(1e6), 'Large')).rejects.toMatchObject({
    code: 'disk-full',
    data: { file },
    hint: expect.stringContaining('Make room'),
  })
  expect(await repo.get('/')).toEqual({ a: 1 })
})

it('a bound too small for a store, a retention without a time, and a folder that is a file, are refused', () => {
  const invalid = expect.objectContaining({ code: 'option-invalid' })
  expect(() => disk(newFolder(), { maxBytes: 1000 })).toThrow(invalid)
  expect(() => disk(newFolder(), { retention: { keepNewerMs: Number.NaN } })).toThrow(invalid)
  const file = join(folder, 'a file')
  writeFileSync(file, '')
  expect(() => disk(file)).toThrow(expect.objectContaining({ code: 'store-failed' }))
})
