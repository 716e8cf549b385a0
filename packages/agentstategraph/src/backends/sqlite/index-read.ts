/**
 * Reads the places of terms for one search, block by block.
 *
 * A call on the driver costs several times the look-up itself. So a term that was absent from a few blocks is looked up in
 * many blocks by one statement. A common term is looked up block by block, because few blocks are needed.
 */

import type { SqliteDatabase } from './module.ts'
import { nameBytes } from './namespace-table.ts'

/** The stored places of a term in a block. */
export type FindPlaces = (term: string, block: number) => Uint8Array | undefined

/** In how many consecutive blocks a term must be absent before it is looked up in many. */
const patience = 2
const blocksTogether = 128

interface Seen {
  readonly bytes: Uint8Array
  /** How many consecutive blocks did not have it. */
  absent: number
  /** Blocks that were read together, both ends included, and those of them that have it. */
  from: number
  to: number
  found: ReadonlyMap<number, Uint8Array>
}

/** Prepares the statements; returns the function that begins a search in a namespace. */
export function placesReader(database: SqliteDatabase): (namespace: number, order: 'newest' | 'oldest') => FindPlaces {
  const one = database.prepare('SELECT places FROM terms WHERE namespace = ? AND block = ? AND term = ?')
  const many = database.prepare(`
    WITH RECURSIVE blocks (block) AS (SELECT ? UNION ALL SELECT block + 1 FROM blocks WHERE block < ?)
    SELECT t.block, t.places FROM blocks b CROSS JOIN terms t WHERE t.namespace = ? AND t.block = b.block AND t.term = ?`)

  return (namespace, order) => {
    const terms = new Map<string, Seen>()

    function readMany(seen: Seen, block: number): void {
      seen.from = order === 'newest' ? Math.max(0, block - blocksTogether + 1) : block
      seen.to = order === 'newest' ? block : block + blocksTogether - 1
      const rows = many.all(seen.from, seen.to, namespace, seen.bytes) as { block: number; places: Uint8Array }[]
      seen.found = new Map(rows.map(row => [row.block, row.places]))
    }

    return (term, block) => {
      const seen = terms.get(term) ?? { bytes: nameBytes(term), absent: 0, from: 0, to: -1, found: new Map() }
      terms.set(term, seen)
      if (seen.absent >= patience && (block < seen.from || block > seen.to)) readMany(seen, block)
      if (block >= seen.from && block <= seen.to) return seen.found.get(block)
      const places = (one.get(namespace, block, seen.bytes) as { places: Uint8Array } | undefined)?.places
      seen.absent = places === undefined ? seen.absent + 1 : 0
      return places
    }
  }
}
