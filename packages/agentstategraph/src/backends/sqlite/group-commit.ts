/**
 * Group commit: appends that become durable together.
 *
 * Appends that wait at the same time share one transaction, and so one sync of the disk. Each append is a savepoint in it,
 * so one that fails fails alone. This file knows neither SQL tables nor files.
 */
import { isStateError } from '../../core/errors.ts'
import type { Append, Appended } from '../../store/contract/backend.ts'
import { nowOrWhenFree, StoreLocked } from '../../store/contract/lock.ts'
import { isFull, toBackendError } from './busy.ts'
import type { Connection } from './connection.ts'

interface Waiting {
  readonly makesRoom: boolean
  readonly run: () => Appended
  readonly resolve: (appended: Appended) => void
  readonly reject: (reason: unknown) => void
}

export interface Group {
  /** Appends with the next group; resolves when the group is on disk. */
  append(namespace: string, batch: Append): Promise<Appended>
  /** Writes the waiting appends now. Throws only `StoreLocked`, and they go on waiting. */
  flush(): void
  /** Writes them when the file is free. */
  flushed(): Promise<void>
  isEmpty(): boolean
}

/** Makes the group of one connection. `append` runs inside its transaction, `onDone` after it. */
export function appendGroup(
  { file, database, lock, write }: Connection,
  append: (namespace: string, batch: Append) => Appended,
  onDone: (namespace: string, batch: Append, appended: Appended) => void,
): Group {
  const savepoint = database.prepare('SAVEPOINT one')
  const undo = database.prepare('ROLLBACK TO one')
  const release = database.prepare('RELEASE one')
  let waiting: Waiting[] = []
  /** Whether the waiting appends do not fit together, and are written one by one. */
  let isTooLarge = false

  /** Runs one append in its savepoint and returns how to settle its promise once the group is on disk. */
  function attempt({ run, resolve, reject }: Waiting): () => void {
    savepoint.run()
    try {
      const appended = run()
      release.run()
      return () => resolve(appended)
    } catch (e) {
      // For lack of space SQLite has rolled back the whole transaction.
      if (isFull(e)) throw e
      undo.run()
      release.run()
      const reason = toBackendError(file, e)
      return () => reject(reason)
    }
  }

  function flush(): void {
    while (waiting.length > 0) writeTogether(isTooLarge ? waiting.slice(0, 1) : waiting)
    isTooLarge = false
  }

  /** Writes the first of the waiting appends, and takes them out when that has an outcome. */
  function writeTogether(group: readonly Waiting[]): void {
    const purpose = group.every(({ makesRoom }) => makesRoom) ? 'free' : 'add'
    let settled: readonly (() => void)[]
    try {
      settled = write('FULL', () => group.map(attempt), purpose)
    } catch (e) {
      if (e instanceof StoreLocked) throw e
      // An append that does not fit must not fail the others of its group.
      if (group.length > 1 && isStateError(e, 'store-full')) {
        isTooLarge = true
        return
      }
      settled = group.map(
        ({ reject }) =>
          () =>
            reject(e),
      )
    }
    waiting = waiting.slice(group.length)
    for (const settle of settled) settle()
  }

  async function flushed(): Promise<void> {
    try {
      await nowOrWhenFree(lock, flush)
    } catch (e) {
      for (const { reject } of waiting.splice(0)) reject(e)
    }
  }

  return {
    append: (namespace, batch) =>
      new Promise((resolve, reject) => {
        if (waiting.length === 0) setImmediate(flushed)
        waiting.push({
          makesRoom: batch.makesRoom === true,
          run: () => append(namespace, batch),
          resolve(appended) {
            onDone(namespace, batch, appended)
            resolve(appended)
          },
          reject,
        })
      }),
    flush,
    flushed,
    isEmpty: () => waiting.length === 0,
  }
}
