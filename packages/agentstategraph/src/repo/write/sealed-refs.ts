/**
 * Keeping what is sealed within reach: no branch, tag or thread leaves a sealed commit that no other leads to.
 *
 * A seal lists where the refs were. A move is refused when one of those commits could be found by the refs before it and
 * by none after it. Renaming, moving forward and deleting what was merged lose nothing.
 */

import { hexOfId, leastOf } from '../../core/index.ts'
import { ask, type Journal, type Move, readCommit, type Work } from '../../store/index.ts'
import { repoError } from '../errors.ts'
import { listEpochs } from '../log/epoch-entry.ts'
import { newestFirst } from '../records/newest-first.ts'
import { leadsToLanded } from '../records/ref-names.ts'

/** Whether a move takes a ref away from where it is. */
export function isLeaving({ name, expect, to }: Move): boolean {
  return expect !== null && to !== expect && leadsToLanded(name)
}

/** Throws when moves would put a sealed commit out of reach. */
export function* assertSealedStay(journal: Journal, moves: readonly Move[]): Work<void> {
  const sealed = yield* sealedHeads()
  if (sealed.size === 0) return
  const left = moves.filter(isLeaving)
  const lost = yield* firstLost(
    journal,
    left.map(({ expect }) => expect!),
    yield* headsAfter(moves),
    sealed,
  )
  if (lost === undefined) return
  const { epoch, seq } = lost
  const { id } = yield* readCommit(journal, seq)
  const ref = left[0]!.name
  throw repoError('ref-protected', {
    ref: ref.slice(ref.indexOf('/') + 1),
    reason: `the sealed epoch "${epoch}" holds commit ${hexOfId(id).slice(0, 12)}, and nothing else leads to it`,
  })
}

/** The commits at which refs were when an epoch was sealed, and that epoch. */
function* sealedHeads(): Work<ReadonlyMap<number, string>> {
  const heads = new Map<number, string>()
  for (const { id, seal } of yield* listEpochs()) {
    for (const { seq } of Object.values(seal?.facts.refs ?? {})) if (!heads.has(seq)) heads.set(seq, id)
  }
  return heads
}

/** Where refs lead when the moves are done. */
function* headsAfter(moves: readonly Move[]): Work<number[]> {
  const moved = new Map(moves.map(({ name, to }) => [name, to]))
  const heads: number[] = []
  for (const { name, seq } of yield* ask(log => log.refs(''))) {
    if (leadsToLanded(name) && !moved.has(name)) heads.push(seq)
  }
  for (const [name, to] of moved) if (leadsToLanded(name) && typeof to === 'number') heads.push(to)
  return heads
}

/**
 * The newest sealed head that leads from what is left and not from what stays.
 *
 * Newest first, every commit is met after all its descendants; the walk ends when all that is still to be met is led to
 * by what stays.
 */
function* firstLost(
  journal: Journal,
  left: readonly number[],
  staying: readonly number[],
  sealed: ReadonlyMap<number, string>,
): Work<{ readonly seq: number; readonly epoch: string } | undefined> {
  const stays = new Map<number, boolean>(left.map(seq => [seq, false]))
  for (const seq of staying) stays.set(seq, true)
  const queue = newestFirst([...stays.keys()])
  const oldest = leastOf(sealed.keys())
  let open = [...stays.values()].filter(isStaying => !isStaying).length
  while (open > 0) {
    const seq = queue.take()!
    if (seq < oldest) return undefined
    const isStaying = stays.get(seq)!
    if (!isStaying) {
      open--
      const epoch = sealed.get(seq)
      if (epoch !== undefined) return { seq, epoch }
    }
    for (const parent of (yield* readCommit(journal, seq)).parents) {
      const before = stays.get(parent)
      if (before === undefined) queue.add(parent)
      if (before === undefined && !isStaying) open++
      if (before === false && isStaying) open--
      stays.set(parent, before === true || isStaying)
    }
  }
  return undefined
}
