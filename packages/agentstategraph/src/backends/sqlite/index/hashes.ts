/**
 * The hashes of Merkle trees in a SQLite store, for the index.
 *
 * They are derived data: those that a power failure loses, and those that are damaged, are derived again. This file does not
 * know how the tree is built.
 */

import type { HashPlace, SyncLogHashes } from '../../../store/contract/index-log.ts'
import { storeError } from '../../../store/errors.ts'
import { addBytes, addNumber, finishSum, type Space, spaceOf } from '../cells/row-form.ts'
import type { Connection } from '../connection.ts'
import type { SqliteDatabase } from '../module.ts'

/** What a row costs in the write-ahead log, where many share a page. */
const bytesOfRow = 64

/** The level of the row whose place is the mark. No tree is so high. */
const markLevel = 64

/** Prepares the statements; returns the hashes of a namespace. `onWrote` is told the size of each batch. */
export function sqliteHashes(
  { database, read, write }: Connection,
  onWrote: (bytes: number) => void,
): (namespace: string) => SyncLogHashes {
  const namespaceOf = database.prepare('SELECT id FROM namespaces WHERE name = ?')
  const marks = database.prepare(`
    SELECT h.place, h.hash, h.checksum FROM namespaces n CROSS JOIN hashes h
    WHERE n.name = ? AND h.namespace = n.id AND h.level = ${markLevel}`)
  const dropMark = database.prepare(`DELETE FROM hashes WHERE namespace = ? AND level = ${markLevel}`)
  const put = database.prepare('INSERT OR REPLACE INTO hashes VALUES (?, ?, ?, ?, ?)')
  const find = database.prepare(`
    SELECT h.hash, h.checksum FROM namespaces n CROSS JOIN hashes h
    WHERE n.name = ? AND h.namespace = n.id AND h.level = ? AND h.place = ?`)

  return namespace => {
    const space = spaceOf(namespace)

    /** A damaged mark counts as none: what lies above it is then derived again. */
    function mark(): number {
      const rows = marks.all(space.bytes) as (StoredHash & { readonly place: number })[]
      const [row] = rows
      const isWhole = rows.length === 1 && hashIn(space, { level: markLevel, index: row!.place }, row) !== undefined
      return isWhole ? row!.place : 0
    }

    return {
      mark: () => read(mark),
      add({ from, to, hashes }) {
        const isAdded = write('NORMAL', () => {
          const { id } = (namespaceOf.get(space.bytes) ?? {}) as { id?: number }
          if (id === undefined || mark() !== from) return false
          const add = (place: HashPlace, hash: Uint8Array): unknown =>
            put.run(id, place.level, place.index, hash, sumOfHash(space, place, hash))
          for (const { hash, ...place } of hashes) add(place, hash)
          dropMark.run(id)
          add({ level: markLevel, index: to }, Uint8Array.of(0))
          return true
        })
        if (isAdded) onWrote(hashes.length * bytesOfRow)
        return isAdded
      },
      read: places =>
        read(() =>
          places.map(place => hashIn(space, place, find.get(space.bytes, place.level, place.index) as StoredHash)),
        ),
    }
  }
}

/** Checks some hashes from a level and place on; throws when one is damaged. Returns where to go on; undefined at the end. */
export type CheckHashes = (space: Space, namespace: number, from: HashPlace | undefined) => HashPlace | undefined

/** How many hashes are checked together. */
const hashesTogether = 1024

/** Prepares the statement. */
export function hashChecker(database: SqliteDatabase): CheckHashes {
  const some = database.prepare(`
    SELECT level, place, hash, checksum FROM hashes WHERE namespace = ? AND (level, place) > (?, ?)
    ORDER BY level, place LIMIT ${hashesTogether}`)
  return (space, namespace, from = { level: -1, index: 0 }) => {
    const rows = some.all(namespace, from.level, from.index) as (StoredHash & { level: number; place: number })[]
    for (const { level, place, ...row } of rows) {
      if (hashIn(space, { level, index: place }, row) !== undefined) continue
      const reason = `hash ${place} of level ${level} does not have the checksum that it was written with`
      throw storeError('derived-corrupt', { namespace: space.name, what: 'Merkle log', reason })
    }
    const last = rows.at(-1)
    // The row of the mark is the last one.
    if (rows.length < hashesTogether && (last ?? from).level >= 0 && (last ?? from).level !== markLevel) {
      throw storeError('derived-corrupt', { namespace: space.name, what: 'Merkle log', reason: 'its mark is missing' })
    }
    return last === undefined || rows.length < hashesTogether ? undefined : { level: last.level, index: last.place }
  }
}

/** A row as it is read: damaged cells may be of any type. */
interface StoredHash {
  readonly hash: unknown
  readonly checksum: unknown
}

function sumOfHash({ sums }: Space, { level, index }: HashPlace, hash: Uint8Array): number {
  return finishSum(addBytes(addNumber(addNumber(sums.hashes, level), index), hash))
}

/** The hash of a row; undefined when there is none, or none as it was written. */
function hashIn(space: Space, place: HashPlace, row: StoredHash | undefined): Uint8Array | undefined {
  if (!(row?.hash instanceof Uint8Array)) return undefined
  return row.checksum === sumOfHash(space, place, row.hash) ? row.hash : undefined
}
