/** A plain connection to a SQLite file, past the backend, with whichever driver this Node has. */
import { createRequire } from 'node:module'

const { DatabaseSync } =
  process.getBuiltinModule('node:sqlite') ?? createRequire(import.meta.url)('@photostructure/sqlite')

/** Opens a file as it is. */
export function openDatabase(file) {
  return new DatabaseSync(file)
}
