/**
 * How large a SQLite store may become.
 *
 * SQLite itself refuses the page that would be too many, so a bound holds for all processes that open the store with it.
 * A part of the bound is for the write-ahead log, which lies beside the file; one that a single large transaction made
 * longer is shortened when it has moved into the file. Another part is kept back from appends: collecting garbage needs
 * room to say what it did, and reading may have to build an index. It knows neither locks nor transactions.
 */
import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { coreError } from '../../core/index.ts'
import { backendError } from '../errors.ts'
import type { SqliteDatabase } from './module.ts'

export interface SizeLimit {
  readonly maxBytes: number
  /** How long the write-ahead log may become before it is moved into the file. */
  readonly logBytes: number
  /** Pages of the file when all may be used, and for appends. */
  readonly pages: number
  readonly pagesForAppends: number
}

export const pageBytes = 4096

const leastBytes = 2 ** 20
const mostLogBytes = 32 * 2 ** 20
const leastReservePages = 16
const mostReservePages = 4096
/** With less than this left, it is the disk that is full. */
const diskLeftBytes = 2 ** 20

/** Divides a bound among file, log and reserve. */
export function sizeLimit(maxBytes: number): SizeLimit {
  if (!(maxBytes >= leastBytes)) {
    throw coreError('option-invalid', {
      field: 'maxBytes',
      reason: `${maxBytes} is not a number of at least ${leastBytes}, which a small store needs`,
    })
  }
  const logBytes = Math.min(mostLogBytes, Math.floor(maxBytes / 8))
  const pages = Math.floor((maxBytes - logBytes) / pageBytes)
  const reserve = Math.min(mostReservePages, Math.max(leastReservePages, Math.floor(pages / 16)))
  return { maxBytes, logBytes, pages, pagesForAppends: pages - reserve }
}

/** Makes SQLite refuse a file of more pages than these. One that has more already may be read and made smaller. */
export function boundPages(database: SqliteDatabase, pages: number): void {
  database.exec(`PRAGMA max_page_count = ${pages}`)
}

/** What to say when SQLite found no room: the bound was reached, or the disk is full. */
export function fullError(file: string, database: SqliteDatabase, limit: SizeLimit | undefined, cause: unknown): Error {
  if (limit === undefined || hasNoDiskLeft(file)) return backendError('disk-full', { file }, { cause })
  const pages = numberOf(database, 'page_count') - numberOf(database, 'freelist_count')
  const data = { file, maxBytes: limit.maxBytes, usedBytes: pages * pageBytes }
  return backendError('store-full', data, { cause })
}

function hasNoDiskLeft(file: string): boolean {
  const { bavail, bsize } = statfsSync(dirname(file))
  return bavail * bsize < diskLeftBytes
}

function numberOf(database: SqliteDatabase, name: string): number {
  return Object.values(database.prepare(`PRAGMA ${name}`).get() as Record<string, number>)[0] ?? 0
}
