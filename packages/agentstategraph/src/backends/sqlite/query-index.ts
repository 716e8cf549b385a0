/**
 * The derived index of a SQLite store.
 *
 * Rows are ordered by block before term, so building it touches only the end of its table, however many terms there are;
 * a search looks into each block for the terms it asks for. It knows no meaning of terms.
 */

import type { IndexBatch, SyncLogIndex } from '../../store/contract/index-log.ts'
import { blockEntries, searchBlocks } from '../../store/memory/search-terms.ts'
import type { Connection } from './connection.ts'
import { sqliteHashes } from './hashes.ts'
import { bitPlaces, fillPlaces, listedPlaces } from './index-places.ts'
import { placesReader } from './index-read.ts'
import type { SqlValue } from './module.ts'
import { nameBytes, nameOf } from './namespace-table.ts'

/** How many places of a term in one batch are appended to those kept; more are kept as bits. */
const mostListed = 8
/** What a row costs in the write-ahead log, where many share a page. */
const bytesOfRow = 512
/** How many terms are written by one statement. */
const termsTogether = 8

/** Gives the index of a namespace. */
export type SqliteIndexes = (namespace: string) => SyncLogIndex

interface Marked {
  readonly id: number
  readonly mark: number
}

/** Prepares the statements of the index. `onWrote` hears of each batch. */
export function sqliteIndexes(connection: Connection, onWrote: (bytes: number) => void): SqliteIndexes {
  const { database, read, readTogether, write } = connection
  const hashesOf = sqliteHashes(connection, onWrote)
  const marked = database.prepare('SELECT id, searched AS mark FROM namespaces WHERE name = ?')
  const setMark = database.prepare('UPDATE namespaces SET searched = ? WHERE id = ?')
  const places = database.prepare('SELECT places FROM terms WHERE namespace = ? AND block = ? AND term = ?')
  const readPlaces = placesReader(database)
  const putPlaces = database.prepare('INSERT OR REPLACE INTO terms VALUES (?, ?, ?, ?)')
  const listing = [1, termsTogether].map(count => {
    const values = Array.from({ length: count }, () => '(?, ?, ?, ?)').join(', ')
    return database.prepare(`
      INSERT INTO terms VALUES ${values}
      ON CONFLICT DO UPDATE SET places = CAST(places || substr(excluded.places, 2) AS BLOB)`)
  })
  const addCount = database.prepare(`
    INSERT INTO counts VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET count = count + excluded.count`)
  const countsOf = database.prepare(`
    SELECT c.name, c.count FROM namespaces n CROSS JOIN counts c
    WHERE n.name = ? AND c.namespace = n.id AND c.family = ?`)
  const clearing = [
    'DELETE FROM terms WHERE namespace = ?',
    'DELETE FROM counts WHERE namespace = ?',
    'DELETE FROM hashes WHERE namespace = ?',
    'UPDATE namespaces SET searched = 0, hashed = 0 WHERE id = ?',
  ].map(sql => database.prepare(sql))

  function findPlaces(namespace: number, block: number, term: Uint8Array): Uint8Array | undefined {
    return (places.get(namespace, block, term) as { places: Uint8Array } | undefined)?.places
  }

  function addTerms(namespace: number, block: number, terms: ReadonlyMap<string, readonly number[]>): void {
    const few: SqlValue[][] = []
    // In the order of the table, so that neighbours are written together.
    const sorted = [...terms].map(([term, at]) => ({ bytes: nameBytes(term), at }))
    sorted.sort((a, b) => Buffer.compare(a.bytes, b.bytes))
    for (const { bytes, at } of sorted) {
      if (at.length <= mostListed) few.push([namespace, block, bytes, listedPlaces(at)])
      else putPlaces.run(namespace, block, bytes, bitPlaces(findPlaces(namespace, block, bytes), at))
    }
    const [addOne, addMany] = listing
    let next = 0
    for (; next + termsTogether <= few.length; next += termsTogether) {
      addMany!.run(...few.slice(next, next + termsTogether).flat())
    }
    for (const values of few.slice(next)) addOne!.run(...values)
  }

  /** Writes a batch; gives about how many rows changed. */
  function addRows(namespace: number, { rows, counts }: IndexBatch): number {
    let changed = counts.length
    for (const [block, terms] of blocksOf(rows)) {
      addTerms(namespace, block, terms)
      changed += terms.size
    }
    for (const { group, name, count } of counts) addCount.run(namespace, nameBytes(group), nameBytes(name), count)
    return changed
  }

  return name => {
    const findMark = (): Marked | undefined => marked.get(nameBytes(name)) as Marked | undefined

    return {
      mark: () => read(findMark)?.mark ?? 0,
      add(batch) {
        let changed = 0
        const isAdded = write('NORMAL', () => {
          const at = findMark()
          if (at === undefined || at.mark !== batch.from) return false
          changed = addRows(at.id, batch)
          setMark.run(batch.to, at.id)
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
        write('NORMAL', () => {
          const at = findMark()
          if (at === undefined) return
          for (const statement of clearing) statement.run(at.id)
        })
        onWrote(Number.POSITIVE_INFINITY)
      },
    }
  }
}

/** The places of terms, by block. */
function blocksOf(rows: IndexBatch['rows']): Map<number, Map<string, number[]>> {
  const blocks = new Map<number, Map<string, number[]>>()
  for (const { seq, terms } of rows) {
    const block = Math.floor(seq / blockEntries)
    let byTerm = blocks.get(block)
    if (byTerm === undefined) {
      byTerm = new Map()
      blocks.set(block, byTerm)
    }
    for (const term of terms) {
      const places = byTerm.get(term)
      if (places === undefined) byTerm.set(term, [seq % blockEntries])
      else places.push(seq % blockEntries)
    }
  }
  return blocks
}
