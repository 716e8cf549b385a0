/**
 * Where the members of a fork group wait for each other.
 *
 * Each member knows which nodes others may come to as well, and where the declared ways from its start lead. It goes on
 * alone where nobody else can come; everywhere else it closes, and the node is entered when the group has closed, or by
 * the outermost group whose members may come there. All of it follows from the plan and from where the members started,
 * so it does not depend on who was faster, and a run that goes on after a crash decides the same. No task and no state
 * is known here. The rules are in docs/design/graph.md.
 */

import { graphError } from '../errors.ts'
import type { Plan } from '../plan.ts'
import type { Position, Target } from '../record.ts'
import { type Layout, layoutOf } from './layout.ts'
import { addNode, hasNode, intersectionOf, type NodeSet, newNodeSet, unionOf } from './node-set.ts'

/** A branch of a fork group, as far as it says where its token waits. */
export interface Fork {
  readonly plan: Plan
  /** The node that opened the group. */
  readonly from: string
  /** The nodes that members of this group or of one around it may come to as well. */
  readonly shared: NodeSet
  /** The nodes to which declared ways lead from the start of this branch and of all that it is in. */
  readonly declared: NodeSet
}

/** Where one member may go, without the groups around it. */
type Reach = Pick<Fork, 'shared' | 'declared'>

/** The fork of each member of a group; members that start alike share one. */
export function forksOf(plan: Plan, { targets, from }: Position, around: Fork | undefined): (target: Target) => Fork {
  const layout = layoutOf(plan)
  const starts = new Map<string, Target>()
  const startOf = startNames()
  for (const target of targets) starts.set(startOf(target), target)
  const question = `members ${[...starts.keys()].sort().join()}`
  const reaches = layout.remember(question, () => reachesOf(layout, plan, starts))
  const forks = new Map<string, Fork>()
  return target => {
    const start = startOf(target)
    let fork = forks.get(start)
    if (fork === undefined) {
      fork = { plan, from, ...within(around, reaches.get(start)!) }
      forks.set(start, fork)
    }
    return fork
  }
}

function within(around: Fork | undefined, { shared, declared }: Reach): Reach {
  if (around === undefined) return { shared, declared }
  return { shared: unionOf(shared, around.shared), declared: intersectionOf(declared, around.declared) }
}

/** Names targets, equally when a member can come from them to the same nodes. Many Sends in a row are named once. */
function startNames(): (target: Target) => string {
  let last: Target | undefined
  let name = ''
  return target => {
    const { node, isSend, join } = target
    if (last?.node !== node || last.isSend !== isSend || last.join !== join) name = JSON.stringify([node, isSend, join])
    last = target
    return name
  }
}

function reachesOf(layout: Layout, plan: Plan, starts: ReadonlyMap<string, Target>): ReadonlyMap<string, Reach> {
  const orderOf = (name: string): number => plan.nodes.get(name)!.order
  const reaches = new Map<string, Reach>()
  for (const [start, { node, isSend, join }] of starts) {
    const own = orderOf(node)
    // A node that was sent to may be sent to any number of times, so one Send waits where two would.
    const others = isSend ? [own] : []
    for (const [other, target] of starts) {
      if (other === start) continue
      others.push(orderOf(target.node))
      if (target.join !== undefined && target.join !== node) others.push(orderOf(target.join))
    }
    const avoid = newNodeSet(layout.size)
    addNode(avoid, own)
    const shared = layout.reach(others, { avoid })
    if (join !== undefined) addNode(shared, orderOf(join))
    const declared = layout.reach(join === undefined ? [own] : [own, orderOf(join)])
    reaches.set(start, { shared, declared })
  }
  return reaches
}

/** Whether a token in this branch closes when it comes to a node, instead of entering it. */
export function closesAt(fork: Fork | undefined, node: string): boolean {
  if (fork === undefined) return false
  const { order, options } = fork.plan.nodes.get(node)!
  return hasNode(fork.shared, order) || !isDeclared(fork, node) || options.defer === true
}

/** Whether declared ways lead from the start of a branch to a node. */
export function isDeclared({ plan, declared }: Fork, node: string): boolean {
  return hasNode(declared, plan.nodes.get(node)!.order)
}

/** Of the nodes that a group came to, those that are entered by a group around it. */
export function leftToAround(around: Fork | undefined, nodes: readonly string[]): ReadonlySet<string> {
  if (around === undefined) return new Set()
  const left = new Set(nodes.filter(node => closesAt(around, node)))
  const orderOf = (name: string): number => around.plan.nodes.get(name)!.order
  // Nothing around takes into account where an undeclared way leads, so what lies behind it is left as well.
  const undeclared = nodes.filter(node => !isDeclared(around, node))
  if (undeclared.length > 0) {
    const behind = layoutOf(around.plan).reach(undeclared.map(orderOf))
    for (const node of nodes) if (hasNode(behind, orderOf(node))) left.add(node)
  }
  return left
}

/** Which members close at the node they would start at, because others have still to come there. */
export function waitingMembers(plan: Plan, position: Position, around: Fork | undefined): ReadonlySet<Target> {
  const plain = position.targets.filter(({ isSend }) => !isSend)
  const left = leftToAround(
    around,
    plain.map(({ node }) => node),
  )
  const isDeferred = ({ node }: Target): boolean => plan.nodes.get(node)!.options.defer === true
  const inside = plain.filter(({ node }) => !left.has(node))
  const prompt = inside.filter(target => !isDeferred(target))
  // Deferred ones begin when nothing else is left.
  const able = prompt.length > 0 || plain.length < position.targets.length ? prompt : inside
  const later = able.length === 0 ? new Set<string>() : behindOthers(plan, position, able)
  return new Set(plain.filter(target => !able.includes(target) || later.has(target.node)))
}

/** Of the starts of a group, those that others lead to; of some that lead to each other, all but the first. */
function behindOthers(plan: Plan, position: Position, able: readonly Target[]): ReadonlySet<string> {
  const { targets, from, areJoins = false } = position
  const layout = layoutOf(plan)
  const orderOf = (name: string): number => plan.nodes.get(name)!.order
  const own = able.map(({ node }) => node)
  const sends = targets.filter(({ isSend }) => isSend)
  const others = [
    ...new Set([...own, ...sends.flatMap(({ node, join }) => (join === undefined ? [node] : [node, join]))]),
  ]
  if (others.length < 2 && sends.length === 0) return new Set()
  const joins = new Set(sends.map(({ join }) => join))
  const question = `starts ${JSON.stringify([from, areJoins, own, others, [...joins]])}`
  return layout.remember(question, () => {
    const opener = plan.nodes.get(from)?.order
    // What comes after the group was opened once more is another round.
    const stop = opener !== undefined && !others.includes(from) ? opener : undefined
    const leadsTo = (start: number, to: number, isKnownOnly: boolean): boolean =>
      hasNode(layout.reach([start], { stop, isKnownOnly }), to)
    const isBehind = (node: string, other: string): boolean => {
      const [to, start] = [orderOf(node), orderOf(other)]
      const goal = newNodeSet(layout.size)
      addNode(goal, to)
      const after = layout.reach([to], { avoid: goal, stop })
      if (!hasNode(after, start)) return hasNode(layout.reach([start], { avoid: after, stop }), to)
      if (!leadsTo(start, to, false)) return false
      if (!areJoins && leadsTo(start, to, true) && leadsTo(to, start, true)) return false
      return layout.ranks()[start]! < layout.ranks()[to]!
    }
    return new Set(own.filter(node => joins.has(node) || others.some(other => other !== node && isBehind(node, other))))
  })
}

/**
 * The joins of a group without members: the nodes after those that its route could have sent to.
 *
 * Without declared targets there must be no doubt about it.
 */
export function joinsOfNothing(plan: Plan, from: string): readonly string[] {
  const layout = layoutOf(plan)
  const { targets, isDeclared } = layout.routed(from)
  const joins = [...new Set(targets.flatMap(layout.edgesFrom))]
  if (!isDeclared && joins.length > 1) throw graphError('route-empty', { node: from, joins })
  return joins
}

/** How many members have to arrive at a join before it begins, of those that could. */
export function neededAt(plan: Plan, join: string, members: number): number {
  const rule = plan.nodes.get(join)?.options.join
  if (rule === 'any') return 1
  return typeof rule === 'object' ? Math.min(rule.quorum, members) : Number.POSITIVE_INFINITY
}

/** The join ahead of a node that also takes members that failed, if there is one. */
export function findSettledJoin({ plan }: Fork, target: Target, node: string): string | undefined {
  const isSettled = (name: string): boolean => plan.nodes.get(name)?.options.join === 'settled'
  if (target.join !== undefined && isSettled(target.join)) return target.join
  const { edgesFrom, routed } = layoutOf(plan)
  const passed = new Set<string>()
  const open = [node]
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (passed.has(name)) continue
    passed.add(name)
    for (const to of [...edgesFrom(name), ...routed(name).targets]) if (!plan.joins.has(to)) open.push(to)
  }
  return [...passed].flatMap(name => [...edgesFrom(name), ...routed(name).targets]).find(isSettled)
}
