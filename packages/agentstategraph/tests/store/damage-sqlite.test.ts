/** Damage in a SQLite file: a changed byte anywhere in a row is noticed, named, and never becomes an answer. */
import { describe, expect, it } from 'vitest'
import { sqlite } from '../../src/backends/index.ts'
import type { SqliteDatabase } from '../../src/backends/sqlite/module.ts'
import type { Backend } from '../../src/store/index.ts'
import { expectNoticed, flipped, placesIn, readAll, somePlacesIn, writeSmallStore, written } from './support/damage.ts'
import { newFile, openRaw } from './support/sqlite-file.ts'

const places = process.env['ASG_SOAK'] === '1' ? placesIn : somePlacesIn

interface Column {
  readonly table: 'entries' | 'parts'
  readonly name: string
  readonly type: 'TEXT' | 'BLOB' | 'INTEGER'
}

const columns: readonly Column[] = [
  { table: 'entries', name: 'leaf', type: 'TEXT' },
  { table: 'entries', name: 'time', type: 'INTEGER' },
  { table: 'entries', name: 'text', type: 'TEXT' },
  { table: 'entries', name: 'commit_id', type: 'TEXT' },
  { table: 'entries', name: 'commit_text', type: 'TEXT' },
  { table: 'entries', name: 'later', type: 'INTEGER' },
  { table: 'entries', name: 'part', type: 'BLOB' },
  { table: 'parts', name: 'first', type: 'INTEGER' },
  { table: 'parts', name: 'bytes', type: 'BLOB' },
]

/** One cell of a table, read and written as bytes whatever its type. */
interface Cell {
  readonly bytes: Uint8Array | undefined
  put(bytes: Uint8Array): void
}

function cellAt(database: SqliteDatabase, { table, name, type }: Column, seq: number): Cell {
  // One namespace, whose number is 1: the low 36 bits of an entry's number are its seq.
  const row = `${table === 'entries' ? 'id' : 'entry'} & 0xfffffffff = ${seq}`
  const read = type === 'INTEGER' ? name : `CAST(${name} AS BLOB)`
  const found = database.prepare(`SELECT ${read} AS value FROM ${table} WHERE ${row}`).get() as
    | { value: number | Uint8Array | null }
    | undefined
  const update = database.prepare(`UPDATE ${table} SET ${name} = CAST(? AS ${type}) WHERE ${row}`)
  const value = found?.value ?? undefined
  return {
    bytes: typeof value === 'number' ? bytesOfInteger(value) : value,
    put: bytes => update.run(type === 'INTEGER' ? integerOf(bytes) : bytes),
  }
}

function bytesOfInteger(value: number): Uint8Array {
  const view = new DataView(new ArrayBuffer(8))
  view.setBigInt64(0, BigInt(value))
  return new Uint8Array(view.buffer)
}

/** In digits, which every driver takes. */
function integerOf(bytes: Uint8Array): string {
  return `${new DataView(bytes.buffer).getBigInt64(0)}`
}

async function withSmallStore(work: (backend: Backend, raw: SqliteDatabase) => Promise<void>): Promise<void> {
  const file = newFile()
  await using backend = sqlite(file)
  await writeSmallStore(backend)
  const raw = openRaw(file)
  raw.exec('PRAGMA synchronous = OFF')
  try {
    await work(backend, raw)
  } finally {
    raw.close()
  }
}

describe.each(Object.entries(written))('in entry "%s"', (_, seq) => {
  it('a changed byte in any column is noticed, and named', async () => {
    await withSmallStore(async (backend, raw) => {
      const right = await readAll(backend, seq)
      for (const column of columns) {
        const cell = cellAt(raw, column, seq)
        if (cell.bytes === undefined) continue
        for (const place of places(cell.bytes.length)) {
          cell.put(flipped(cell.bytes, place))
          expectNoticed(await readAll(backend, seq), right, seq, `${column.table}.${column.name}, byte ${place}`)
        }
        cell.put(cell.bytes)
      }
      expect(await readAll(backend, seq)).toEqual(right)
    })
  })
})

it('the small store has what the flips are there for: cells of every kind', async () => {
  await withSmallStore(async (_, raw) => {
    const filled = columns.map(column => Object.values(written).filter(seq => cellAt(raw, column, seq).bytes).length)
    expect(filled).toEqual([5, 5, 5, 3, 3, 1, 3, 1, 1])
  })
})
