/** Which files the SQLite backend opens, which it refuses, and that a refused file is left as it was. */
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { sqlite } from '../../src/backends/index.ts'
import { loadSqliteDriver } from '../../src/backends/sqlite/driver.ts'
import { sampleAppend } from '../../src/testing/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'asg-open-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Runs SQL on a file of ours, past the backend. */
function runSql(file: string, sql: string): unknown {
  const database = new (loadSqliteDriver().DatabaseSync)(file)
  try {
    database.exec(sql)
    return database
      .prepare(`SELECT journal_mode, page_size, application_id, user_version
      FROM pragma_journal_mode, pragma_page_size, pragma_application_id, pragma_user_version`)
      .get()
  } finally {
    database.close()
  }
}

async function newStore(name: string): Promise<string> {
  const file = join(folder, name)
  const backend = sqlite(file)
  await backend.namespace('main').append(sampleAppend(1, 'a'))
  await backend.close()
  return file
}

function expectRefused(file: string, error: object): void {
  const before = readFileSync(file)
  expect(() => sqlite(file)).toThrow(expect.objectContaining(error))
  expect(readFileSync(file).equals(before)).toBe(true)
}

it('a new file is marked as a store, with a write-ahead log and pages of 4096 bytes', async () => {
  const file = await newStore('new.db')
  expect(runSql(file, '')).toEqual({
    journal_mode: 'wal',
    page_size: 4096,
    application_id: 0x41534773,
    user_version: 2,
  })
})

it('a closed store is whole in its one file', async () => {
  const file = await newStore('closed.db')
  const copy = join(folder, 'copy.db')
  copyFileSync(file, copy)
  await using backend = sqlite(copy)
  expect(await backend.namespace('main').head()).toEqual({ seq: 1, time: 1 })
})

it('an empty file becomes a store', async () => {
  const file = join(folder, 'empty.db')
  writeFileSync(file, '')
  await using backend = sqlite(file)
  expect(await backend.namespaces()).toEqual([])
})

it.each([1, 7])('a store of layout %d is refused, naming both', async found => {
  const file = await newStore(`layout-${found}.db`)
  runSql(file, `PRAGMA user_version = ${found}`)
  expectRefused(file, { code: 'format-unsupported', data: { file, found, supported: 2 } })
})

it.each([
  ['tables', 'CREATE TABLE notes (text)'],
  ['a name of its own', 'PRAGMA application_id = 252006674; CREATE TABLE notes (text)'],
  ['a version of its own', 'PRAGMA user_version = 3'],
])('a SQLite database with %s is refused as that of another application', (what, sql) => {
  const file = join(folder, `other with ${what}.db`)
  runSql(file, sql)
  expectRefused(file, { code: 'not-a-store', data: { file, found: 'a SQLite database of another application' } })
})

it('a file that is no database is refused', () => {
  const file = join(folder, 'letter.txt')
  writeFileSync(file, 'Dear reader, '.repeat(1000))
  expectRefused(file, { code: 'not-a-store', data: { file, found: 'no SQLite database' } })
})

it('a file that cannot be made is refused, naming it', () => {
  const file = join(folder, 'no such folder', 'a.db')
  expect(() => sqlite(file)).toThrow(
    expect.objectContaining({ code: 'store-failed', data: expect.objectContaining({ file }) }),
  )
})

it.each([':memory:', ''])('the name %j, which means no file to SQLite, is refused', name => {
  expect(() => sqlite(name)).toThrow(expect.objectContaining({ code: 'store-failed' }))
})

it('the file keeps its meaning when the process changes its folder', async () => {
  const before = process.cwd()
  process.chdir(folder)
  try {
    const backend = sqlite('relative.db')
    process.chdir(before)
    await backend.namespace('main').append(sampleAppend(1, 'a'))
    await backend.close()
  } finally {
    process.chdir(before)
  }
  await using again = sqlite(join(folder, 'relative.db'))
  expect(await again.namespaces()).toEqual(['main'])
})

it('a file that had as many namespaces as it can number takes no more, and says so', async () => {
  const file = await newStore('full.db')
  runSql(file, `UPDATE namespaces SET id = ${2 ** 17 - 1}; UPDATE entries SET id = ${(2 ** 17 - 1) * 2 ** 36 + 1}`)
  await using backend = sqlite(file)
  await expect(backend.namespace('more').append(sampleAppend(1, 'a'))).rejects.toMatchObject({
    code: 'namespaces-full',
  })
  expect(await backend.namespace('main').append(sampleAppend(1, 'b'))).toEqual({ kind: 'done', first: 2 })
})
