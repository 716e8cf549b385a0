/**
 * Checks a received commit that lacks its state, or whose parents lack theirs, because retention dropped them.
 *
 * Its writers and changed paths cannot be computed, and are taken as they are stated. What is there has to hold together:
 * each node that its nodes link to is stored here, has the id that is named, and comes from an ancestor; and a state that is
 * there satisfies its schemas.
 */

import { hashText } from '../../core/index.ts'
import { findReservedKey, type Handle, judgeState } from '../../repo/index.ts'
import { ifStored } from '../../repo/records/find-kept.ts'
import { newestFirst } from '../../repo/records/newest-first.ts'
import {
  type Candidate,
  hasLostRoot,
  isTrimmedNode,
  pausePoint,
  readCommit,
  type StoredCommit,
  type Work,
} from '../../store/index.ts'
import { type Link, nodeOf, nodeText, provenanceOf, seqOfPointer } from '../../tree/index.ts'

/** What does not hold together, in words; undefined when nothing is wrong. */
export function* findTrimmedFault(
  handle: Handle,
  candidate: Candidate,
  parents: readonly StoredCommit[],
): Work<string | undefined> {
  const { nodes } = handle.journal.context
  const hasLost = hasLostRoot(candidate)
  if (candidate.links.some(isTrimmedNode) && !hasLost) return 'a node was trimmed, and its state was not'
  const { tree, system, detail } = candidate
  const roots = [tree, system].filter(isElsewhere)
  const linked = linksOf(candidate)
  if (detail !== undefined && isElsewhere(detail)) linked.push(detail)
  for (const link of linked) {
    if (hashText(nodeText(yield* nodeOf(nodes, link))) !== link.id)
      return `a pointer leads to another node of entry ${seqOfPointer(link.at)}`
  }
  const sources = new Set([...roots, ...linked].map(({ at }) => seqOfPointer(at)))
  for (const seq of yield* notBehind(handle, sources, parents))
    return `entry ${seq}, which is no ancestor, is pointed to`
  const isStored = !hasLost && (yield* ifStored(bothRoots(handle, candidate))) === true
  return isStored ? yield* findStateFault(handle, candidate) : undefined
}

/** Whether a node lies in the pack of another commit. */
function isElsewhere({ at, fresh }: Link): boolean {
  return fresh === undefined && seqOfPointer(at) !== 0
}

/** The nodes of other packs that the nodes of a commit link to. */
function linksOf({ links }: Candidate): Link[] {
  const found = new Map<number, Link>()
  for (const link of links) {
    if (isTrimmedNode(link)) continue
    provenanceOf(
      link.fresh!.node,
      child => {
        if (isElsewhere(child)) found.set(child.at, child)
      },
      () => {},
    )
  }
  return [...found.values()]
}

/** The entries among some that no parent leads back to. */
function* notBehind(handle: Handle, seqs: Set<number>, parents: readonly StoredCommit[]): Work<ReadonlySet<number>> {
  const left = new Set(seqs)
  const queue = newestFirst(parents.map(({ seq }) => seq))
  for (let seq = queue.take(); seq !== undefined && left.size > 0; seq = queue.take()) {
    yield pausePoint
    left.delete(seq)
    for (const parent of (yield* readCommit(handle.journal, seq)).parents) queue.add(parent)
  }
  return left
}

function* bothRoots({ journal }: Handle, { tree, system }: Candidate): Work<true> {
  for (const root of [tree, system]) if (root.fresh === undefined) yield* nodeOf(journal.context.nodes, root)
  return true
}

/** A state whose parent's is gone is judged as a whole. */
function* findStateFault({ journal }: Handle, candidate: Candidate): Work<string | undefined> {
  const reserved = yield* findReservedKey(journal, candidate.tree)
  if (reserved !== undefined) return `its state has the key ${reserved}, which belongs to the system`
  const { schema } = yield* judgeState(journal, undefined, candidate)
  return candidate.record.schema === schema ? undefined : 'it does not name the schemas in force'
}
