/** docs/format.md says what a store holds: the tables on the page are those of a new store. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { kvBackend } from '../../src/backends/index.ts'
import { reindex } from '../../src/maintenance/index.ts'
import { open } from '../../src/repository/index.ts'
import { memoryKV } from '../../src/testing/index.ts'
import { newFile, openRaw } from '../store/support/sqlite-file.ts'

const page = readFileSync(new URL('../../../../docs/format.md', import.meta.url), 'utf8')

/** The cells of the table rows in a section, without the quotes of code. */
function rowsOf(section: string): string[][] {
  const start = page.indexOf(`\n## ${section}\n`)
  expect(start).toBeGreaterThan(0)
  const end = page.indexOf('\n## ', start + 1)
  const lines = page.slice(start, end < 0 ? undefined : end).split('\n')
  const rows = lines.filter(line => line.startsWith('| ')).map(line => line.split('|').slice(1, -1))
  return rows.map(cells => cells.map(cell => cell.trim().replace(/^`|`$/g, '')))
}

async function newDatabase() {
  const file = newFile()
  const repo = await open(file)
  await repo.set('/a', 1, 'Begin')
  await repo.close()
  return openRaw(file)
}

interface Column {
  readonly name: string
  readonly type: string
  readonly pk: number
  readonly notnull: number
}

it('the tables and columns of SQLite', async () => {
  const database = await newDatabase()
  const tables = database.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'table' ORDER BY rowid").all()
  const stored = (tables as { name: string; sql: string }[]).flatMap(({ name: table, sql }) => {
    expect(sql).toMatch(/STRICT/)
    const columns = database.prepare(`PRAGMA table_info(${table})`).all() as unknown as Column[]
    return columns.map(({ name, type, pk, notnull }, place) => ({
      table,
      name,
      type,
      key: pk === 0 ? '' : String(pk),
      mayBeNull: notnull === 0 && pk === 0,
      isWithoutRowId: place === 0 && sql.includes('WITHOUT ROWID'),
    }))
  })
  database.close()
  let table = ''
  const told = rowsOf('SQLite')
    .slice(1)
    .map(([first, name, type, key, none, holds]) => {
      if (first !== '') table = first!
      return { table, name, type, key, mayBeNull: none === 'null', isWithoutRowId: holds!.includes('without row id') }
    })
  expect(told).toEqual(stored)
})

it('the indexes, the version and the header of SQLite', async () => {
  const database = await newDatabase()
  const indexes = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL").all()
  const [version, application, pageSize, mode] = ['user_version', 'application_id', 'page_size', 'journal_mode'].map(
    name => Object.values(database.prepare(`PRAGMA ${name}`).get() as object)[0] as number | string,
  )
  database.close()
  const text = page.slice(page.indexOf('\n## SQLite\n')).replaceAll('\n', ' ')
  expect(text).toContain(`\`application_id\` 0x${application!.toString(16)} `)
  expect(text).toContain(`\`user_version\`, the version of this layout: ${version}.`)
  expect(text).toContain(`page size is ${pageSize} and the journal mode is \`${mode}\``)
  expect([...text.matchAll(/unique index `(\w+)`/g)].map(([, name]) => ({ name }))).toEqual(indexes)
})

it('the keys of key-value stores', async () => {
  const content = new Map<string, Uint8Array>()
  const repo = await open(kvBackend(memoryKV(content)), { namespace: 'a/b~c' })
  await repo.set('/a', 'x'.repeat(70_000), { description: 'Begin', idempotencyKey: 'once' })
  await reindex(repo)
  await repo.close()
  const log = kvBackend(memoryKV(content)).namespace('a/b~c')
  await log.index!.hashes.add({ from: 0, to: 1, hashes: [{ level: 0, index: 0, hash: new Uint8Array(32) }] })
  const told = rowsOf('Key-value stores')
    .slice(1)
    .map(([key]) => key!)
  const shapes = told.map(
    key =>
      new RegExp(
        `^${key
          .replace('<namespace>', 'a~1b~0c')
          .replace(/<seq>|<first>/g, '\\d+')
          .replace('<commit id>', '[0-9a-f]{64}')
          .replace(/<\w+>/g, '.*')}$`,
      ),
  )
  for (const key of content.keys())
    expect(
      shapes.filter(shape => shape.test(key)),
      key,
    ).toHaveLength(1)
  for (const shape of shapes) expect([...content.keys()].some(key => shape.test(key))).toBe(true)
})
