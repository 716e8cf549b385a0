/** Bytes as the file system counts them: the only measure that is the same for every store. */
import { statSync } from 'node:fs'

/** Gives the bytes of a database file, after what waits in its log has been moved into it. */
export function bytesOf(database, file) {
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  return statSync(file).size
}
