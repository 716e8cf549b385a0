/**
 * Which starts of a fork group wait, because other branches may still come to them.
 *
 * Of starts that lead to each other one is first, so some start of an outermost group always begins. Tasks and states are
 * not known here. The rules are in docs/design/graph.md.
 */

import type { CompiledGraphPlan } from '../../model/compiled-plan.ts'
import type { Position } from '../../model/run-protocol.ts'
import { type Fork, leftToAround } from './fork.ts'
import { type GroupReach, keyOf } from './group-reach.ts'
import { type Layout, layoutOf } from './layout.ts'
import { addNode, hasNode, newNodeSet } from './node-set.ts'

/** The starts, other than Sends, at which a member closes before it begins. */
export function waitingStarts(
  plan: CompiledGraphPlan,
  position: Position,
  reach: GroupReach,
  around: Fork | undefined,
): ReadonlySet<string> {
  const { from, areJoins = false } = position
  if (around !== undefined) return findWaiting(plan, position, reach, around)
  const question = `waiting ${areJoins} ${keyOf(from)}${reach.key}`
  return layoutOf(plan).remember(question, () => findWaiting(plan, position, reach, undefined))
}

function findWaiting(
  plan: CompiledGraphPlan,
  position: Position,
  reach: GroupReach,
  around: Fork | undefined,
): ReadonlySet<string> {
  const names = position.targets.filter(({ isSend }) => !isSend).map(({ node }) => node)
  if (names.length === 0) return new Set()
  const left = leftToAround(around, names)
  const inside = names.filter(node => !left.has(node))
  const prompt = inside.filter(node => plan.nodes.get(node)!.options.defer !== true)
  // Deferred starts begin when there are no others.
  const able = prompt.length > 0 || names.length < position.targets.length ? prompt : inside
  const later = startsBehind(plan, position, reach, able)
  const begin = new Set(able.filter(node => !later.has(node)))
  return new Set(names.filter(node => !begin.has(node)))
}

/** Of the starts that are able to begin, those that wait for another start of the group. */
function startsBehind(
  plan: CompiledGraphPlan,
  position: Position,
  reach: GroupReach,
  able: readonly string[],
): ReadonlySet<string> {
  const { targets, from, areJoins = false } = position
  const sends = targets.filter(({ isSend }) => isSend)
  const joins = new Set(sends.flatMap(({ join }) => join ?? []))
  const starts = new Set([...able, ...sends.map(({ node }) => node), ...joins])
  if (able.length === 0 || starts.size < 2) return joins
  const layout = layoutOf(plan)
  // The key names all that the answer depends on: the group, and which of its starts are able to begin.
  const question = `starts ${areJoins} ${keyOf(from)}${able.length} ${able.map(keyOf).join('')}${reach.key}`
  return layout.remember(question, () => {
    const orderOf = (name: string): number => plan.nodes.get(name)!.order
    // Ways through the opener of the group belong to another round.
    const stop = starts.has(from) ? undefined : plan.nodes.get(from)?.order
    const isBehind = behindAny(layout, reach, [...starts].map(orderOf), stop, areJoins)
    return new Set(able.filter(node => joins.has(node) || isBehind(orderOf(node))))
  })
}

/** Whether a start waits for any of the others. */
function behindAny(
  layout: Layout,
  { meetingsAfter }: GroupReach,
  starts: readonly number[],
  stop: number | undefined,
  areJoins: boolean,
): (node: number) => boolean {
  const isKnownToLead = (start: number, to: number): boolean =>
    hasNode(layout.reach([start], { stop, ways: 'known' }), to)
  return node => {
    const meetings = meetingsAfter(node)
    const itself = newNodeSet(layout.size)
    addNode(itself, node)
    const after = layout.reach([node], { avoid: itself, stop })
    const others = starts.filter(start => start !== node)
    const before = others.filter(start => !hasNode(after, start))
    const avoid = after.map((bits, word) => bits | meetings[word]!)
    if (before.length > 0 && hasNode(layout.reach(before, { avoid, stop }), node)) return true
    const leadsHere = (froms: readonly number[]): boolean =>
      froms.length > 0 && hasNode(layout.reach(froms, { avoid: meetings, stop }), node)
    const isMutual = (other: number): boolean => isKnownToLead(other, node) && isKnownToLead(node, other)
    const earlier = others.filter(other => hasNode(after, other) && layout.ranks()[other]! < layout.ranks()[node]!)
    return leadsHere(earlier) && earlier.some(other => (areJoins || !isMutual(other)) && leadsHere([other]))
  }
}
