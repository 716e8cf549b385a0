/**
 * Polls for entries that other processes add to a namespace in a `KVStore`.
 *
 * The cell is read at intervals, one read at a time. A failed read is ignored: the listener's own next read fails too, and
 * has a caller that gets the error.
 */
import type { KVStore } from '../../store/contract/backend.ts'
import { decodeCell } from './cell.ts'
import type { NamespaceKeys } from './keys.ts'

/** Calls `onChange` after a namespace's cell has changed. Returns the function that stops it. */
export function pollCell(store: KVStore, keys: NamespaceKeys, everyMs: number, onChange: () => void): () => void {
  let seen: number | undefined
  let isAsking = false

  async function look(): Promise<void> {
    if (isAsking) return
    isAsking = true
    try {
      const { seq } = decodeCell(keys, await store.get(keys.cell))
      const hasMoved = seen !== undefined && seq !== seen
      seen = seq
      if (hasMoved) onChange()
    } catch {
      // Ignored, as the header says.
    } finally {
      isAsking = false
    }
  }

  void look()
  const timer = setInterval(() => void look(), everyMs)
  // A number in a browser, which ends with its page.
  timer.unref?.()
  return () => clearInterval(timer)
}
