/** The commits among which the first bad one is looked for. */

import { hexOfId } from '../../core/index.ts'
import { readCommit, type StoredCommit, type Work } from '../../store/index.ts'
import { repoError } from '../errors.ts'
import type { Handle } from '../handle.ts'
import { locate, type Revision } from '../query/revision.ts'
import { ancestry } from '../visibility/ancestry.ts'
import { readScopeOf } from '../visibility/read-scope.ts'
import { isReadableCommit } from '../visibility/readable-commit.ts'

/**
 * The sequence numbers of the commits on the way from a good one to a bad one, oldest first; the bad one is the last.
 *
 * A caller with a limited view gets the commits that changed what it may read: it sees no difference at the others.
 */
export function* suspectsOf(handle: Handle, good: Revision, bad: Revision): Work<number[]> {
  const { journal } = handle
  const { commit: from } = yield* locate(handle, good)
  const { commit: to, names } = yield* locate(handle, bad)
  const view = (yield* readScopeOf(handle))?.on(names)
  const suspects: number[] = []
  for (const seq of yield* wayBetween(handle, from, to)) {
    if (view === undefined || (yield* isReadableCommit(journal, yield* readCommit(journal, seq), view)))
      suspects.push(seq)
  }
  if (suspects.length === 0) throw repoError('histories-unrelated', { source: hexOfId(from.id), into: hexOfId(to.id) })
  return suspects.reverse()
}

/** From `to` back to `from`, without `from`: at each commit along the first parent that leads there. Empty when none does. */
function* wayBetween(handle: Handle, from: StoredCommit, to: StoredCommit): Work<number[]> {
  const parents = new Map<number, readonly number[]>()
  const walk = ancestry(handle, [to.seq], false)
  for (let at = yield* walk.next(); at !== undefined && at.seq > from.seq; at = yield* walk.next()) {
    parents.set(at.seq, at.parents)
  }
  // The walk was newest first, so in the other order every parent comes before its children.
  const leading = new Set([from.seq])
  for (const [seq, above] of [...parents].reverse()) if (above.some(one => leading.has(one))) leading.add(seq)
  const way: number[] = []
  if (!leading.has(to.seq)) return way
  for (let seq = to.seq; seq !== from.seq; seq = parents.get(seq)!.find(one => leading.has(one))!) way.push(seq)
  return way
}
