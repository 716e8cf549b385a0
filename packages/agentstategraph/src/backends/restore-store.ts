/** Restoring a SQLite store from a file: a copy of that file gets the name of the store. */
import type { Backend } from '../store/contract/backend.ts'
import { type CheckCopy, replaceStore } from './sqlite/space/copy.ts'
import { sqlite } from './sqlite/sqlite-backend.ts'

/** Returns the name that a replaced store has now. Without `replaces`, a store that exists is left alone. */
export async function restoreStore(
  backup: string,
  store: string,
  replaces: boolean,
  check: CheckCopy,
): Promise<string | undefined> {
  await using source: Backend = sqlite(backup, { readOnly: true })
  if (replaces) return await replaceStore(source, store, check)
  await source.backup!(store, check)
  return undefined
}
