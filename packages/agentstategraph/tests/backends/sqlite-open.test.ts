/** Which files the SQLite backend opens, which it refuses, and that a refused file is left as it was. */
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { sqlite } from '../../src/backends/index.ts'
import { loadSqliteDriver } from '../../src/backends/sqlite/driver.ts'
import { sqliteFormat } from '../../src/backends/sqlite/tables.ts'
import { verify } from '../../src/maintenance/index.ts'
import { rootAt } from '../../src/repo/log/merkle-log.ts'
import { open, type Repository } from '../../src/repository/index.ts'
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

it('a new file is marked as a store, with a write-ahead log and pages of 8192 bytes', async () => {
  const file = await newStore('new.db')
  expect(runSql(file, '')).toEqual({
    journal_mode: 'wal',
    page_size: 8192,
    application_id: 0x41534773,
    user_version: sqliteFormat,
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

it.each([
  [sqliteFormat + 6, 'Upgrade the library'],
  [sqliteFormat - 1, 'Export it with the version that wrote it'],
])('a store of format %i is refused, naming both formats and what to do', async (found, remedy) => {
  const file = await newStore(`format ${found}.db`)
  runSql(file, `PRAGMA user_version = ${found}`)
  expectRefused(file, {
    code: 'format-unsupported',
    data: { file, found, supported: sqliteFormat },
    hint: expect.stringContaining(remedy),
  })
})

it.each([
  ['lacks a table', 'refs', 'DROP TABLE refs'],
  ['lacks a column', 'entries', 'ALTER TABLE entries DROP COLUMN later'],
  ['has a column more', 'namespaces', 'ALTER TABLE namespaces ADD COLUMN more INTEGER'],
  ['lacks an index', 'parts_by_entry', 'DROP INDEX parts_by_entry'],
  ['has another derived table', 'hashes', 'ALTER TABLE hashes RENAME COLUMN place TO position'],
])('a store that %s is refused by the name of that table', async (what, table, sql) => {
  const file = await newStore(`layout ${what}.db`)
  runSql(file, sql)
  expectRefused(file, {
    code: 'format-unsupported',
    data: { file, found: sqliteFormat, supported: sqliteFormat, table },
  })
})

/** What the derived tables are for: finding ids, queries, and roots of the Merkle log. */
async function derivedAnswers(repo: Repository): Promise<unknown> {
  const { journal } = repo.handle
  return {
    found: await repo.at((await repo.at('first').head()).id.slice(0, 10)).get('/n'),
    queried: (await repo.query({ agent: 'agent/other' })).length,
    root: Buffer.from(await journal.run(rootAt(journal, 300))).toString('hex'),
    verified: await verify(repo),
  }
}

/** A store that is longer than what is scanned without an index, and its answers. */
async function longStore(): Promise<{ readonly file: string; readonly answers: unknown }> {
  const file = join(folder, 'long.db')
  await using repo = await open(file)
  await repo.set('/n', 0, 'First')
  await repo.tag('first')
  for (let n = 1; n <= 300; n++) await repo.as(n % 7 === 0 ? { agent: 'agent/other' } : {}).set('/n', n, `Write ${n}`)
  return { file, answers: await derivedAnswers(repo) }
}

const derived = ['ids', 'terms', 'counts', 'hashes']

it('derived tables that are missing, each alone or all of them, are made when a store is opened', async () => {
  const { file, answers } = await longStore()
  for (const lost of [...derived.map(table => [table]), derived]) {
    const copy = join(folder, `without ${lost.join(' ')}.db`)
    copyFileSync(file, copy)
    runSql(copy, lost.map(table => `DROP TABLE ${table};`).join(''))
    await using repo = await open(copy)
    expect([lost, await derivedAnswers(repo)]).toEqual([lost, answers])
  }
})

it('a file that a newer library took over while it was open is no longer written, and says why', async () => {
  const file = await newStore('taken over.db')
  await using backend = sqlite(file)
  const log = backend.namespace('main')
  expect(await log.append(sampleAppend(1, 'b'))).toEqual({ kind: 'done', first: 2 })
  runSql(file, `PRAGMA user_version = ${sqliteFormat + 1}`)
  const refusal = { code: 'format-unsupported', data: { file, found: sqliteFormat + 1, supported: sqliteFormat } }
  await expect(log.append(sampleAppend(1, 'c'))).rejects.toMatchObject(refusal)
  await expect(backend.namespace('main', { durability: 'group' }).append(sampleAppend(1, 'c'))).rejects.toMatchObject(
    refusal,
  )
  await expect(backend.dropNamespace('main')).rejects.toMatchObject(refusal)
  expect(await log.head()).toEqual({ seq: 2, time: 1 })
  runSql(file, 'DROP TABLE refs')
  await expect(log.ref('main')).rejects.toMatchObject(refusal)
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

it('a file that cannot be made is refused, naming it and what is in the way', () => {
  const missing = join(folder, 'no such folder')
  const ways = [
    [join(missing, 'a.db'), `there is no folder "${missing}"`],
    [folder, 'it is a folder'],
  ] as const
  for (const [file, reason] of ways)
    expect(() => sqlite(file)).toThrow(expect.objectContaining({ code: 'store-failed', data: { file, reason } }))
})

it.each([':memory:', ''])('the name %j, which means no file to SQLite, is refused', name => {
  expect(() => sqlite(name)).toThrow(
    expect.objectContaining({ code: 'option-invalid', message: expect.stringContaining('open() without a name') }),
  )
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
  const last = 2 ** 17 - 1
  runSql(file, `UPDATE namespaces SET id = ${last}; UPDATE refs SET namespace = ${last}`)
  runSql(file, `UPDATE entries SET id = ${last * 2 ** 36 + 1}`)
  await using backend = sqlite(file)
  await expect(backend.namespace('more').append(sampleAppend(1, 'a'))).rejects.toMatchObject({
    code: 'namespaces-full',
  })
  expect(await backend.namespace('main').append(sampleAppend(1, 'b'))).toEqual({ kind: 'done', first: 2 })
})
