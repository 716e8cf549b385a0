/**
 * Ways that nobody declared, found when a group closes.
 *
 * A branch runs the nodes that no other can come to, as far as that is declared. When another branch came to such a node all
 * the same, by a Command or a route whose declared targets do not name it, the node has run without that branch. To run
 * it once more would be wrong in silence, so it is an error that says what to declare.
 */

import { graphError } from '../errors.ts'
import type { TaskResult } from '../record.ts'
import { type Fork, isDeclared } from './fork.ts'

/** A branch that has closed: what it ran, and where it waits. */
export interface ClosedBranch {
  readonly fork: Fork
  readonly tasks: readonly TaskResult[]
  /** The nodes that it came to by edges. What it was started with or sent was asked for by itself. */
  readonly entered: readonly string[]
  readonly at: readonly string[]
}

export function refuseUndeclaredWays(path: string, branches: readonly ClosedBranch[]): void {
  for (const branch of branches) {
    const target = branch.at.find(
      node =>
        !isDeclared(branch.fork, node) && branches.some(other => other !== branch && other.entered.includes(node)),
    )
    if (target === undefined) continue
    const leading = branch.tasks.findLast(({ goto }) => goto?.some(({ node }) => node === target) === true)
    const node = leading ?? branch.tasks.at(-1)
    throw graphError('target-undeclared', { node: path + (node?.node ?? branch.fork.from), target })
  }
}
