/**
 * The derived index of a SQLite store.
 *
 * Rows are ordered by block before term, so building the index touches only the end of its table, however many terms there
 * are; a search looks for its terms in each block. This file knows nothing of what terms mean.
 */

import type { IndexBatch, IndexCount, SyncLogIndex } from '../../../store/contract/index-log.ts'
import { searchBlocks } from '../../../store/memory/search-terms.ts'
import { bitPlaces, fillPlaces, listedPlaces, placesByBlock } from '../../index-places.ts'
import type { CellTables } from '../cells/cell-tables.ts'
import type { NamedValues } from '../cells/named-values.ts'
import { markName, nameBytes, nameOf, type Space, spaceOf } from '../cells/row-form.ts'
import type { Connection } from '../connection.ts'
import type { SqliteDatabase, SqliteStatement, SqlValue } from '../module.ts'
import { sqliteHashes } from './hashes.ts'
import type { PackTotals } from './pack-total.ts'
import { checkedPlaces, type PlacesRow, placesReader, sumOfPlaces } from './term-places.ts'

/** A term with at most so many places in a batch is stored as a list, with more as bits. */
const mostListed = 8
/** What a row costs in the write-ahead log, where many share a page. */
const bytesOfRow = 512
/** How many terms one statement writes. */
const termsTogether = 8

/** Between a group and a name; no name contains it. */
const separator = 255

/** Returns the index of a namespace. */
export type SqliteIndexes = (namespace: string) => SyncLogIndex

/** A namespace, and how far it is indexed. */
interface Marked {
  readonly id: number
  readonly mark: number
}

/** An index that is so many entries behind is being built. */
const longBehind = 1024

/** Prepares the statements of the index. `onWrote` is told the size of each batch, and whether it is one of many. */
export function sqliteIndexes(
  connection: Connection,
  { counts: counted, namespaces }: CellTables,
  totals: PackTotals,
  onWrote: (bytes: number, isBuilding?: boolean) => void,
): SqliteIndexes {
  const { database, read, readTogether, write } = connection
  const hashesOf = sqliteHashes(connection, onWrote)
  const readPlaces = placesReader(database)
  const writes = preparedWrites(database)

  return name => {
    const space = spaceOf(name)

    function findMark(): Marked | undefined {
      const found = counted.locate(space, markName)
      return found && { id: found.id, mark: found.value ?? 0 }
    }

    function countsIn(namespace: number, group: string): IndexCount[] {
      const begin = rowName(group)
      return counted
        .listIn(space, namespace, begin, Buffer.concat([begin, Uint8Array.of(separator)]))
        .map(({ name, value }) => ({ group, name: nameOf(name.subarray(begin.length)), count: value }))
        .sort((a, b) => (a.name < b.name ? -1 : 1))
    }

    return {
      isFixed: connection.isReadOnly,
      mark: () => read(findMark)?.mark ?? 0,
      add(batch) {
        let changed = 0
        let left = 0
        const isAdded = write('NORMAL', () => {
          const at = findMark()
          if (at === undefined || at.mark !== batch.from) return false
          changed = addTerms(writes, space, at.id, batch) + addCounts(counted, space, at.id, batch)
          totals.add(space, at.id, batch.from, batch.to)
          counted.put(space, at.id, markName, batch.to)
          left = (namespaces.find(space)?.newest ?? 0) - batch.to
          return true
        })
        if (isAdded) onWrote(changed * bytesOfRow, left > longBehind)
        return isAdded
      },
      search: search =>
        readTogether(() => {
          const at = findMark()
          if (at === undefined) return { mark: 0, seqs: [] }
          const find = readPlaces(space, at.id, search.order)
          const seqs = searchBlocks(search, at.mark, (term, block, bits) => {
            const kept = find(term, block)
            if (kept !== undefined) fillPlaces(kept, bits)
            return kept !== undefined
          })
          return { mark: at.mark, seqs }
        }),
      counts: groups =>
        readTogether(() => {
          const at = findMark()
          return at === undefined ? [] : groups.flatMap(group => countsIn(at.id, group))
        }),
      hashes: hashesOf(name),
      clear() {
        const clear = (): void => {
          const id = namespaces.idOf(space)
          if (id !== undefined) for (const statement of writes.clear) statement.run(id)
        }
        write('NORMAL', clear, 'free')
        onWrote(Number.POSITIVE_INFINITY)
      },
    }
  }
}

/** The name of the row of a count. */
function rowName(group: string, name: Uint8Array = new Uint8Array()): Uint8Array {
  return Buffer.concat([nameBytes(group), Uint8Array.of(separator), name])
}

/** Adds counts, and returns how many rows changed. */
function addCounts(counted: NamedValues, space: Space, namespace: number, { counts }: IndexBatch): number {
  const rows = counts.map(({ group, name, count }) => ({ name: rowName(group, nameBytes(name)), value: count }))
  // In the order of the table, so that neighbours are written together.
  rows.sort((a, b) => Buffer.compare(a.name, b.name))
  // Most names are new.
  for (const { name, value } of counted.addNew(space, namespace, rows)) {
    counted.put(space, namespace, name, (counted.findIn(space, namespace, name) ?? 0) + value)
  }
  return counts.length
}

interface IndexWrites {
  readonly findPlaces: SqliteStatement
  readonly putPlaces: SqliteStatement
  /** Appends the places of one term to those stored. */
  readonly appendOne: SqliteStatement
  /** The same for `termsTogether` terms. */
  readonly appendMany: SqliteStatement
  readonly clear: readonly SqliteStatement[]
}

/** Where a row is hidden, the second index refuses another one. */
function preparedWrites(database: SqliteDatabase): IndexWrites {
  const append = (count: number): SqliteStatement => {
    const rows = Array.from({ length: count }, () => '(?, ?, ?, ?, ?)').join(', ')
    return database.prepare(`
      INSERT INTO terms VALUES ${rows} ON CONFLICT DO UPDATE SET
        places = CAST(places || substr(excluded.places, 2) AS BLOB), checksum = (checksum + excluded.checksum) % ${2 ** 32}`)
  }
  return {
    findPlaces: database.prepare('SELECT places, checksum FROM terms WHERE namespace = ? AND block = ? AND term = ?'),
    putPlaces: database.prepare(`
      INSERT INTO terms VALUES (?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET places = excluded.places, checksum = excluded.checksum`),
    appendOne: append(1),
    appendMany: append(termsTogether),
    clear: ['terms', 'counts', 'hashes'].map(table => database.prepare(`DELETE FROM ${table} WHERE namespace = ?`)),
  }
}

/** Adds terms, and returns how many rows changed. */
function addTerms(writes: IndexWrites, space: Space, namespace: number, { rows }: IndexBatch): number {
  let changed = 0
  for (const [block, terms] of placesByBlock(rows)) {
    addBlock(writes, space, namespace, block, terms)
    changed += terms.size
  }
  return changed
}

function addBlock(
  writes: IndexWrites,
  space: Space,
  namespace: number,
  block: number,
  terms: ReadonlyMap<string, readonly number[]>,
): void {
  const listed: SqlValue[][] = []
  const rowOf = (term: Uint8Array, places: Uint8Array): SqlValue[] => [
    namespace,
    block,
    term,
    places,
    sumOfPlaces(space, block, term, places),
  ]
  // In the order of the table, so that neighbours are written together.
  const sorted = [...terms].map(([term, at]) => ({ term: nameBytes(term), at }))
  sorted.sort((a, b) => Buffer.compare(a.term, b.term))
  for (const { term, at } of sorted) {
    if (at.length <= mostListed) {
      listed.push(rowOf(term, listedPlaces(at)))
    } else {
      const row = writes.findPlaces.get(namespace, block, term) as PlacesRow | undefined
      const kept = row && checkedPlaces(space, block, term, row)
      writes.putPlaces.run(...rowOf(term, bitPlaces(kept, at)))
    }
  }
  let next = 0
  for (; next + termsTogether <= listed.length; next += termsTogether) {
    writes.appendMany.run(...listed.slice(next, next + termsTogether).flat())
  }
  for (const row of listed.slice(next)) writes.appendOne.run(...row)
}
