/** Compacting: what is no longer used goes back to the file system, and nothing else changes, for nobody. */
import { statSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { access } from '../../src/access/index.ts'
import { availableSqliteDrivers, cache, disk, sqlite } from '../../src/backends/index.ts'
import { compact, gc, verify } from '../../src/maintenance/index.ts'
import { open, type Repository } from '../../src/repository/index.ts'
import { newFile } from '../store/support/sqlite-file.ts'

/** A repository that has lost more than half of what it held. */
async function collected(repo: Repository): Promise<unknown> {
  await repo.set('/kept', 'x'.repeat(100_000), 'Keep')
  const aside = await repo.branch('aside')
  for (let n = 0; n < 40; n++) await aside.set(['n', String(n)], `${n} `.repeat(10_000), 'Aside')
  await repo.deleteBranch('aside')
  await gc(repo, { keepNewerMs: -1 })
  return everything(repo)
}

async function everything(repo: Repository): Promise<unknown> {
  return [await repo.get('/'), await repo.log(), await repo.blameTree('/'), await repo.query({ text: 'Keep' })]
}

describe.each(availableSqliteDrivers())('with %s', driver => {
  it('the file shrinks to what is used, and every handle reads and writes as before', async () => {
    const file = newFile()
    await using repo = await open(sqlite(file, { driver }))
    await using other = await open(sqlite(file, { driver }))
    const before = await collected(repo)
    expect(await everything(other)).toEqual(before)
    const { bytesBefore, bytesAfter } = await compact(repo)
    expect(bytesAfter).toBeLessThan(bytesBefore / 2)
    expect(statSync(file).size).toBe(bytesAfter)
    for (const one of [repo, other]) expect(await everything(one)).toEqual(before)
    await other.set('/more', 1, 'More')
    await repo.set('/still', 2, 'Still')
    expect(await other.get('/still')).toBe(2)
    expect(await verify(repo)).toMatchObject({ ok: true, damage: [] })
    expect((await compact(other)).bytesAfter).toBeLessThanOrEqual(bytesAfter + 65_536)
  })
})

it('writes of others wait, and none is lost', async () => {
  const file = newFile()
  await using repo = await open(sqlite(file))
  await using other = await open(sqlite(file))
  await collected(repo)
  const writes = Array.from({ length: 30 }, (_, n) => other.set(['w', String(n)], n, 'Beside'))
  await Promise.all([compact(repo), ...writes])
  expect(await other.list('/w').count()).toBe(30)
  expect(await verify(repo)).toMatchObject({ ok: true, damage: [] })
})

it('a bounded folder and a cache over it are compacted too', async () => {
  await using repo = await open(cache(disk(`${newFile()}-folder`, { maxBytes: 20e6 })))
  const before = await collected(repo)
  const { bytesBefore, bytesAfter } = await compact(repo)
  expect(bytesAfter).toBeLessThan(bytesBefore / 2)
  expect(await everything(repo)).toEqual(before)
})

it('is refused without a file, when reading only, and for all but the operator', async () => {
  await using memory = await open()
  await expect(compact(memory)).rejects.toMatchObject({ code: 'compact-unsupported' })
  const file = newFile()
  await using repo = await open(file)
  await repo.set('/a', 1, 'One')
  await using reader = await open(file, { readOnly: true })
  await expect(compact(reader)).rejects.toMatchObject({ code: 'read-only' })
  const { key } = await access(repo).addPrincipal('agent/writer', 'agent')
  await access(repo).grant('agent/writer', { capabilities: ['admin', 'read'] })
  await expect(compact(await access(repo).authenticate(key))).rejects.toMatchObject({ code: 'operator-only' })
})
