/** Marks the nodes that states need, by where they lie. */

import { isStateError } from '../../core/index.ts'
import { findCommitAt, type Journal, pausePoint, type Work } from '../../store/index.ts'
import { expectSoon, type Link, nodeOf, type Pointer, provenanceOf } from '../../tree/index.ts'

/** Work in between is short, so a few new states are marked without a pause. */
const PAUSED_NODES = 256

/** Marks the state and the detail of the commit of an entry, if it has them. */
export function* markCommit(journal: Journal, seq: number, marked: Set<Pointer>): Work<void> {
  const commit = yield* findCommitAt(journal, seq)
  if (commit === undefined) return
  const { tree, system, detail } = commit
  for (const root of [tree, system, detail]) if (root !== undefined) yield* markNodes(journal, root, marked)
}

/** Marks a node and all below it. A root that was trimmed before has nothing below it. */
export function* markNodes(journal: Journal, root: Link, marked: Set<Pointer>): Work<void> {
  if (marked.has(root.at) || !(yield* isStored(journal, root))) return
  const waiting = [root]
  let visited = 0
  for (let link = waiting.pop(); link !== undefined; link = waiting.pop()) {
    if (marked.has(link.at)) continue
    marked.add(link.at)
    if (++visited % PAUSED_NODES === 0) yield pausePoint
    const below: Link[] = []
    provenanceOf(
      yield* nodeOf(journal.nodes, link),
      child => {
        if (!marked.has(child.at)) below.push(child)
      },
      () => {},
    )
    yield* expectSoon(journal.nodes, below)
    for (const child of below) waiting.push(child)
  }
}

function* isStored(journal: Journal, root: Link): Work<boolean> {
  try {
    yield* nodeOf(journal.nodes, root)
    return true
  } catch (error) {
    if (isStateError(error, 'state-trimmed')) return false
    throw error
  }
}
