/** The merge bases of two commits, found by a walk from the newest commit back. Sequence numbers serve as generation numbers. */

import { pausePoint, readCommit, type StoredCommit, type Work } from '../../store/index.ts'
import type { Handle } from '../handle.ts'
import { newestFirst } from '../records/newest-first.ts'

/** The newest common ancestors of two commits: one, several after criss-cross merges, none for unrelated histories. */
export function* mergeBases(handle: Handle, a: StoredCommit, b: StoredCommit): Work<StoredCommit[]> {
  const OURS = 1
  const THEIRS = 2
  const BELOW = 4 // below a common ancestor
  const marks = new Map<number, number>([[a.seq, OURS]])
  marks.set(b.seq, (marks.get(b.seq) ?? 0) | THEIRS)
  const queue = newestFirst([a.seq, b.seq])
  const bases: StoredCommit[] = []
  let open = a.seq === b.seq ? 1 : 2
  while (open > 0) {
    const seq = queue.take()!
    const mark = marks.get(seq)!
    if ((mark & BELOW) === 0) open--
    yield pausePoint
    const commit = yield* readCommit(handle.journal, seq)
    const isBase = mark === (OURS | THEIRS)
    if (isBase) bases.push(commit)
    const passed = isBase ? mark | BELOW : mark
    for (const parent of commit.parents) {
      const before = marks.get(parent)
      const after = (before ?? 0) | passed
      if (before === undefined) queue.add(parent)
      const wasOpen = before !== undefined && (before & BELOW) === 0
      const isOpen = (after & BELOW) === 0
      if (isOpen && before === undefined) open++
      if (!isOpen && wasOpen) open--
      marks.set(parent, after)
    }
  }
  return bases
}
