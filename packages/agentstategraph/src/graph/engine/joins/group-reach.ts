/**
 * The nodes that the branches of a fork group may come to, from the nodes that they start at.
 *
 * It does not know the groups around and is equal for all groups with the same starts, so it is cached with the layout of
 * the plan. Walks over the edges happen when a token first comes to a node. The rules are in docs/design/graph.md.
 */

import type { CompiledGraphPlan } from '../../model/compiled-plan.ts'
import { getOrAdd } from '../../model/get-or-add.ts'
import type { Target } from '../../model/run-protocol.ts'
import { type Layout, layoutOf } from './layout.ts'
import { addNode, hasNode, type NodeSet, newNodeSet } from './node-set.ts'

export interface BranchReach {
  /** The nodes that ways lead to from the start. */
  readonly declared: NodeSet
  /** Whether another branch may come to a node. */
  isShared(node: number): boolean
}

export interface GroupReach {
  /** Equal for groups with equal starts. */
  readonly key: string
  /** By the name of a start. */
  readonly branches: ReadonlyMap<string, BranchReach>
  /** The meetings after a node in the order of the graph. No branch passes a meeting while the group is open. */
  meetingsAfter(node: number): NodeSet
}

/** Names the starts of branches. Starts from which a branch can come to the same nodes have the same name. */
export function startNames(): (target: Target) => string {
  let last: Target | undefined
  let name = ''
  return target => {
    const { node, isSend, join } = target
    // Consecutive Sends to one node share the name: serializing each shows in profiles.
    if (last?.node !== node || last.isSend !== isSend || last.join !== join) {
      name = isSend ? JSON.stringify([node, join]) : keyOf(node)
    }
    last = target
    return name
  }
}

/** A name with its length, so that names can be joined without a separator. */
export function keyOf(node: string): string {
  return `${node.length}:${node}`
}

export function groupReachOf(plan: CompiledGraphPlan, targets: readonly Target[]): GroupReach {
  const starts = new Map<string, Target>()
  const nameOf = startNames()
  for (const target of targets) starts.set(nameOf(target), target)
  const layout = layoutOf(plan)
  const key = [...starts.keys()].sort().join('')
  return layout.remember(`group ${key}`, () => newGroupReach(layout, plan, key, starts))
}

function newGroupReach(
  layout: Layout,
  plan: CompiledGraphPlan,
  key: string,
  starts: ReadonlyMap<string, Target>,
): GroupReach {
  const meetings = newNodeSet(layout.size, true)
  const meetingsAfter = remembered((node: number): NodeSet => {
    const ranks = layout.ranks()
    const after = newNodeSet(layout.size)
    for (const [other, rank] of ranks.entries()) {
      if (rank > ranks[node]! && hasNode(meetings, other)) addNode(after, other)
    }
    return after
  })
  const branches = new Map<string, BranchReach>()
  for (const name of starts.keys()) {
    const { own, others, join } = othersOf(plan, starts, name)
    const itself = newNodeSet(layout.size)
    addNode(itself, own)
    const forward = layout.reach(others, { avoid: itself, ways: 'forward' })
    if (join !== undefined) addNode(forward, join)
    const all = layout.reach(others, { avoid: itself })
    const declared = layout.reach(join === undefined ? [own] : [own, join])
    for (const word of meetings.keys()) meetings[word]! &= forward[word]! | ~declared[word]!
    const isReachedPast = remembered((node: number): boolean => {
      const avoid = meetingsAfter(node).map((bits, word) => bits | itself[word]!)
      return hasNode(layout.reach(others, { avoid }), node)
    })
    const isShared = (node: number): boolean => hasNode(forward, node) || (hasNode(all, node) && isReachedPast(node))
    branches.set(name, { declared, isShared })
  }
  return { key, branches, meetingsAfter }
}

/** The start of a branch, and where the other branches of its group start and end. */
function othersOf(
  plan: CompiledGraphPlan,
  starts: ReadonlyMap<string, Target>,
  name: string,
): { readonly own: number; readonly others: readonly number[]; readonly join: number | undefined } {
  const orderOf = (node: string): number => plan.nodes.get(node)!.order
  const { node, isSend, join } = starts.get(name)!
  const own = orderOf(node)
  // The number of Sends to a node is not fixed, so one Send waits where two would.
  const others = isSend ? [own] : []
  for (const [other, target] of starts) {
    if (other === name) continue
    others.push(orderOf(target.node))
    if (target.join !== undefined && target.join !== node) others.push(orderOf(target.join))
  }
  return { own, others, join: join === undefined ? undefined : orderOf(join) }
}

function remembered<T>(find: (node: number) => T): (node: number) => T {
  const known = new Map<number, T>()
  return node => getOrAdd(known, node, () => find(node))
}
