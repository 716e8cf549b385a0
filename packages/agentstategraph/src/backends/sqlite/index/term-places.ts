/**
 * The stored places of terms, and their checksums.
 *
 * The checksum of a row is a sum over its places, so that it grows with them without a read. A second index holds every term
 * once more, so that a missing row is detected.
 */
import { storeError } from '../../../store/errors.ts'
import { listedFrom } from '../../index-places.ts'
import { addBytes, addNumber, finishSum, nameBytes, type Space } from '../cells/row-form.ts'
import type { SqliteDatabase } from '../module.ts'

/** The stored places of a term in a block. */
export type FindPlaces = (term: string, block: number) => Uint8Array | undefined

/** Begins a search in a namespace. */
export type ReadPlaces = (space: Space, namespace: number, order: 'newest' | 'oldest') => FindPlaces

/** A row as it is read: damaged cells may be of any type, and those of a missing row are null. */
export interface PlacesRow {
  readonly places: unknown
  readonly checksum: unknown
}

/** The checksum of a term's places in a block. */
export function sumOfPlaces({ sums }: Space, block: number, term: Uint8Array, places: Uint8Array): number {
  const begun = addBytes(addNumber(sums.terms, block), term)
  const from = listedFrom(places)
  let sum = from === 1 ? 0 : finishSum(addBytes(begun, places.subarray(0, from)))
  for (let at = from; at < places.length; at += 2) {
    sum = (sum + finishSum(addNumber(begun, places[at]! | (places[at + 1]! << 8)))) % 2 ** 32
  }
  return sum
}

/** The places of a row. Throws when they are not those that were written. */
export function checkedPlaces(space: Space, block: number, term: Uint8Array, row: PlacesRow): Uint8Array {
  const { places, checksum } = row
  const isWhole = places instanceof Uint8Array && places[0]! < 2 && places.length % 2 === 1
  if (isWhole && checksum === sumOfPlaces(space, block, term, places)) return places
  const reason = `the terms of block ${block} are not those that were written`
  throw storeError('derived-corrupt', { namespace: space.name, what: 'query index', reason })
}

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
  found: ReadonlyMap<number, PlacesRow>
}

/**
 * Prepares the statements of reading. A call on the driver costs several times the look-up itself. So a term that was absent
 * from a few blocks is looked up in many blocks by one statement. A common term is looked up block by block, because few
 * blocks are needed.
 */
export function placesReader(database: SqliteDatabase): ReadPlaces {
  const rowIn = (blocks: string): string => `
    SELECT b.block, t.places, t.checksum
    FROM ${blocks} b LEFT JOIN terms t INDEXED BY sqlite_autoindex_terms_1
      ON t.namespace = ?1 AND t.block = b.block AND t.term = ?2
    WHERE t.term IS NOT NULL OR EXISTS (
      SELECT 1 FROM terms a INDEXED BY terms_again WHERE a.namespace = ?1 AND a.block = b.block AND a.term = ?2)`
  const one = database.prepare(rowIn('(SELECT ?3 AS block)'))
  const many = database.prepare(`
    WITH RECURSIVE blocks (block) AS (SELECT ?3 UNION ALL SELECT block + 1 FROM blocks WHERE block < ?4)
    ${rowIn('blocks')}`)

  return (space, namespace, order) => {
    const terms = new Map<string, Seen>()

    function readMany(seen: Seen, block: number): void {
      seen.from = order === 'newest' ? Math.max(0, block - blocksTogether + 1) : block
      seen.to = order === 'newest' ? block : block + blocksTogether - 1
      const rows = many.all(namespace, seen.bytes, seen.from, seen.to) as (PlacesRow & { readonly block: number })[]
      seen.found = new Map(rows.map(row => [row.block, row]))
    }

    function rowOf(seen: Seen, block: number): PlacesRow | undefined {
      if (seen.absent >= patience && (block < seen.from || block > seen.to)) readMany(seen, block)
      if (block >= seen.from && block <= seen.to) return seen.found.get(block)
      const row = one.get(namespace, seen.bytes, block) as PlacesRow | undefined
      seen.absent = row === undefined ? seen.absent + 1 : 0
      return row
    }

    return (term, block) => {
      const seen = terms.get(term) ?? { bytes: nameBytes(term), absent: 0, from: 0, to: -1, found: new Map() }
      terms.set(term, seen)
      const row = rowOf(seen, block)
      return row && checkedPlaces(space, block, seen.bytes, row)
    }
  }
}

/** How many rows are checked together. */
const rowsTogether = 256

export interface TermPlace {
  readonly block: number
  readonly term: Uint8Array
}

/** Checks some rows after one; throws when one is damaged. Returns the last of them; undefined at the end. */
export type CheckPlaces = (space: Space, namespace: number, after: TermPlace | undefined) => TermPlace | undefined

/** Prepares the statement of checking. */
export function placesChecker(database: SqliteDatabase): CheckPlaces {
  const some = database.prepare(`
    SELECT block, term, places, checksum FROM terms INDEXED BY sqlite_autoindex_terms_1
    WHERE namespace = ? AND (block, term) > (?, ?) ORDER BY block, term LIMIT ${rowsTogether}`)
  return (space, namespace, { block, term } = { block: -1, term: Uint8Array.of(0) }) => {
    const rows = some.all(namespace, block, term) as (PlacesRow & TermPlace)[]
    for (const row of rows) checkedPlaces(space, row.block, row.term, row)
    return rows.length < rowsTogether ? undefined : rows.at(-1)
  }
}
