/**
 * Whether the process that started this one is still there.
 *
 * The end of its pipe tells it, unless a process that it forked still holds the pipe. Then the parent of this process changes.
 */

const INTERVAL_MS = 1000

/** Calls back once when the parent is gone. `given` is the process that started this one, where it said so. */
export function whenOrphaned(given: number | undefined, onOrphaned: () => void): () => void {
  const parent = given ?? process.ppid
  const timer = setInterval(look, INTERVAL_MS)
  timer.unref()
  function look(): void {
    if (process.ppid === parent) return
    clearInterval(timer)
    onOrphaned()
  }
  look()
  return () => clearInterval(timer)
}
