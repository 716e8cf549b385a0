/**
 * Polls for segments that other processes add to a namespace.
 *
 * A failed look is ignored: the listener's own next read fails too, and has a caller that gets the error.
 */
import type { Chain } from './chain.ts'

/** Calls `onChange` after a namespace has more segments, or another journal. Returns the function that stops it. */
export function pollChain(chain: Pick<Chain, 'fresh'>, everyMs: number, onChange: () => void): () => void {
  let seen: string | undefined
  let isLooking = false

  async function look(): Promise<void> {
    if (isLooking) return
    isLooking = true
    try {
      const { seq, began } = await chain.fresh()
      const now = `${began}/${seq}`
      const hasMoved = seen !== undefined && now !== seen
      seen = now
      if (hasMoved) onChange()
    } catch {
      // Ignored, as the header says.
    } finally {
      isLooking = false
    }
  }

  void look()
  const timer = setInterval(() => void look(), everyMs)
  timer.unref()
  return () => clearInterval(timer)
}
