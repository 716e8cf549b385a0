/** The merge bases of two commits, found by a walk from the newest commit back. Sequence numbers serve as generation numbers. */

import { pausePoint, type Work } from '../../store/index.ts'
import { newestFirst } from '../records/newest-first.ts'

/** What the walk knows of a commit. A parent has a smaller number than its children. */
interface Ancestor {
  readonly seq: number
  readonly parents: readonly number[]
}

const OURS = 1
const THEIRS = 2
const BELOW = 4 // below a common ancestor

/**
 * The newest common ancestors of two commits: one, several after criss-cross merges, none for unrelated histories.
 *
 * The walk ends when no commit in the queue is an ancestor of ours, or none is one of theirs, except below a base. Its cost
 * follows the commits since the last merge, not the length of the history.
 */
export function* mergeBases<T extends Ancestor>(a: T, b: T, read: (seq: number) => Work<T>): Work<T[]> {
  const marks = new Map<number, number>()
  const open = { ours: 0, theirs: 0 }
  const count = (mark: number, by: 1 | -1): void => {
    if ((mark & BELOW) !== 0) return
    if ((mark & OURS) !== 0) open.ours += by
    if ((mark & THEIRS) !== 0) open.theirs += by
  }
  const queue = newestFirst([])
  const reach = (seq: number, mark: number): void => {
    const before = marks.get(seq) ?? 0
    count(before, -1)
    count(before | mark, 1)
    marks.set(seq, before | mark)
    if (before === 0) queue.add(seq)
  }
  reach(a.seq, OURS)
  reach(b.seq, THEIRS)
  const bases: T[] = []
  while (open.ours > 0 && open.theirs > 0) {
    const seq = queue.take()!
    const mark = marks.get(seq)!
    count(mark, -1)
    yield pausePoint
    const commit = yield* read(seq)
    const isBase = mark === (OURS | THEIRS)
    if (isBase) bases.push(commit)
    for (const parent of commit.parents) reach(parent, isBase ? mark | BELOW : mark)
  }
  return bases
}
