/** A store that is made from a backup of it. */

import type { Backend } from '../store/index.ts'

/** Puts a checked copy of a file in the place of a store. Returns the name of a store that was replaced. */
export async function restoredStore(
  backup: string,
  store: string,
  replaces: boolean,
  check: (copy: Backend) => Promise<void>,
): Promise<string | undefined> {
  // Loaded when it is needed, because a browser cannot load it.
  const { restoreStore } = await import('../backends/restore-store.ts')
  return restoreStore(backup, store, replaces, check)
}
