/**
 * The schemas of threads: a new thread gets a copy of the schemas of the branch that its app was compiled on.
 *
 * The repository enforces them; this module adds to a violation the nodes whose changes caused it.
 */

import { isStateError, StateError } from '../../../core/index.ts'
import { findBranchHead, type Handle, schemasPath, type Violation } from '../../../repo/index.ts'
import type { StoredCommit, Work } from '../../../store/index.ts'
import { edit, findEntry, rootOf, valueOfChild } from '../../../tree/index.ts'
import { type Changed, culpritsOf } from '../../engine/task/refused-step.ts'

/** The roots of a thread before its first step. The schemas are not changes of that step. */
export function* newThreadState(handle: Handle): Work<Pick<StoredCommit, 'tree' | 'system'>> {
  const { context } = handle.journal
  const empty = rootOf(context, {}, 0)
  const branch = yield* findBranchHead(handle)
  const schemas = branch === undefined ? undefined : yield* findEntry(context, branch.system, schemasPath)
  if (schemas === undefined) return { tree: empty, system: empty }
  // Copied by value, because a thread shares no history with the branch.
  const value = yield* valueOfChild(context, schemas.child)
  return { tree: empty, system: (yield* edit(context, empty, [{ op: 'set', path: schemasPath, value }])).root }
}

/** Lands a step, and adds the nodes to the error when it breaks a schema. */
export function* namingNodes<T>(step: Changed, landing: Work<T>): Work<T> {
  try {
    return yield* landing
  } catch (error) {
    if (!isStateError(error, 'schema-violation')) throw error
    const { violations } = error.data as { readonly violations: readonly Violation[] }
    const culprits = culpritsOf(step, violations).map(index => step.tasks[index]?.node ?? `the ${step.cause}`)
    const nodes = [...new Set(culprits)]
    const message = `${nodes.join(', ')}: ${error.message}`
    throw new StateError('schema-violation', { violations, nodes }, message, error.hint, { cause: error })
  }
}
