/** A disk that is really full: nothing that only reads needs room, and what frees room has a reserve. */
import { execFile, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { availableSqliteDrivers, type SqliteDriverName, sqlite } from '../../src/backends/index.ts'
import { loadSqliteDriver } from '../../src/backends/sqlite/driver.ts'
import type { SqliteModule } from '../../src/backends/sqlite/module.ts'
import { compact, gc, stats, verify } from '../../src/maintenance/index.ts'
import { open, type Repository } from '../../src/repository/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'asg-full-disk-'))
afterAll(() => rmSync(folder, { recursive: true }))
let files = 0
const newFile = (): string => join(mkdtempSync(join(folder, 'disk-')), `${files++}.db`)

function bytesBeside(file: string): number {
  const inside = join(file, '..')
  return readdirSync(inside).reduce((sum, name) => sum + statSync(join(inside, name)).size, 0)
}

/** A driver on a disk of so many bytes: it commits nothing as long as the files beside the store take all of them. */
function onDiskOf(bytes: number, file: string, name: SqliteDriverName): SqliteModule {
  const { DatabaseSync } = loadSqliteDriver(name)
  const full = (): Error =>
    Object.assign(new Error('database or disk is full'), { code: 'ERR_SQLITE_ERROR', errcode: 13 })
  let isWriting = false
  const before: Readonly<Record<string, () => void>> = {
    BEGIN: () => {
      isWriting = false
    },
    'BEGIN IMMEDIATE': () => {
      isWriting = true
    },
    COMMIT: () => {
      if (isWriting && bytesBeside(file) >= bytes) throw full()
    },
  }
  class OnSmallDisk extends DatabaseSync {
    override prepare(sql: string) {
      const statement = super.prepare(sql)
      const check = before[sql]
      if (check === undefined) return statement
      const run = (): unknown => {
        check()
        return statement.run()
      }
      return new Proxy(statement, { get: (target, key) => (key === 'run' ? run : Reflect.get(target, key)) })
    }
  }
  return { DatabaseSync: OnSmallDisk }
}

/** Writes to a branch until the disk is full, and gives the ids of its commits. */
async function fill(repo: Repository): Promise<string[]> {
  const aside = await repo.branch('aside')
  const ids: string[] = []
  for (let n = 0; n < 2000; n++) {
    try {
      ids.push((await aside.set('/n', `${n} `.repeat(1000), `Fill ${n}`)).id)
    } catch (error) {
      expect(error).toMatchObject({ code: 'disk-full', hint: expect.stringContaining('gc') })
      return ids
    }
  }
  return expect.fail('it never filled up')
}

describe.each(availableSqliteDrivers())('on a full disk, with %s,', driver => {
  const capacity = 3 * 2 ** 20

  it('what only reads works without an index, and writes nothing', async () => {
    const file = newFile()
    const disk = { driver: onDiskOf(capacity, file, driver) }
    const ids = await (async () => {
      await using repo = await open(sqlite(file, disk))
      await repo.set('/kept', 1, 'Keep')
      return await fill(repo)
    })()
    expect(ids.length).toBeGreaterThan(300)
    await using repo = await open(sqlite(file, disk))
    const before = bytesBeside(file)
    expect(await repo.on('aside').get('/n')).toBe(`${ids.length - 1} `.repeat(1000))
    expect((await repo.query({ text: 'Fill', limit: 5 })).map(({ id }) => id)).toEqual(ids.slice(-5).reverse())
    expect(await repo.query({ intent: 'none' })).toEqual([])
    expect((await stats(repo)).commits).toBe(ids.length + 1)
    for (const [n, id] of ids.entries()) expect(await repo.at(id.slice(0, 16)).get('/n')).toBe(`${n} `.repeat(1000))
    expect(await verify(repo)).toMatchObject({ ok: true, damage: [] })
    expect(bytesBeside(file)).toBe(before)
    await expect(repo.set('/more', 'x'.repeat(20_000), 'More')).rejects.toMatchObject({ code: 'disk-full' })
  })

  it('gc drops what nothing needs with the room of a reserve, and there is a reserve again', async () => {
    const file = newFile()
    await using repo = await open(sqlite(file, { driver: onDiskOf(capacity, file, driver) }))
    await repo.set('/kept', 1, 'Keep')
    const ids = await fill(repo)
    expect(existsSync(`${file}-reserve`)).toBe(true)
    await repo.deleteBranch('aside')
    expect((await gc(repo, { keepNewerMs: -1 })).removed).toBe(ids.length)
    expect(existsSync(`${file}-reserve`)).toBe(true)
    expect(await verify(repo)).toMatchObject({ ok: true, damage: [] })
    const { bytesBefore, bytesAfter } = await compact(repo)
    expect(bytesBefore - bytesAfter).toBeGreaterThan(2 ** 20)
    await repo.set('/more', 'x'.repeat(20_000), 'More')
    expect(await verify(repo)).toMatchObject({ ok: true, damage: [] })
  })
})

it('a small store has no reserve, and one that is only read makes none', async () => {
  const file = newFile()
  await using repo = await open(sqlite(file))
  await repo.set('/a', 1, 'One')
  await repo.close()
  const files = readdirSync(join(file, '..'))
  expect(files.filter(name => !name.endsWith('.tail'))).toHaveLength(1)
  await using reader = await open(sqlite(file, { readOnly: true }))
  expect(await reader.get('/a')).toBe(1)
  await reader.close()
  expect(readdirSync(join(file, '..'))).toEqual(files)
})

/** Mounts a small file system in a namespace of its own, where this machine allows it. */
const inMount = ['-rm', 'sh', '-c', 'mount -t tmpfs -o size=6m tmpfs "$0" && exec "$@"', folder]
const canMount = spawnSync('unshare', [...inMount, 'true']).status === 0

it.runIf(canMount).each(['open', 'closed'])(
  'a file system without a byte left is read, collected and written again by a store that was %s',
  async how => {
    const workers = process.env['ASG_WORKERS'] ?? fileURLToPath(new URL('../processes/', import.meta.url))
    const command = [process.execPath, '--no-warnings', join(workers, 'full-disk-worker.mjs')]
    const { stdout } = await promisify(execFile)('unshare', [...inMount, ...command, JSON.stringify({ folder, how })])
    const { commits, left, ...told } = JSON.parse(stdout)
    expect(left).toBe(0)
    expect(told).toEqual({
      refused: 'disk-full',
      keyRefused: { code: 'ENOSPC', isThere: false },
      isKeyMade: true,
      query: 5,
      damage: [],
      removed: commits,
      written: { kept: 1, more: 'x'.repeat(20_000) },
      after: [],
    })
  },
)
