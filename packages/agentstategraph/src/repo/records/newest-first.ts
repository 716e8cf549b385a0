/** A queue of sequence numbers that gives the largest first: the order in which a walk back meets no commit too early. */

export interface Queue {
  /** Adds a number, unless it is there already. */
  add(seq: number): void
  /** Takes the largest out. */
  take(): number | undefined
  all(): readonly number[]
}

/** A heap; histories are wide only where many branches are open at once, and then it matters. */
export function newestFirst(seqs: readonly number[]): Queue {
  const heap: number[] = []
  const waiting = new Set<number>()
  const queue: Queue = {
    all: () => [...waiting],
    add(seq) {
      if (waiting.has(seq)) return
      waiting.add(seq)
      let at = heap.push(seq) - 1
      while (at > 0) {
        const above = (at - 1) >> 1
        if (heap[above]! >= seq) break
        heap[at] = heap[above]!
        at = above
      }
      heap[at] = seq
    },
    take() {
      const top = heap[0]
      const last = heap.pop()
      if (top !== undefined) waiting.delete(top)
      if (top === undefined || last === undefined || heap.length === 0) return top
      let at = 0
      for (;;) {
        let below = at * 2 + 1
        if (below >= heap.length) break
        if (below + 1 < heap.length && heap[below + 1]! > heap[below]!) below++
        if (heap[below]! <= last) break
        heap[at] = heap[below]!
        at = below
      }
      heap[at] = last
      return top
    },
  }
  for (const seq of seqs) queue.add(seq)
  return queue
}
