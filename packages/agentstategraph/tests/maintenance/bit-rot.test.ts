/**
 * Bit rot: one flipped bit anywhere in a store gives right answers or errors that name the damage, and `verify` sees it
 * wherever it changes a cell.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { sqlite } from '../../src/backends/index.ts'
import { kvBackend } from '../../src/backends/kv/kv-backend.ts'
import type { SqliteDatabase } from '../../src/backends/sqlite/module.ts'
import { memoryKV } from '../../src/testing/index.ts'
import { seeded } from '../store/support/seeded.ts'
import { newFile, openRaw } from '../store/support/sqlite-file.ts'
import { type Answers, answersOf, expectRightOrNamed, writeHistory } from './support/questions.ts'

const isSoak = process.env['ASG_SOAK'] === '1'
const flips = (soak: number): number => (isSoak ? soak : Math.ceil(soak / 25))

type Random = () => number

const below = (random: Random, end: number): number => Math.floor(random() * end)

function flipBit(bytes: Uint8Array, place: number, bit: number): Uint8Array {
  const flipped = bytes.slice()
  flipped[place]! ^= 1 << bit
  return flipped
}

interface Sample {
  readonly file: Uint8Array
  readonly right: Answers
}

describe('in a SQLite store', () => {
  let made: Promise<Sample> | undefined
  const sample = (): Promise<Sample> => (made ??= makeSample())

  async function makeSample(): Promise<Sample> {
    const file = newFile()
    const backend = sqlite(file)
    await writeHistory(backend, 270)
    await backend.close()
    // Not a Buffer, whose slices are views.
    const closed = new Uint8Array(readFileSync(file))
    const right = await answers(closed)
    expect([...right].filter(([, answer]) => typeof answer !== 'string')).toEqual([])
    expect(right.get('verify')).toBe('true')
    return { file: closed, right }
  }

  async function answers(file: Uint8Array): Promise<Answers> {
    return answersOf(() => sqlite(put(file)))
  }

  function put(file: Uint8Array): string {
    const path = newFile()
    writeFileSync(path, file)
    return path
  }

  it('in the file, in the content and the structure of its pages', async () => {
    const { file: whole, right } = await sample()
    const random = seeded(1)
    for (let n = 0; n < flips(700); n++) {
      const pages = whole.length / 4096
      // Half of them where pages have their headers and the places of their cells.
      const place = below(random, pages) * 4096 + below(random, n % 2 === 0 ? 4096 : 120)
      const bit = below(random, 8)
      const file = flipBit(whole, place, bit)
      const isSeen = cellsOf(file) !== cellsOf(whole)
      expectRightOrNamed(await answers(file), right, `byte ${place}, bit ${bit}`, isSeen)
    }
  })

  /** All cells of all tables as SQLite reads them, as a text. */
  function cellsOf(file: Uint8Array): string {
    const raw = openRaw(put(file))
    try {
      return JSON.stringify(
        tablesIn(raw).map(({ name }) => raw.prepare(`SELECT * FROM ${name}`).all()),
        (_, value) => (value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value),
      )
    } catch (error) {
      return String(error)
    } finally {
      raw.close()
    }
  }

  it('in one of the places where a name is stored', async () => {
    const { file, right } = await sample()
    const raw = openRaw(put(file))
    const names = ['name FROM refs', 'name FROM keys', 'name FROM ids', 'name FROM counts', 'term FROM terms']
      .flatMap(column => raw.prepare(`SELECT ${column}`).all() as Record<string, Uint8Array>[])
      .flatMap(row => Object.values(row))
      .filter(name => name.length > 4)
    raw.close()
    const random = seeded(2)
    for (let n = 0; n < flips(400); n++) {
      const name = names[below(random, names.length)]!
      const places = placesOf(file, name)
      const place = places[below(random, places.length)]! + below(random, name.length)
      const flipped = flipBit(file, place, below(random, 8))
      expectRightOrNamed(await answers(flipped), right, `byte ${place}`, cellsOf(flipped) !== cellsOf(file))
    }
  })

  function placesOf(file: Uint8Array, name: Uint8Array): readonly number[] {
    const bytes = Buffer.from(file.buffer)
    const found: number[] = []
    for (let at = bytes.indexOf(name); at >= 0; at = bytes.indexOf(name, at + 1)) found.push(at)
    return found
  }

  it('in a cell that is no key, of any table', async () => {
    const { file, right } = await sample()
    const random = seeded(3)
    for (let n = 0; n < flips(600); n++) {
      const path = put(file)
      const where = flipCell(path, random)
      if (where === undefined) continue
      expectRightOrNamed(await answers(readFileSync(path)), right, where, true)
    }
  })

  function flipCell(path: string, random: Random): string | undefined {
    const raw = openRaw(path)
    try {
      // The only cell of a namespace is in an index, which would change with it.
      const tables = tablesIn(raw).filter(({ name }) => name !== 'namespaces')
      const { name: table } = tables[below(random, tables.length)]!
      const columns = raw.prepare(`SELECT name, type FROM pragma_table_info('${table}') WHERE pk = 0`).all() as Column[]
      const { name, type } = columns[below(random, columns.length)]!
      const { rows } = raw.prepare(`SELECT count(*) AS rows FROM ${table}`).get() as { rows: number }
      const at = below(random, rows)
      const keys = raw.prepare(`SELECT name FROM pragma_table_info('${table}') WHERE pk > 0`).all() as Column[]
      const key = keys.length === 0 ? ['rowid'] : keys.map(column => column.name)
      const row = raw
        .prepare(
          `SELECT ${key.join(', ')}, CAST(${name} AS BLOB) AS cell, ${name} AS value FROM ${table} LIMIT 1 OFFSET ${at}`,
        )
        .get() as Record<string, never>
      if (row === undefined || row['value'] === null) return undefined
      const condition = key.map(column => `${column} = ?`).join(' AND ')
      const values = key.map(column => row[column]!)
      const changed = type === 'INTEGER' ? flippedNumber(row['value']!, random) : flippedCell(row['cell']!, random)
      raw.prepare(`UPDATE ${table} SET ${name} = CAST(? AS ${type}) WHERE ${condition}`).run(changed, ...values)
      return `${table}.${name} of row ${at}`
    } catch (error) {
      // A changed number may not fit into its column.
      if (error instanceof Error && /UNIQUE|mismatch/.test(error.message)) return undefined
      throw error
    } finally {
      raw.exec('PRAGMA wal_checkpoint(TRUNCATE)')
      raw.close()
    }
  }
})

/** In digits, which every driver takes. */
function flippedNumber(value: number, random: Random): string {
  return String(BigInt(value) ^ (1n << BigInt(below(random, 40))))
}

function flippedCell(bytes: Uint8Array, random: Random): Uint8Array {
  return flipBit(bytes, below(random, bytes.length), below(random, 8))
}

interface Column {
  readonly name: string
  readonly type: string
}

function tablesIn(raw: SqliteDatabase): readonly { readonly name: string }[] {
  return raw
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
    .all() as { name: string }[]
}

it('in a key-value store, in the value of any cell', async () => {
  const content = new Map<string, Uint8Array>()
  await writeHistory(kvBackend(memoryKV(content)), 30)
  const answers = (cells: ReadonlyMap<string, Uint8Array>): Promise<Answers> =>
    answersOf(() => kvBackend(memoryKV(new Map(cells))))
  const right = await answers(content)
  expect(right.get('verify')).toBe('true')
  const random = seeded(4)
  const keys = [...content.keys()].filter(key => content.get(key)!.length > 0)
  for (let n = 0; n < flips(400); n++) {
    const key = keys[below(random, keys.length)]!
    const bytes = content.get(key)!
    const place = below(random, bytes.length)
    const damaged = new Map(content).set(key, flipBit(bytes, place, below(random, 8)))
    expectRightOrNamed(await answers(damaged), right, `byte ${place} of ${key}`, true)
  }
})
