/**
 * A database of IndexedDB that holds a store: its tables, and transactions on them.
 *
 * The first element of every key is the namespace. Names of refs are keys in UTF-8, because IndexedDB compares bytes in the order of
 * code points and texts in that of UTF-16.
 *
 * | table | key | value |
 * |---|---|---|
 * | `heads` | namespace | the end of its journal, see `HeadRow` |
 * | `entries` | namespace, seq | an entry with the first part of its pack, see `EntryRow`; commits are found by an index on their id |
 * | `parts` | namespace, seq, first | a later part of a pack |
 * | `refs` | namespace, name | name and seq |
 * | `keys` | namespace, idempotency key | the seq that answers a repetition |
 * | `marks` | namespace, `terms` or `hashes` | how far the index is derived |
 * | `terms` | namespace, block, term | the entries of a block that have a term |
 * | `counts` | namespace, group, name | how often a name of a group occurred |
 * | `hashes` | namespace, level, index | a hash of the Merkle tree |
 */
import { storeError } from '../../store/errors.ts'
import { backendError } from '../errors.ts'
import { failureOf, openFailure } from './failures.ts'

/** What a namespace holds. A namespace without a row does not exist. */
export interface HeadRow {
  readonly seq: number
  readonly time: number
  /** The leaves of the first and the newest entry. */
  readonly first: string
  readonly leaf: string
  /** Whether the newest entry has its pack, or needs none: the next commit most often refers to it. */
  readonly isWhole: boolean
  /** The bytes of all packs. */
  readonly packBytes: number
}

export interface EntryRow {
  readonly namespace: string
  readonly seq: number
  readonly leaf: string
  readonly time: number
  readonly text: string
  /** The commit's id, under which the index finds the entry. */
  readonly id?: string
  readonly commit?: string
  /** The first part of the pack. */
  readonly part?: Uint8Array
  /** Where the later parts of the pack begin. */
  readonly later?: readonly number[]
  /** The bytes of the whole pack. */
  readonly packBytes: number
}

const tables = ['heads', 'entries', 'parts', 'refs', 'keys', 'marks', 'terms', 'counts', 'hashes'] as const

export type Table = (typeof tables)[number]

/** The index of entries by namespace and commit id. */
export const commitIndex = 'commits'

const VERSION = 1

export interface Database {
  readonly name: string
  /**
   * Runs work in one transaction. It is committed when the work has returned, and the promise then resolves when it is as durable as
   * asked; work that throws changes nothing. Work may await nothing but requests of the transaction.
   */
  transact<T>(
    tables: readonly Table[],
    mode: 'readonly' | 'readwrite',
    work: (at: (table: Table) => IDBObjectStore) => Promise<T>,
    isStrict?: boolean,
  ): Promise<T>
  close(): Promise<void>
}

/** A database that is opened when it is first used. */
export function newDatabase(name: string): Database {
  let opening: Promise<IDBDatabase> | undefined
  let isClosed = false
  let isGone = false

  function opened(): Promise<IDBDatabase> {
    opening ??= openDatabase(name, () => {
      isGone = true
    })
    // A failed attempt does not decide the next one.
    opening.catch(() => {
      opening = undefined
    })
    return opening
  }

  return {
    name,
    async transact(names, mode, work, isStrict = false) {
      if (isClosed) throw storeError('closed', { what: `IndexedDB store "${name}"` })
      const database = await opened()
      if (isGone) throw backendError('store-moved', { file: name })
      const transaction = begin(database, names, mode, isStrict, name)
      const ended = endOf(transaction, name)
      // The work fails too, and says it first.
      ended.catch(() => {})
      try {
        const result = await work(table => transaction.objectStore(table))
        transaction.commit()
        await ended
        return result
      } catch (error) {
        abort(transaction)
        throw await failureOf(name, error)
      }
    },
    async close() {
      if (isClosed) return
      isClosed = true
      const database = await opening?.catch(() => undefined)
      database?.close()
    },
  }
}

function begin(
  database: IDBDatabase,
  names: readonly Table[],
  mode: 'readonly' | 'readwrite',
  isStrict: boolean,
  name: string,
): IDBTransaction {
  try {
    return database.transaction([...names], mode, { durability: isStrict ? 'strict' : 'relaxed' })
  } catch (cause) {
    // The browser closed it: its data were cleared, or its disk failed.
    throw backendError('store-moved', { file: name }, { cause })
  }
}

function abort(transaction: IDBTransaction): void {
  try {
    transaction.abort()
  } catch {
    // It has ended already.
  }
}

function endOf(transaction: IDBTransaction, name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve()
    transaction.onabort = () =>
      failureOf(name, transaction.error ?? new Error('the transaction was aborted')).then(reject, reject)
  })
}

/** The result of a request. */
export function resultOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}

/** All keys below a beginning, which has at least the namespace. An empty list comes after every text, number and bytes. */
export function below(...beginning: readonly IDBValidKey[]): IDBKeyRange {
  return IDBKeyRange.bound(beginning, [...beginning, []])
}

/** The tables of everything that belongs to a namespace but its head. */
export const contentTables: readonly Table[] = tables.filter(table => table !== 'heads')

function openDatabase(name: string, onGone: () => void): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const fail = (error: unknown): void => reject(openFailure(name, error))
    try {
      const request = indexedDB.open(name, VERSION)
      request.onupgradeneeded = () => makeTables(request.result)
      request.onerror = () => fail(request.error)
      request.onsuccess = () => {
        const database = request.result
        // Another tab deletes the database, or a later version of the library changes it.
        database.onversionchange = () => {
          onGone()
          database.close()
        }
        database.onclose = onGone
        resolve(database)
      }
    } catch (error) {
      fail(error)
    }
  })
}

function makeTables(database: IDBDatabase): void {
  for (const table of tables) {
    const made = database.createObjectStore(table)
    if (table === 'entries') made.createIndex(commitIndex, ['namespace', 'id'])
  }
}
