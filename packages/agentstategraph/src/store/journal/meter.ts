/**
 * Slices of work that has a budget.
 *
 * Such work may also pause before it reads a node, so that a walk over a large tree, or a write to it, keeps nobody waiting.
 * Its caller awaits it, so it need not be done when `run` returns.
 */

import type { Nodes } from '../../tree/index.ts'
import { type Budget, isSpent, spentError } from '../contract/budget.ts'
import { eventLoop, type Work } from '../contract/work.ts'

/** Runs one slice of work. */
export type Meter = <S>(steps: Work<unknown>, slice: () => S) => S

interface Appending {
  /** The number of the newest entry that was appended here. */
  readonly appended: number
}

/** How many nodes are read before the clock is looked at again. */
const NODES_BETWEEN = 16

export function meterOf(journal: Appending, nodes: Nodes, budget: Budget): Meter {
  let count = 0
  const isPauseDue = (): boolean => ++count % NODES_BETWEEN === 0 && eventLoop.isTurnOver()
  return (steps, slice) => {
    if (isSpent(budget)) {
      // Not an error inside the work, which might take it for damage of what it reads.
      steps.return(undefined)
      throw spentError(budget)
    }
    const { appended } = journal
    const began = performance.now()
    nodes.isPauseDue = isPauseDue
    try {
      return slice()
    } finally {
      nodes.isPauseDue = undefined
      budget.spentMs += performance.now() - began
      // Nothing else appends while a slice runs.
      if (journal.appended !== appended) budget.hasWritten = true
    }
  }
}
