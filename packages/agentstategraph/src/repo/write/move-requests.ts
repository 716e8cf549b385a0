/**
 * What refs that move by themselves ask for.
 *
 * A branch that is made, deleted or moved is asked for by name; one that moves to another state is asked for what differs, as a
 * merge would be. A new branch, and a tag, is judged by what differs from the nearest ancestor that passed the gate: a commit that
 * landed on a branch or thread, or that one of them was moved to. Of commits that were imported, drafted or tagged only, nothing was
 * ever judged, and their content would come in by the name alone.
 */

import { appendAll } from '../../core/index.ts'
import { type Move, readCommit, type Work } from '../../store/index.ts'
import type { Authorization } from '../access/admit.ts'
import { requestsAt } from '../access/landing-requests.ts'
import { authorizedPlaces } from '../access/list-places.ts'
import { nearestLanded, placesBetween } from '../access/nearest-landed.ts'
import type { Handle } from '../handle.ts'
import type { AccessRequest } from '../records/capability.ts'
import type { ProposedChange } from '../records/proposed-change.ts'
import { grantNameOf, runPrefix, tagPrefix, threadPrefix } from '../records/ref-names.ts'

export function* requestsOfMoves(handle: Handle, moves: readonly Move[]): Work<Omit<Authorization, 'agent'>> {
  const requests: AccessRequest[] = []
  const changes: ProposedChange[] = []
  for (const { name, expect, to } of moves) {
    const branch = grantNameOf(name)
    if (to === expect || goesWith(name, moves)) continue
    const tag = name.startsWith(tagPrefix) ? name.slice(tagPrefix.length) : undefined
    if (tag !== undefined) requests.push({ capability: 'tag', branch: tag })
    else if (branch === undefined || (to !== null && typeof to !== 'number')) requests.push({ capability: 'admin' })
    else if (to === null) requests.push({ capability: 'delete-branch', branch })
    else if (expect === null) requests.push({ capability: 'branch', branch })
    const named = tag ?? branch
    if (named === undefined || typeof to !== 'number') continue
    const change = yield* findAct(handle, named, tag === undefined ? expect : null, to)
    if (change === undefined) continue
    appendAll(requests, requestsAt('merge', named, change.changed))
    changes.push(change)
  }
  return { requests, changes }
}

/** Whether a ref is what a thread has beside its head, and the head is moved with it. */
function goesWith(name: string, moves: readonly Move[]): boolean {
  if (!name.startsWith(runPrefix)) return false
  const thread = threadPrefix + name.slice(runPrefix.length)
  return moves.some(move => move.name === thread)
}

/** What a ref changes by coming to a commit; undefined when it is made at one that passed the gate. */
function* findAct(
  { journal }: Handle,
  branch: string,
  from: number | null,
  to: number,
): Work<ProposedChange | undefined> {
  const after = yield* readCommit(journal, to)
  const before = from === null ? yield* nearestLanded(journal, after) : yield* readCommit(journal, from)
  if (before?.seq === after.seq) return undefined
  const changed = yield* authorizedPlaces(journal, before, after, yield* placesBetween(journal, before, after))
  return { branch, category: 'Merge', changed, before, after }
}
