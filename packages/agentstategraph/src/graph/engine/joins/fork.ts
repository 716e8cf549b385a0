/**
 * Where the members of a fork group wait for each other.
 *
 * A member enters a node alone when no other member can come to it. At every other node it closes, and the node is entered
 * by the outermost group whose members may come there, when that group has closed. This follows from the plan and from
 * the starts of the members, so it does not depend on time, and a run that resumes after a crash decides the same. Tasks
 * and states are not known here. The rules are in docs/design/graph.md.
 */

import { graphError } from '../../errors.ts'
import type { CompiledGraphPlan } from '../../model/compiled-plan.ts'
import { getOrAdd } from '../../model/get-or-add.ts'
import type { Target } from '../../model/run-protocol.ts'
import { type BranchReach, type GroupReach, startNames } from './group-reach.ts'
import { layoutOf } from './layout.ts'
import { hasNode } from './node-set.ts'

/** A branch of a fork group: what decides where its token waits. */
export interface Fork {
  readonly plan: CompiledGraphPlan
  /** The node that opened the group. */
  readonly from: string
  readonly reach: BranchReach
  /** The branch that opened the group. */
  readonly around: Fork | undefined
}

/** The fork of each member of a group. Members with the same start share one. */
export function forksOf(
  plan: CompiledGraphPlan,
  { branches }: GroupReach,
  from: string,
  around: Fork | undefined,
): (target: Target) => Fork {
  const nameOf = startNames()
  const forks = new Map<string, Fork>()
  return target => {
    const name = nameOf(target)
    return getOrAdd(forks, name, () => ({ plan, from, reach: branches.get(name)!, around }))
  }
}

/** Whether a token of this branch closes at a node instead of entering it. */
export function closesAt(fork: Fork | undefined, node: string): boolean {
  if (fork === undefined) return false
  const { order, options } = fork.plan.nodes.get(node)!
  return options.defer === true || isShared(fork, order) || !isDeclared(fork, node)
}

function isShared({ reach, around }: Fork, order: number): boolean {
  return reach.isShared(order) || (around !== undefined && isShared(around, order))
}

/** Whether ways lead to a node from the start of a branch, and from those of all branches around it. */
export function isDeclared({ plan, reach, around }: Fork, node: string): boolean {
  return hasNode(reach.declared, plan.nodes.get(node)!.order) && (around === undefined || isDeclared(around, node))
}

/** Of the nodes that a group closed at, those that a group around it enters. */
export function leftToAround(around: Fork | undefined, nodes: readonly string[]): ReadonlySet<string> {
  if (around === undefined) return new Set()
  const left = new Set(nodes.filter(node => closesAt(around, node)))
  const orderOf = (name: string): number => around.plan.nodes.get(name)!.order
  // The groups around do not consider undeclared ways, so the nodes behind an undeclared target are left to them as well.
  const undeclared = nodes.filter(node => !isDeclared(around, node))
  if (undeclared.length > 0) {
    const behind = layoutOf(around.plan).reach(undeclared.map(orderOf))
    for (const node of nodes) if (hasNode(behind, orderOf(node))) left.add(node)
  }
  return left
}

/**
 * The joins of a group without members: the nodes after the targets that its route could have sent to.
 *
 * Throws `route-empty` when the targets are not declared and several nodes are possible.
 */
export function joinsOfNothing(plan: CompiledGraphPlan, from: string): readonly string[] {
  const layout = layoutOf(plan)
  const { targets, isDeclared } = layout.routed(from)
  const joins = [...new Set(targets.flatMap(layout.edgesFrom))]
  if (!isDeclared && joins.length > 1) throw graphError('route-empty', { node: from, joins })
  return joins
}
