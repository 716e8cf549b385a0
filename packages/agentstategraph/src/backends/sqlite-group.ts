/**
 * Appends that are made durable together.
 *
 * What waits at the same time goes into one transaction, and so onto the disk with one flush. Each append is a savepoint
 * in it: one that fails fails alone. It knows neither SQL tables nor files.
 */
import type { Append, Appended } from '../store/backend.ts'
import { explained } from './sqlite-busy.ts'
import type { Connection } from './sqlite-connection.ts'

interface Waiting {
  readonly run: () => Appended
  readonly resolve: (appended: Appended) => void
  readonly reject: (reason: unknown) => void
}

export interface Group {
  /** Appends with the next group; settles when the group is on disk. */
  append(namespace: string, batch: Append): Promise<Appended>
  /** Writes what waits now. */
  flush(): void
}

/** Makes the group of one connection. `append` runs inside its transaction, `onDone` after it. */
export function appendGroup(
  { file, database, write }: Connection,
  append: (namespace: string, batch: Append) => Appended,
  onDone: (namespace: string, batch: Append, appended: Appended) => void,
): Group {
  const savepoint = database.prepare('SAVEPOINT one')
  const undo = database.prepare('ROLLBACK TO one')
  const release = database.prepare('RELEASE one')
  let waiting: Waiting[] = []

  /** Runs one append in its savepoint and returns how to settle its promise once the group is on disk. */
  function attempt({ run, resolve, reject }: Waiting): () => void {
    savepoint.run()
    try {
      const appended = run()
      return () => resolve(appended)
    } catch (e) {
      undo.run()
      const reason = explained(file, e)
      return () => reject(reason)
    } finally {
      release.run()
    }
  }

  function flush(): void {
    if (waiting.length === 0) return
    const group = waiting
    waiting = []
    try {
      for (const settle of write('FULL', () => group.map(attempt))) settle()
    } catch (e) {
      for (const { reject } of group) reject(e)
    }
  }

  return {
    append: (namespace, batch) =>
      new Promise((resolve, reject) => {
        if (waiting.length === 0) setImmediate(flush)
        waiting.push({
          run: () => append(namespace, batch),
          resolve(appended) {
            onDone(namespace, batch, appended)
            resolve(appended)
          },
          reject,
        })
      }),
    flush,
  }
}
