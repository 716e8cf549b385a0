/**
 * Schemas and threads: a new thread begins with the schemas of the branch that its app was compiled on.
 *
 * From then on they are the thread's own, as they are a branch's. Whoever brings a step about hears which of its nodes
 * broke them; what a schema is, and that it holds, is the repository's matter.
 */

import { isStateError, StateError } from '../../../core/index.ts'
import { findBranchHead, type Handle, schemasPath, type Violation } from '../../../repo/index.ts'
import type { StoredCommit, Work } from '../../../store/index.ts'
import { edit, findEntry, rootOf, valueOfChild } from '../../../tree/index.ts'
import { type Changed, culpritsOf } from '../../engine/task/refused-step.ts'

/** The state that a thread is before its first step; what it begins with is none of its changes. */
export function* newThreadState(handle: Handle): Work<Pick<StoredCommit, 'tree' | 'system'>> {
  const { context } = handle.journal
  const empty = rootOf(context, {}, 0)
  const branch = yield* findBranchHead(handle)
  const schemas = branch === undefined ? undefined : yield* findEntry(context, branch.system, schemasPath)
  if (schemas === undefined) return { tree: empty, system: empty }
  // By value: a thread has no history in common with the branch.
  const value = yield* valueOfChild(context, schemas.child)
  return { tree: empty, system: (yield* edit(context, empty, [{ op: 'set', path: schemasPath, value }])).root }
}

/** Lands a step, and says whose changes they are that break a schema. */
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
