/**
 * The nearest ancestor of a commit that passed the gate, and what differs from it.
 *
 * A commit passes the gate when it lands on a branch or thread, and when one of them is moved to it. Commits that were imported,
 * drafted, proposed or tagged only are in the journal without that.
 */

import { parseKnownPath } from '../../core/index.ts'
import { type Journal, pausePoint, readCommit, type StoredCommit, type Work } from '../../store/index.ts'
import { diff, rootOf } from '../../tree/index.ts'
import type { ProposedChange } from '../records/proposed-change.ts'
import { isLandingRef, listRefs } from '../records/ref-names.ts'

/** The commit itself or its nearest first parent that passed the gate. */
export function* nearestLanded(journal: Journal, commit: StoredCommit): Work<StoredCommit | undefined> {
  let moved: ReadonlySet<number> | undefined
  for (let at = commit; ; at = yield* readCommit(journal, at.parents[0]!)) {
    if (at.entry.moves.some(([name, , to]) => to === 0 && isLandingRef(name))) return at
    moved ??= yield* movedHeads(journal)
    if (moved.has(at.seq)) return at
    if (at.parents.length === 0) return undefined
    yield pausePoint
  }
}

/** Where branches and threads are, and where they were when a commit landed on them: a move there was judged. */
function* movedHeads(journal: Journal): Work<ReadonlySet<number>> {
  const heads = new Set<number>()
  const seen = new Set<number>()
  for (const { name, seq } of yield* listRefs('')) {
    if (!isLandingRef(name)) continue
    heads.add(seq)
    for (let at: number | undefined = seq; at !== undefined && !seen.has(at); ) {
      seen.add(at)
      const { entry, parents }: StoredCommit = yield* readCommit(journal, at)
      for (const [ref, from, to] of entry.moves) if (to === 0 && from !== null && isLandingRef(ref)) heads.add(from)
      at = parents[0]
      yield pausePoint
    }
  }
  return heads
}

/** The places in which two states differ; without a state before, everything. */
export function* placesBetween(
  { context }: Journal,
  before: ProposedChange['before'],
  after: ProposedChange['after'],
): Work<readonly (readonly string[])[]> {
  const empty = rootOf(context, {}, 0)
  const changes = [
    ...(yield* diff(context, before?.tree ?? empty, after.tree)),
    ...(yield* diff(context, before?.system ?? empty, after.system)),
  ]
  return changes.map(({ path }) => parseKnownPath(path))
}
