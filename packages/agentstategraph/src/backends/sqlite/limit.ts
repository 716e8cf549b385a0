/**
 * The size limit of a SQLite store.
 *
 * SQLite itself refuses pages beyond the limit, so it holds for all processes that open the store with it. A part of the
 * limit is for the write-ahead log beside the file; a log that a single large transaction made longer is truncated after
 * its checkpoint. Another part is a reserve that appends cannot use: garbage collection needs room for its entry, and an
 * index that reads build may take half of it. This file knows neither locks nor transactions.
 */
import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { coreError } from '../../core/index.ts'
import { backendError } from '../errors.ts'
import type { SqliteDatabase } from './module.ts'

export interface SizeLimit {
  readonly maxBytes: number
  /** The length of the write-ahead log at which it is moved into the file. */
  readonly logBytes: number
  /** The most pages of the file, by what is written. */
  readonly pages: Readonly<Record<Purpose, number>>
  /** Whether the bytes suffice for a reserve on the disk too. */
  readonly hasDiskReserve: boolean
}

/** What is written: data, what is derived from it and can be left out, or what frees space. */
export type Purpose = 'add' | 'derive' | 'free'

export const pageBytes = 8192

const leastBytes = 2 ** 20
const mostLogBytes = 32 * 2 ** 20
const leastReservePages = 8
const mostReservePages = 2048
/** With less than this left on the disk, the disk is full and not the store. */
const fullDiskBytes = 2 ** 20

/** The size of the reserve on the disk. A store that is bounded to less than sixteen times of it has none. */
export const reserveBytes: number = 2 ** 19

/** Divides a limit among file, log and reserve. */
export function sizeLimit(maxBytes: number): SizeLimit {
  if (!(maxBytes >= leastBytes)) {
    throw coreError('option-invalid', {
      field: 'maxBytes',
      reason: `${maxBytes} is not a number of at least ${leastBytes}, which a small store needs`,
    })
  }
  const logBytes = Math.min(mostLogBytes, Math.floor(maxBytes / 8))
  const hasDiskReserve = maxBytes >= 16 * reserveBytes
  const free = Math.floor((maxBytes - logBytes - (hasDiskReserve ? reserveBytes : 0)) / pageBytes)
  const reserve = Math.min(mostReservePages, Math.max(leastReservePages, Math.floor(free / 16)))
  const pages = { add: free - reserve, derive: free - (reserve >> 1), free }
  return { maxBytes, logBytes, pages, hasDiskReserve }
}

/** Makes SQLite refuse to grow the file beyond so many pages. A larger file can still be read and shrunk. */
export function boundPages(database: SqliteDatabase, pages: number): void {
  database.exec(`PRAGMA store.max_page_count = ${pages}`)
}

/** The error when SQLite found no space: the limit was reached, or the disk is full. */
export function fullError(file: string, database: SqliteDatabase, limit: SizeLimit | undefined, cause: unknown): Error {
  if (limit === undefined || diskLeftBytes(file) < fullDiskBytes) return backendError('disk-full', { file }, { cause })
  const pages = numberOf(database, 'page_count') - numberOf(database, 'freelist_count')
  const data = { file, maxBytes: limit.maxBytes, usedBytes: pages * pageBytes }
  return backendError('store-full', data, { cause })
}

/** Throws unless so many bytes fit: those of the log, and those of the file that the log moves into. */
export function assertDiskFits(file: string, bytes: number): void {
  if (diskLeftBytes(file) < bytes) throw backendError('disk-full', { file })
}

/** How many bytes are left on the disk of a file. */
export function diskLeftBytes(file: string): number {
  const { bavail, bsize } = statfsSync(dirname(file))
  return bavail * bsize
}

function numberOf(database: SqliteDatabase, name: string): number {
  return Object.values(database.prepare(`PRAGMA store.${name}`).get() as Record<string, number>)[0] ?? 0
}
