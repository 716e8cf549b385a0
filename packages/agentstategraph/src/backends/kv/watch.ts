/**
 * Noticing what other processes add to a namespace in a `KVStore`.
 *
 * A store cannot call, so its cell is read again and again, one question at a time. A failing read is passed over: the
 * listener's own next read has a caller to tell.
 */
import type { KVStore } from '../../store/contract/backend.ts'
import { decodeCell } from './cell.ts'

/** Calls `onChange` after a namespace's cell has moved, until the function it returns is called. */
export function pollCell(store: KVStore, cell: string, everyMs: number, onChange: () => void): () => void {
  let seen: number | undefined
  let isAsking = false

  async function look(): Promise<void> {
    if (isAsking) return
    isAsking = true
    try {
      const { seq } = decodeCell(await store.get(cell))
      const hasMoved = seen !== undefined && seq !== seen
      seen = seq
      if (hasMoved) onChange()
    } catch {
      // Passed over, as said above.
    } finally {
      isAsking = false
    }
  }

  void look()
  const timer = setInterval(() => void look(), everyMs)
  timer.unref()
  return () => clearInterval(timer)
}
