/**
 * Polls for writes of other connections to a SQLite store.
 *
 * SQLite has no notifications, so this reads `data_version` 20 times a second while there are listeners. It reports that
 * something changed, not what or where.
 */
import type { Connection } from './connection.ts'

const everyMs = 50

export interface Polling {
  start(): void
  stop(): void
}

/** Makes a poll that calls `onChange` after a commit of another connection. */
export function pollDataVersion({ database, read }: Connection, onChange: () => void): Polling {
  let timer: ReturnType<typeof setInterval> | undefined
  let seen = 0
  const statement = database.prepare('PRAGMA store.data_version')
  const version = (): number => read(() => statement.get() as { data_version: number }).data_version

  function look(): void {
    try {
      const now = version()
      if (now === seen) return
      seen = now
    } catch {
      // The listener's own next read fails too, and has a caller that gets the error.
      return
    }
    onChange()
  }

  return {
    start() {
      seen = version()
      timer = setInterval(look, everyMs)
      timer.unref()
    },
    stop: () => clearInterval(timer),
  }
}
