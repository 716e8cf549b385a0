/**
 * What refs that move by themselves ask for.
 *
 * A branch that is made, deleted or moved is asked for by name; one that moves to another state is asked for what differs, as a
 * merge would be. So is one that is made at a commit that never came to a branch here (a proposal, a draft, something taken over):
 * what it holds that no branch ever held would come in by its name alone.
 */

import { appendAll, parseKnownPath } from '../../core/index.ts'
import { type Move, readCommit, type StoredCommit, type Work } from '../../store/index.ts'
import { diff, rootOf } from '../../tree/index.ts'
import type { Authorization } from '../access/admit.ts'
import { requestsAt } from '../access/landing-requests.ts'
import { authorizedPlaces } from '../access/list-places.ts'
import type { Handle } from '../handle.ts'
import type { AccessRequest } from '../records/capability.ts'
import type { ProposedChange } from '../records/proposed-change.ts'
import {
  grantNameOf,
  isLandingRef,
  leadsToLanded,
  listRefs,
  runPrefix,
  tagPrefix,
  threadPrefix,
} from '../records/ref-names.ts'
import { isAncestor } from '../visibility/ancestry.ts'

export function* requestsOfMoves(handle: Handle, moves: readonly Move[]): Work<Omit<Authorization, 'agent'>> {
  const requests: AccessRequest[] = []
  const changes: ProposedChange[] = []
  for (const { name, expect, to } of moves) {
    const branch = grantNameOf(name)
    if (to === expect || goesWith(name, moves)) continue
    if (name.startsWith(tagPrefix)) requests.push({ capability: 'tag', branch: name.slice(tagPrefix.length) })
    else if (branch === undefined || (to !== null && typeof to !== 'number')) requests.push({ capability: 'admin' })
    else if (to === null) requests.push({ capability: 'delete-branch', branch })
    else {
      if (expect === null) requests.push({ capability: 'branch', branch })
      const change = yield* findAct(handle, branch, expect, to)
      if (change === undefined) continue
      appendAll(requests, requestsAt('merge', branch, change.changed))
      changes.push(change)
    }
  }
  return { requests, changes }
}

/** Whether a ref is what a thread has beside its head, and the head is moved with it. */
function goesWith(name: string, moves: readonly Move[]): boolean {
  if (!name.startsWith(runPrefix)) return false
  const thread = threadPrefix + name.slice(runPrefix.length)
  return moves.some(move => move.name === thread)
}

/** What a branch changes by coming to a commit; undefined when it is made where others have been. */
function* findAct(handle: Handle, branch: string, from: number | null, to: number): Work<ProposedChange | undefined> {
  const { journal } = handle
  const after = yield* readCommit(journal, to)
  const before = from === null ? yield* nearestLanded(handle, after) : yield* readCommit(journal, from)
  if (before?.seq === after.seq) return undefined
  const empty = rootOf(journal.context, {}, 0)
  const changes = [
    ...(yield* diff(journal.context, before?.tree ?? empty, after.tree)),
    ...(yield* diff(journal.context, before?.system ?? empty, after.system)),
  ]
  const places = changes.map(({ path }) => parseKnownPath(path))
  const changed = yield* authorizedPlaces(journal, before, after, places)
  return { branch, category: 'Merge', changed, before, after }
}

/** The commit itself or its nearest first parent that some branch, tag or thread has been at. */
function* nearestLanded(handle: Handle, commit: StoredCommit): Work<StoredCommit | undefined> {
  const { journal } = handle
  const heads = new Set<number>()
  for (const { name, seq } of yield* listRefs('')) if (leadsToLanded(name)) heads.add(seq)
  for (let at = commit; ; at = yield* readCommit(journal, at.parents[0]!)) {
    if (heads.has(at.seq) || at.entry.moves.some(arrivesLanded)) return at
    for (const head of heads) {
      if (head > at.seq && (yield* isAncestor(handle, at, yield* readCommit(journal, head)))) return at
    }
    if (at.parents.length === 0) return undefined
  }
}

function arrivesLanded([name, , to]: readonly [string, number | null, number | null]): boolean {
  return to === 0 && isLandingRef(name)
}
