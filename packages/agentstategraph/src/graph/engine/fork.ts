/**
 * Where a fork group stands in its graph, and what that means for joins.
 *
 * A group knows the node that opened it, the nodes its members start at, and the group around it. From these follows which
 * of its members wait before they begin, at which nodes a member closes, and which of the joins that were reached are
 * entered by this group and which by the one around it. No task and no state is known here.
 */

import { graphError } from '../errors.ts'
import type { Plan } from '../plan.ts'
import type { Position, Target } from '../record.ts'
import { layoutOf } from './layout.ts'

export interface Fork {
  readonly plan: Plan
  /** The node that opened it. */
  readonly from: string
  /** Where its members started, and those of the groups it goes on from. */
  readonly origins: ReadonlySet<string>
  /** Nodes that a batch of Sends named as its join. */
  readonly batchJoins: ReadonlySet<string>
  readonly around: Fork | undefined
}

export function newFork(
  plan: Plan,
  position: Position,
  around: Fork | undefined,
  earlier: ReadonlySet<string> = new Set(),
): Fork {
  const { targets, from } = position
  const starts = targets.length === 0 ? layoutOf(plan).routed(from).targets : targets.map(({ node }) => node)
  const batchJoins = new Set(targets.flatMap(({ join }) => (join === undefined ? [] : [join])))
  return { plan, from, origins: new Set([...earlier, ...starts]), batchJoins, around }
}

/** Whether a join is entered by a group around this one: something outside leads to it as well, or it is deferred. */
export function belongsAround(fork: Fork, join: string): boolean {
  if (fork.around === undefined) return false
  if (isDeferred(fork.plan, join)) return true
  return !fork.batchJoins.has(join) && outerJoins(fork).has(join)
}

/**
 * The joins that this group can reach but not enter.
 *
 * What comes after such a join is not reached inside this group either, which may make another one such a join: they are
 * looked for until no more are found. Groups of the same shape are asked once.
 */
function outerJoins(fork: Fork): ReadonlySet<string> {
  const { plan, origins } = fork
  const layout = layoutOf(plan)
  return layout.remember(shapeOf(fork), () => {
    const outer = new Set<string>()
    const isOpen = (name: string): boolean => plan.joins.has(name) && !outer.has(name) && !fork.batchJoins.has(name)
    for (let size = -1; size < outer.size; ) {
      size = outer.size
      const reached = layout.reach(origins, outer)
      for (const join of [...reached].filter(isOpen)) if (isFedFromOutside(fork, join, outer)) outer.add(join)
    }
    return outer
  })
}

function isFedFromOutside(fork: Fork, join: string, outer: ReadonlySet<string>): boolean {
  const layout = layoutOf(fork.plan)
  const inside = layout.reach(fork.origins, new Set([...outer, join]))
  const foreign = layout.sources(join).filter(source => source !== fork.from && !inside.has(source))
  if (foreign.length === 0) return false
  const blocked = new Set([join])
  const outerStarts = new Set<string>()
  for (let inner: Fork = fork; inner.around !== undefined; inner = inner.around) {
    const around = inner.around
    // A member of an outer group that started at the join waits there.
    if (around.origins.has(join) && foreign.includes(around.from)) return true
    blocked.add(inner.from)
    for (const origin of around.origins) outerStarts.add(origin)
  }
  const outside = layout.reach(outerStarts, blocked)
  return foreign.some(source => outside.has(source))
}

/** Equal for groups that nothing here can tell apart. */
function shapeOf(fork: Fork): string {
  const shapes: unknown[] = []
  for (let one: Fork | undefined = fork; one !== undefined; one = one.around) {
    shapes.push([one.from, [...one.origins].sort(), [...one.batchJoins].sort()])
  }
  return JSON.stringify(shapes)
}

/** Whether a member that comes from a node closes at this target instead of going on. */
export function closesAt(
  fork: Fork,
  member: { readonly target: Target; readonly visited: ReadonlySet<string> },
  from: string,
  to: string,
): boolean {
  if (isDeferred(fork.plan, to)) return true
  // Who comes back to a node that it ran is in a loop of its own.
  if (member.visited.has(to)) return false
  if (fork.plan.joins.has(to) || fork.batchJoins.has(to)) return true
  return member.target.isSend && member.target.node === from && layoutOf(fork.plan).edgesFrom(from).includes(to)
}

/** Which members close at the node they would start at, because it is a join that others have still to reach. */
export function waitingMembers(fork: Fork, targets: readonly Target[]): ReadonlySet<Target> {
  const { plan } = fork
  const plain = targets.filter(({ isSend }) => !isSend)
  const deferred = plain.filter(({ node }) => isDeferred(plan, node))
  const outer = plain.filter(({ node }) => plan.joins.has(node) && belongsAround(fork, node))
  const behind = plain.filter(target => isBehindAnother(fork, target, targets))
  const waiting = new Set([...deferred, ...outer, ...behind])
  if (waiting.size < targets.length) return waiting
  // Somebody has to begin: those that only wait for each other, or the deferred ones when nothing else is left.
  const hopeful = behind.filter(target => !deferred.includes(target) && !outer.includes(target))
  const begin = hopeful.length > 0 ? hopeful : fork.around === undefined ? deferred : []
  for (const target of begin) waiting.delete(target)
  return waiting
}

function isBehindAnother(fork: Fork, target: Target, targets: readonly Target[]): boolean {
  const { node } = target
  if (!fork.plan.joins.has(node) && !fork.batchJoins.has(node)) return false
  if (targets.some(({ join }) => join === node)) return true
  const others = targets.filter(other => other.node !== node).map(other => other.node)
  return layoutOf(fork.plan).reach(others, new Set()).has(node)
}

/**
 * The joins of a group without members: the nodes after those that its route could have sent to.
 *
 * Without declared targets there must be no doubt about it.
 */
export function joinsOfNothing(fork: Fork): readonly string[] {
  const layout = layoutOf(fork.plan)
  const { targets, isDeclared } = layout.routed(fork.from)
  const joins = [...new Set(targets.flatMap(layout.edgesFrom))]
  if (!isDeclared && joins.length > 1) throw graphError('route-empty', { node: fork.from, joins })
  return joins
}

/** How many members have to arrive at a join before it begins, of those that could. */
export function neededAt(plan: Plan, join: string, members: number): number {
  const rule = plan.nodes.get(join)?.options.join
  if (rule === 'any') return 1
  return typeof rule === 'object' ? Math.min(rule.quorum, members) : Number.POSITIVE_INFINITY
}

/** The join ahead of a node that also takes members that failed, if there is one. */
export function findSettledJoin(fork: Fork, target: Target, node: string): string | undefined {
  const { plan } = fork
  const isSettled = (name: string): boolean => plan.nodes.get(name)?.options.join === 'settled'
  if (target.join !== undefined && isSettled(target.join)) return target.join
  const layout = layoutOf(plan)
  const joins = new Set([...plan.joins.keys()].filter(name => name !== node))
  const before = layout.reach([node], joins)
  return [...before].flatMap(name => [...layout.edgesFrom(name), ...layout.routed(name).targets]).find(isSettled)
}

function isDeferred(plan: Plan, node: string): boolean {
  return plan.nodes.get(node)?.options.defer === true
}
