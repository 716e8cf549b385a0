/**
 * The errors of this layer: drivers, files and stores that cannot be used.
 *
 * Damaged entries and packs are errors of the store layer.
 */
import { type ErrorMaker, errorsOf } from '../core/errors.ts'

/** What each code of this layer carries. Codes are public API. */
export interface BackendErrors {
  'driver-missing': { readonly tried: readonly { readonly driver: string; readonly reason: string }[] }
  'driver-unsafe': {
    readonly driver: string
    readonly version: string
    readonly reason: string
    readonly remedy: string
  }
  'format-unsupported': {
    readonly file: string
    readonly found: number
    readonly supported: number
    /** A table that is not that of the format, or is missing. */
    readonly table?: string
  }
  'not-a-store': { readonly file: string; readonly found: string }
  'scheme-unknown': { readonly scheme: string }
  'store-missing': { readonly file: string }
  'file-exists': { readonly file: string }
  'store-moved': { readonly file: string }
  'log-left': { readonly file: string; readonly log: string }
  'read-only': { readonly operation: string }
  'store-busy': { readonly file: string; readonly waitedMs: number }
  'store-damaged': { readonly file: string; readonly reason: string }
  'store-failed': { readonly file: string; readonly reason: string }
  'store-full': { readonly file: string; readonly maxBytes: number; readonly usedBytes: number }
  'disk-full': { readonly file: string }
  'namespaces-full': { readonly file: string; readonly max: number }
  'contention-lost': { readonly namespace: string; readonly attempts: number }
  'redis-failed': { readonly prefix: string; readonly reason: string }
  'redis-missing': { readonly reason: string }
  'redis-unsafe': { readonly prefix: string; readonly policy: string }
  'postgres-failed': { readonly place: string; readonly reason: string }
  'postgres-missing': { readonly reason: string }
  'postgres-refused': { readonly place: string; readonly reason: string; readonly remedy: string }
  's3-failed': { readonly place: string; readonly reason: string }
  's3-missing': { readonly reason: string }
  's3-refused': { readonly place: string; readonly reason: string; readonly remedy: string }
  's3-unsafe': { readonly place: string; readonly reason: string }
  'segment-torn': { readonly place: string; readonly key: string; readonly reason: string }
  'indexeddb-failed': { readonly name: string; readonly reason: string }
  'indexeddb-refused': { readonly name: string; readonly reason: string }
  'quota-exceeded': { readonly name: string; readonly usedBytes: number }
  'outcome-unknown': { readonly namespace: string; readonly reason: string }
}

/** Makes the errors of this layer. */
export const backendError: ErrorMaker<BackendErrors> = errorsOf<BackendErrors>({
  'driver-missing': ({ tried }) => [
    `No SQLite driver can be used: ${tried.map(({ driver, reason }) => `${driver} (${reason})`).join(', ')}.`,
    'Run on Node 22.22.3 or a later 22, or on 24.15 or later, whose built-in one is new enough, or install @photostructure/sqlite and name no other.',
  ],
  'driver-unsafe': ({ driver, version, reason, remedy }) => [
    `The driver ${driver} with version ${version} is refused: ${reason}.`,
    remedy,
  ],
  'format-unsupported': ({ file, found, supported, table }) => [
    table === undefined
      ? `The store "${file}" has format ${found}; this version reads and writes format ${supported}.`
      : `The store "${file}" has format ${found}, and its table "${table}" is missing or is not that of the format.`,
    found > supported
      ? 'Upgrade the library, or open the store with the version that wrote it. Nothing was changed.'
      : 'Export it with the version that wrote it, and import the export into a new store. Nothing was changed.',
  ],
  'file-exists': ({ file }) => [
    `"${file}" exists already.`,
    'Nothing was written. Name another file, or move this one away.',
  ],
  'not-a-store': ({ file, found }) => [
    `"${file}" is not a store: it is ${found}.`,
    'Give the name of a store, or of a file that does not exist yet. Nothing was changed.',
  ],
  'scheme-unknown': ({ scheme }) => [
    `No backend opens addresses that begin with ${scheme}:.`,
    'Give a file name or a file: URL for SQLite, redis: or rediss: ("npm install ioredis"), postgres: ("npm install pg"), s3: ("npm install aws4fetch"), or a backend or key-value store of your own. A file name with a colon begins with "./".',
  ],
  'store-missing': ({ file }) => [
    `There is no store "${file}".`,
    'Check the name. Only a store that is opened for writing is created. Nothing was changed.',
  ],
  'store-moved': ({ file }) => [
    `The store "${file}" was moved, deleted or replaced while it was open, or the log beside it was.`,
    'Nothing was written, and nothing more is read or written here. Close it, put the right file in its place, and open it again.',
  ],
  'log-left': ({ file, log }) => [
    `There is no store "${file}", and beside that name lies the log of one: "${log}".`,
    'Put the store back together with its log; or, when no process has that store open, delete the log. Nothing was changed.',
  ],
  'read-only': ({ operation }) => [
    `${operation} was refused: it was opened for reading only.`,
    'Open it without readOnly to write.',
  ],
  'store-busy': ({ file, waitedMs }) => [
    `The store "${file}" was locked by another process for ${waitedMs} ms.`,
    'Look for a process that holds a transaction open on the file, then try again; nothing was changed.',
  ],
  'store-damaged': ({ file, reason }) => [
    `The store "${file}" is damaged: ${reason}.`,
    'Restore the file from a copy, together with the -wal file beside it if there is one.',
  ],
  'store-failed': ({ file, reason }) => [
    `The store "${file}" cannot be used: ${reason}.`,
    'Check that its folder exists and may be written, and that the disk has space and is local; nothing was changed.',
  ],
  'store-full': ({ file, maxBytes, usedBytes }) => [
    `The store "${file}" is full: it holds ${usedBytes} bytes and may take ${maxBytes}, with its log and a reserve.`,
    'Raise maxBytes, or drop what no branch and no tag reaches: by gc of agentstategraph/maintenance, or by the retention of ' +
      'disk, which does it when the folder is full. Nothing was changed, and all of it can be read.',
  ],
  'disk-full': ({ file }) => [
    `The disk of the store "${file}" is full.`,
    'Make room on the disk, or drop what no branch and no tag reaches by gc of agentstategraph/maintenance, which has a ' +
      'reserve for that. Nothing was changed, and all of it can be read.',
  ],
  'namespaces-full': ({ file, max }) => [
    `The store "${file}" cannot take one more namespace: it has had ${max}.`,
    'Use a second file for further namespaces.',
  ],
  'contention-lost': ({ namespace, attempts }) => [
    `An append to the namespace "${namespace}" lost ${attempts} races in a row; nothing was changed.`,
    'Try again, or let fewer processes write to this namespace.',
  ],
  'redis-failed': ({ prefix, reason }) => [
    `A call to the Redis store "${prefix}" failed: ${reason}.`,
    'Check that the server runs, can be reached, and has memory and rights for this account, then try again.',
  ],
  'redis-missing': ({ reason }) => [
    `No client for Redis can be loaded: ${firstLine(reason)}.`,
    'Install one with "npm install ioredis", or pass a client of your own.',
  ],
  'redis-unsafe': ({ prefix, policy }) => [
    `The server of the Redis store "${prefix}" is refused: its maxmemory-policy is ${policy}, which deletes keys when memory is full.`,
    'Set maxmemory-policy to noeviction. Nothing was changed.',
  ],
  'postgres-failed': ({ place, reason }) => [
    `A call to the PostgreSQL store "${place}" failed: ${reason}.`,
    'Check that the server runs, can be reached and has a free connection for this account, then try again.',
  ],
  'postgres-missing': ({ reason }) => [
    `No client for PostgreSQL can be loaded: ${firstLine(reason)}.`,
    'Install one with "npm install pg", or pass a pool of your own.',
  ],
  'postgres-refused': ({ place, reason, remedy }) => [
    `The PostgreSQL store "${place}" cannot be used: ${reason}.`,
    `${remedy} Nothing was changed.`,
  ],
  's3-failed': ({ place, reason }) => [
    `A request to the store "${place}" failed: ${reason}.`,
    'Check that the endpoint is right and can be reached, then try again.',
  ],
  's3-missing': ({ reason }) => [
    `No client for object storage can be loaded: ${firstLine(reason)}.`,
    'Install one with "npm install aws4fetch".',
  ],
  's3-refused': ({ place, reason, remedy }) => [
    `The store "${place}" cannot be used: ${reason}.`,
    `${remedy} Nothing was changed.`,
  ],
  's3-unsafe': ({ place, reason }) => [
    `The store "${place}" is refused: ${reason}.`,
    'Use a service with conditional writes, such as AWS S3; without them two writers overwrite each other.',
  ],
  'segment-torn': ({ place, key, reason }) => [
    `An object of the store "${place}" is damaged: "${key}": ${reason}.`,
    'Nothing is read past it. Restore the object from a version or a copy of the bucket. Where it is the newest segment and there is neither, repairTornSegment of ' +
      'agentstategraph/backends/s3, or asg repair --empty-torn, puts an empty one in its place.',
  ],
  'indexeddb-failed': ({ name, reason }) => [
    `A call to the IndexedDB store "${name}" failed: ${reason}.`,
    'Reload the page and try again. Nothing of this call was changed.',
  ],
  'indexeddb-refused': ({ name, reason }) => [
    `The browser does not open the IndexedDB store "${name}": ${reason}.`,
    'A private window, blocked cookies or a sandboxed frame may be why, or a full disk. Open the page without them, or keep the state in memory.',
  ],
  'quota-exceeded': ({ name, usedBytes }) => [
    `The browser gives the IndexedDB store "${name}" no more room: this site uses ${usedBytes} bytes.`,
    'Let the browser keep the data for good, free room on the disk, or drop what no branch and no tag reaches. Nothing was changed, and all of it can be read.',
  ],
  'outcome-unknown': ({ namespace, reason }) => [
    `Whether a write to the namespace "${namespace}" was done is unknown: ${reason}.`,
    'Read whether it is there, or repeat it with the same idempotencyKey, under which it is done once.',
  ],
})

/** What something that was thrown says, for the middle of a sentence. */
export function reasonOf(thrown: unknown): string {
  const reason = thrown instanceof Error ? thrown.message || thrown.name : String(thrown)
  return reason.replace(/\.$/, '')
}

/** What Node says of a missing package goes on with the files that asked for it. */
function firstLine(text: string): string {
  return text.split('\n', 1)[0]!
}
