/**
 * The derived index of a SQLite store.
 *
 * Rows are ordered by block before term, so building the index touches only the end of its table, however many terms there
 * are; a search looks for its terms in each block. This file knows nothing of what terms mean.
 */

import type { IndexBatch, SyncLogIndex } from '../../store/contract/index-log.ts'
import { searchBlocks } from '../../store/memory/search-terms.ts'
import { bitPlaces, fillPlaces, listedPlaces, placesByBlock } from '../index-places.ts'
import type { Connection } from './connection.ts'
import { sqliteHashes } from './hashes.ts'
import { placesReader } from './index-read.ts'
import type { SqliteDatabase, SqliteStatement, SqlValue } from './module.ts'
import { nameBytes, nameOf } from './namespace-table.ts'

/** A term with at most so many places in a batch is stored as a list, with more as bits. */
const mostListed = 8
/** What a row costs in the write-ahead log, where many share a page. */
const bytesOfRow = 512
/** How many terms one statement writes. */
const termsTogether = 8

/** Returns the index of a namespace. */
export type SqliteIndexes = (namespace: string) => SyncLogIndex

interface Marked {
  readonly id: number
  readonly mark: number
}

/** Prepares the statements of the index. `onWrote` is told the size of each batch. */
export function sqliteIndexes(connection: Connection, onWrote: (bytes: number) => void): SqliteIndexes {
  const { database, read, readTogether, write } = connection
  const hashesOf = sqliteHashes(connection, onWrote)
  const readPlaces = placesReader(database)
  const writes = preparedWrites(database)
  const marked = database.prepare('SELECT id, searched AS mark FROM namespaces WHERE name = ?')
  const countsOf = database.prepare(`
    SELECT c.name, c.count FROM namespaces n CROSS JOIN counts c
    WHERE n.name = ? AND c.namespace = n.id AND c.family = ?`)

  return name => {
    const findMark = (): Marked | undefined => marked.get(nameBytes(name)) as Marked | undefined

    return {
      mark: () => read(findMark)?.mark ?? 0,
      add(batch) {
        let changed = 0
        const isAdded = write('NORMAL', () => {
          const at = findMark()
          if (at === undefined || at.mark !== batch.from) return false
          changed = addBatch(writes, at.id, batch)
          return true
        })
        if (isAdded) onWrote(changed * bytesOfRow)
        return isAdded
      },
      search: search =>
        readTogether(() => {
          const at = findMark()
          if (at === undefined) return { mark: 0, seqs: [] }
          const find = readPlaces(at.id, search.order)
          const seqs = searchBlocks(search, at.mark, (term, block, bits) => {
            const kept = find(term, block)
            if (kept !== undefined) fillPlaces(kept, bits)
            return kept !== undefined
          })
          return { mark: at.mark, seqs }
        }),
      counts(group) {
        const rows = read(() => countsOf.all(nameBytes(name), nameBytes(group)))
        return (rows as { name: Uint8Array; count: number }[])
          .map(({ name: bytes, count }) => ({ group, name: nameOf(bytes), count }))
          .sort((a, b) => (a.name < b.name ? -1 : 1))
      },
      hashes: hashesOf(name),
      clear() {
        const clear = (): void => {
          const at = findMark()
          if (at === undefined) return
          for (const statement of writes.clear) statement.run(at.id)
        }
        write('NORMAL', clear, 'free')
        onWrote(Number.POSITIVE_INFINITY)
      },
    }
  }
}

interface IndexWrites {
  readonly setMark: SqliteStatement
  readonly findPlaces: SqliteStatement
  readonly putPlaces: SqliteStatement
  /** Appends the places of one term to those stored. */
  readonly appendOne: SqliteStatement
  /** The same for `termsTogether` terms. */
  readonly appendMany: SqliteStatement
  readonly addCount: SqliteStatement
  readonly clear: readonly SqliteStatement[]
}

function preparedWrites(database: SqliteDatabase): IndexWrites {
  const append = (count: number): SqliteStatement => {
    const rows = Array.from({ length: count }, () => '(?, ?, ?, ?)').join(', ')
    return database.prepare(`
      INSERT INTO terms VALUES ${rows}
      ON CONFLICT DO UPDATE SET places = CAST(places || substr(excluded.places, 2) AS BLOB)`)
  }
  return {
    setMark: database.prepare('UPDATE namespaces SET searched = ? WHERE id = ?'),
    findPlaces: database.prepare('SELECT places FROM terms WHERE namespace = ? AND block = ? AND term = ?'),
    putPlaces: database.prepare('INSERT OR REPLACE INTO terms VALUES (?, ?, ?, ?)'),
    appendOne: append(1),
    appendMany: append(termsTogether),
    addCount: database.prepare(`
      INSERT INTO counts VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET count = count + excluded.count`),
    clear: [
      'DELETE FROM terms WHERE namespace = ?',
      'DELETE FROM counts WHERE namespace = ?',
      'DELETE FROM hashes WHERE namespace = ?',
      'UPDATE namespaces SET searched = 0, hashed = 0 WHERE id = ?',
    ].map(sql => database.prepare(sql)),
  }
}

/** Writes a batch and moves the mark. Returns about how many rows changed. */
function addBatch(writes: IndexWrites, namespace: number, { rows, counts, to }: IndexBatch): number {
  let changed = counts.length
  for (const [block, terms] of placesByBlock(rows)) {
    addTerms(writes, namespace, block, terms)
    changed += terms.size
  }
  for (const { group, name, count } of counts) writes.addCount.run(namespace, nameBytes(group), nameBytes(name), count)
  writes.setMark.run(to, namespace)
  return changed
}

function addTerms(
  writes: IndexWrites,
  namespace: number,
  block: number,
  terms: ReadonlyMap<string, readonly number[]>,
): void {
  const listed: SqlValue[][] = []
  // In the order of the table, so that neighbours are written together.
  const sorted = [...terms].map(([term, at]) => ({ term: nameBytes(term), at }))
  sorted.sort((a, b) => Buffer.compare(a.term, b.term))
  for (const { term, at } of sorted) {
    if (at.length <= mostListed) {
      listed.push([namespace, block, term, listedPlaces(at)])
    } else {
      const kept = writes.findPlaces.get(namespace, block, term) as { places: Uint8Array } | undefined
      writes.putPlaces.run(namespace, block, term, bitPlaces(kept?.places, at))
    }
  }
  let next = 0
  for (; next + termsTogether <= listed.length; next += termsTogether) {
    writes.appendMany.run(...listed.slice(next, next + termsTogether).flat())
  }
  for (const row of listed.slice(next)) writes.appendOne.run(...row)
}
