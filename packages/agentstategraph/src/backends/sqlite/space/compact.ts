/**
 * Compacting a SQLite store: free pages go back to the file system.
 *
 * SQLite rewrites the file in one transaction of the write-ahead log, beside readers and other processes; the log then moves
 * into a shorter file. The copy is made in a temporary file, and the log needs as much room as the store has data.
 */
import { statSync } from 'node:fs'
import type { Compacted } from '../../../store/contract/backend.ts'
import type { Connection } from '../connection.ts'

/** Compacts the store. `shrinkLog` moves the log into the file and gives its room back. */
export function compactStore({ file, vacuum }: Connection, shrinkLog: () => void): Compacted {
  const bytesBefore = bytesOf(file)
  shrinkLog()
  try {
    vacuum()
  } finally {
    shrinkLog()
  }
  return { bytesBefore, bytesAfter: bytesOf(file) }
}

function bytesOf(file: string): number {
  return [file, `${file}-wal`].reduce((sum, name) => sum + (statSync(name, { throwIfNoEntry: false })?.size ?? 0), 0)
}
