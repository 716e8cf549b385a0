/**
 * The last pass over a state that is about to become a commit: its writers and its changed paths, by definition.
 *
 * Edits, merges and whatever else makes states know best which nodes can stay, and little of the commit's other parents.
 * So neither is taken from them: `verify` and every receiver of the commit compute both again from the same trees.
 */

import type { Journal, StoredCommit, Work } from '../../store/index.ts'
import { encryptedRoot, findPlainChanges, type Link, withWriters } from '../../tree/index.ts'
import type { Landing, SettledLanding } from '../landing.ts'

/** The landing with its two roots as they are stored, and what changed since its first parent. */
export function* settled(journal: Journal, landing: Landing): Work<SettledLanding> {
  const { head, merged = [] } = landing
  const parents = head === undefined ? merged : [head, ...merged]
  const plain = plainChanges(journal, landing, parents)
  if (plain !== undefined) return { ...landing, changed: plain }
  const changed: (readonly string[])[] = []
  const onChanged = (path: readonly string[]): void => {
    changed.push(path)
  }
  const { context } = journal
  const trees = parents.map(parent => parent.tree)
  const systems = parents.map(parent => parent.system)
  const system = yield* withWriters(context, landing.system, systems, { onChanged })
  const tree = yield* withWriters(context, landing.tree, trees, { onChanged })
  return { ...landing, tree: yield* protectedTree(journal, tree, trees, changed), system, changed }
}

/** What changed, when it is so little that nothing can be wrong with it; see `findPlainChanges`. */
function plainChanges(
  { context }: Journal,
  { tree, system }: Landing,
  parents: readonly StoredCommit[],
): (readonly string[])[] | undefined {
  const [head] = parents
  if (head === undefined || parents.length > 1 || context.encryption !== undefined) return undefined
  const ofSystem = findPlainChanges(context.nodes, system, head.system)
  const ofTree = ofSystem && findPlainChanges(context.nodes, tree, head.tree)
  return ofTree && (ofSystem.length === 0 ? ofTree : [...ofSystem, ...ofTree])
}

/** Whatever made this state, nothing that is protected becomes history unsealed. */
function* protectedTree(
  { context }: Journal,
  tree: Link,
  parents: readonly Link[],
  changed: readonly (readonly string[])[],
): Work<Link> {
  if (context.encryption === undefined) return tree
  const sealed = yield* encryptedRoot(context, tree, changed)
  return sealed === tree ? tree : yield* withWriters(context, sealed, parents)
}
