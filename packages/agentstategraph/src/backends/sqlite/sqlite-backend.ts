/**
 * The SQLite backend: one file, many namespaces, many processes.
 *
 * This file assembles the parts and owns what they share: one connection, its prepared statements and the listeners. It
 * contains no SQL.
 */
import { checkOptions, optionsOf } from '../../core/index.ts'
import { asyncLog } from '../../store/contract/async-log.ts'
import type {
  Append,
  Appended,
  Backend,
  Durability,
  Log,
  NewEntry,
  Repack,
  SyncLog,
} from '../../store/contract/backend.ts'
import { type ChangeListeners, changeListeners } from '../../store/contract/change-listeners.ts'
import { nowOrWhenFree } from '../../store/contract/lock.ts'
import { appendInside } from './append.ts'
import { cellTables } from './cells/cell-tables.ts'
import { spaceOf } from './cells/row-form.ts'
import { sqliteChecks } from './check.ts'
import { checkpoints } from './checkpoint.ts'
import { type Connection, openConnection } from './connection.ts'
import { loadSqliteDriver, type SqliteDriverName } from './driver.ts'
import { dropper } from './drop.ts'
import { appendGroup, type Group } from './group-commit.ts'
import { findCommits } from './index/find.ts'
import { packTotals } from './index/pack-total.ts'
import { sqliteIndexes } from './index/query-index.ts'
import { assertDiskFits, pageBytes, sizeLimit } from './limit.ts'
import { sqliteMarks } from './marks.ts'
import type { SqliteModule } from './module.ts'
import { openStore } from './open-store.ts'
import { sqliteReads } from './read.ts'
import { compactStore } from './space/compact.ts'
import { copyStore } from './space/copy.ts'
import { diskReserve, openWithReserve, retryWithReserve } from './space/reserve.ts'
import { fileAt } from './store-file.ts'
import { sqliteUpkeep } from './upkeep.ts'
import { pollDataVersion } from './watch.ts'

/** Options of `sqlite`. */
export interface SqliteOptions {
  /** A driver by name, or a module with the `DatabaseSync` of `node:sqlite`. By default the first usable one. */
  readonly driver?: SqliteDriverName | SqliteModule
  /** How large the write-ahead log may grow before it is moved into the file, in one call. 8 MiB by default. */
  readonly maxLogBytes?: number
  /** How many bytes the file and its log may take; an append beyond that is refused with `store-full`. No limit by default. */
  readonly maxBytes?: number
  /**
   * Opens an existing file for reading only, also on a file system that is read-only; creates and indexes nothing. A store on
   * such a file system must not change while it is open.
   */
  readonly readOnly?: boolean
}

const sqliteOptions = optionsOf<SqliteOptions>('sqlite', {
  driver: true,
  maxLogBytes: true,
  maxBytes: true,
  readOnly: true,
})

/** Opens a SQLite file as a backend, and creates it when it does not exist. */
export function sqlite(file: string, options: SqliteOptions = {}): Backend {
  checkOptions(sqliteOptions, options)
  const module = loadSqliteDriver(options.driver)
  const limit = options.maxBytes === undefined ? undefined : sizeLimit(options.maxBytes)
  const reserve = diskReserve(fileAt(file), limit?.hasDiskReserve ?? true)
  const open = (): Connection => openConnection(file, module, { limit, readOnly: options.readOnly })
  const opened = options.readOnly === true ? open() : openWithReserve(file, reserve, open)
  const maxLogBytes = options.maxLogBytes ?? limit?.logBytes ?? 8 * 2 ** 20
  const moving = checkpoints(opened, maxLogBytes, () => openStore(opened.file, module), reserve.keep)
  const retry = retryWithReserve(reserve, moving.shrinkLog)
  const write: Connection['write'] = (synchronous, work, purpose) => {
    try {
      return opened.write(synchronous, work, purpose)
    } catch (e) {
      return retry(e, purpose, () => opened.write(synchronous, work, purpose))
    }
  }
  const vacuum = (): void => {
    try {
      opened.vacuum()
    } catch (e) {
      retry(e, 'free', opened.vacuum)
    }
  }
  const connection = { ...opened, write, vacuum }
  const { database } = connection
  const tables = cellTables(database, connection.file)
  const reads = sqliteReads(connection, tables)
  const totals = packTotals(database, tables)
  const drop = dropper(database, totals)
  const checks = sqliteChecks(connection, tables)
  const append = appendInside(database, tables, totals, (entries, repacks) => {
    if (isLarge(entries)) assertDiskFits(connection.file, 2 * bytesOf(entries, repacks))
  })
  const ids = findCommits(connection, tables, moving.wrote)
  const indexOf = sqliteIndexes(connection, tables, totals, moving.wrote)
  const upkeepOf = sqliteUpkeep(connection, tables, () => moving.wrote(Number.POSITIVE_INFINITY))
  const [marks, tails] = [sqliteMarks(connection, 'head'), sqliteMarks(connection, 'tail')]
  const polling = pollDataVersion(connection, () => listeners.notifyAll())
  const listeners: ChangeListeners = changeListeners(
    () => watch(true),
    () => watch(false),
  )
  let isWatched = false
  let group: Group | undefined

  function onDone(namespace: string, { entries, repacks }: Append, appended: Appended): void {
    if (appended.kind !== 'done') return
    moving.wrote(bytesOf(typeof entries === 'function' ? entries(appended.first) : entries, repacks))
    if (isWatched) listeners.notify(namespace)
  }

  function watch(isBegun: boolean): void {
    isWatched = isBegun
    if (isBegun) polling.start()
    else polling.stop()
  }

  function syncLog(name: string, durability: Durability): SyncLog {
    const synchronous = durability === 'normal' ? 'NORMAL' : 'FULL'
    const { write } = connection
    return {
      append(batch) {
        group?.flush()
        const appended = write(synchronous, () => append(name, batch), batch.makesRoom === true ? 'free' : 'add')
        onDone(name, batch, appended)
        return appended
      },
      entries: (from, to, columns) => reads.entries(name, from, to, columns),
      parts: pointers => reads.parts(name, pointers),
      find: (prefix, limit) => ids.find(name, prefix, limit),
      indexIds: () => ids.indexIds(name),
      ref: ref => reads.ref(name, ref),
      key: key => reads.key(name, key),
      refs: (prefix, part) => reads.refs(name, prefix, part),
      head: () => reads.head(name),
      check: seen => checks.check(name, seen),
      dropPacks(seqs, newest) {
        const isDone = write(synchronous, () => drop.packs(name, seqs, newest), 'free')
        if (isDone) moving.wrote(seqs.length * pageBytes)
        return isDone
      },
      packBytes: (from, to) => reads.packBytes(name, from, to),
      packTotal: () => connection.readTogether(() => totals.find(spaceOf(name))),
      index: indexOf(name),
    }
  }

  function log(name: string, durability: Durability): Log {
    const onChange = (listener: () => void): (() => void) => {
      connection.assertOpen()
      return listeners.add(name, listener)
    }
    const grouped = async (batch: Append): Promise<Appended> => {
      connection.assertOpen()
      group ??= appendGroup(connection, append, onDone)
      return group.append(name, batch)
    }
    const { lock } = connection
    const own = { onChange, lock, upkeep: upkeepOf(name) }
    return asyncLog(syncLog(name, durability), durability === 'group' ? { ...own, append: grouped } : own)
  }

  async function close(): Promise<void> {
    if (!connection.isOpen()) return
    if (group?.isEmpty() === false) await group.flushed()
    if (!connection.isOpen()) return
    listeners.clear()
    moving.close()
    connection.close()
    if (!connection.isReadOnly) reserve.keep()
  }

  return {
    capabilities: { durable: true, shared: true, sync: true },
    namespaces: async () => reads.namespaces(),
    namespace(name, { durability = 'normal' } = {}) {
      connection.assertOpen()
      return log(name, durability)
    },
    async dropNamespace(name) {
      await nowOrWhenFree(connection.lock, () => connection.write('FULL', () => drop.namespace(name), 'free'))
      for (const { remove } of [marks, tails]) remove(name)
      moving.wrote(Number.POSITIVE_INFINITY)
    },
    backup: (target, check) =>
      copyStore(connection, target, copy => sqlite(copy, { driver: module, readOnly: true }), check),
    compact: async () => nowOrWhenFree(connection.lock, () => compactStore(connection, moving.shrinkLog)),
    close,
    marks,
    tails,
    [Symbol.asyncDispose]: close,
  }
}

/** Whether entries have more parts than fit into the reserve on the disk beside others. */
function isLarge(entries: readonly NewEntry[]): boolean {
  return entries.reduce((count, { parts }) => count + parts.length, 0) > 4
}

function bytesOf(entries: readonly NewEntry[], repacks: readonly Repack[] = []): number {
  let bytes = 0
  for (const { parts } of repacks) for (const part of parts) bytes += part.bytes.length
  for (const { text, commit, parts } of entries) {
    bytes += text.length + (commit?.text.length ?? 0)
    for (const part of parts) bytes += part.bytes.length
  }
  return bytes
}
