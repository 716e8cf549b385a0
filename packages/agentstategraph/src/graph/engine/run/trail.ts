/**
 * Trails: the nodes that ran in branches which did not lead to a token.
 *
 * Branches decide by declared ways which nodes they enter alone. A token that took an undeclared way may still come to a
 * node that another branch has entered alone. Running the node a second time would be wrong without notice, so it is an
 * error that names what to declare. A trail is part of the position, so a run that resumes after a crash decides the same.
 * The rules are in docs/design/graph.md.
 */

import { graphError } from '../../errors.ts'
import type { Position, TaskResult, Trail, Trails } from '../../model/run-protocol.ts'
import { type Fork, isDeclared } from '../joins/fork.ts'
import { layoutOf } from '../joins/layout.ts'
import type { EngineScope } from '../task/engine-scope.ts'

/** A closed branch: its start, its tasks, and the joins at which it waits. */
export interface ClosedBranch {
  readonly fork: Fork
  readonly start: Trail | undefined
  readonly tasks: readonly TaskResult[]
  /** The nodes that it entered by edges, its start included unless that is a Send. */
  readonly entered: readonly string[]
  readonly at: readonly string[]
  readonly trails?: Trails | undefined
}

/** The trails of the targets of a position. */
export function trailsAfter(
  scope: EngineScope,
  trail: Trail | undefined,
  { targets, from }: Position,
): Trails | undefined {
  if (trail === undefined && scope.fork === undefined) return undefined
  // The trail of an empty group is under the name of its opener.
  if (targets.length === 0) return trail && new Map([[from, trail]])
  let trails: Map<string, Trail> | undefined
  let last: string | undefined
  for (const { node, isSend } of targets) {
    if (isSend && node === last) continue
    last = node
    const stray = trail?.stray ?? findStray(scope, from, node)
    if (trail === undefined && stray === undefined) continue
    const next = newTrail(node, trail?.beside ?? NOTHING, stray)
    if (!isSend) refuseSecondRun(next, node)
    if (!matters(scope, next)) continue
    trails ??= new Map()
    trails.set(node, next)
  }
  return trails
}

const NOTHING: ReadonlyMap<string, string> = new Map()

/** The trails of the joins of a group. Throws when a join ran in one branch before another came to it undeclared. */
export function trailsOfJoins(
  scope: EngineScope,
  from: string,
  branches: readonly ClosedBranch[],
  joins: ReadonlySet<string>,
): Trails | undefined {
  if (joins.size === 0) return undefined
  // All branches closed at all joins, and no trail is left.
  const isWhole = branches.every(({ at, trails, start }) => !trails && !start && at.length === joins.size)
  const trails = new Map<string, Trail>()
  for (const join of joins) {
    const arrived = branches.filter(({ at }) => at.includes(join))
    const hasEntered = ({ entered }: ClosedBranch): boolean => entered.includes(join)
    const runs = branches.filter(hasEntered).length
    // The join has not run, and outside all groups no later meeting needs its trail.
    if (isWhole && runs === 0 && scope.fork === undefined) continue
    let stray: Trail['stray']
    for (const branch of arrived) {
      const own = strayTo(scope.path, branch, join)
      const isElsewhere = runs > 0 && (runs > 1 || !hasEntered(branch))
      if (own !== undefined && isElsewhere) throw graphError('target-undeclared', own)
      stray ??= own
    }
    if (isWhole) continue
    const trail = newTrail(join, besideJoin(from, branches, arrived, join), stray)
    refuseSecondRun(trail, join)
    if (matters(scope, trail)) trails.set(join, trail)
  }
  return trails.size === 0 ? undefined : trails
}

/** The same for an empty group. */
export function trailsAfterNothing(
  scope: EngineScope,
  trail: Trail | undefined,
  joins: ReadonlySet<string>,
): Trails | undefined {
  if (trail === undefined) return undefined
  const trails = new Map<string, Trail>()
  for (const join of joins) {
    const next = newTrail(join, trail.beside, trail.stray)
    refuseSecondRun(next, join)
    if (matters(scope, next)) trails.set(join, next)
  }
  return trails
}

/** The nodes that ran in branches which did not come to a join, and those in the trails of the branches that did. */
function besideJoin(
  from: string,
  branches: readonly ClosedBranch[],
  arrived: readonly ClosedBranch[],
  join: string,
): Map<string, string> {
  const beside = new Map<string, string>()
  for (const { trails } of arrived)
    for (const [node, opener] of trails?.get(join)?.beside ?? []) beside.set(node, opener)
  // A node beside some starts of the group, and not beside others, led to the others.
  const before = new Set(branches.flatMap(({ start }) => [...(start?.beside.keys() ?? [])]))
  for (const node of before) if (arrived.some(({ start }) => start?.beside.has(node) !== true)) beside.delete(node)
  for (const branch of branches) {
    if (!branch.at.includes(join)) for (const node of branch.entered) beside.set(node, from)
  }
  for (const { entered, trails } of arrived) {
    const own = trails?.get(join)?.beside
    for (const node of entered) if (own?.has(node) !== true) beside.delete(node)
  }
  return beside
}

/** The undeclared way by which a branch came to a join. */
function strayTo(path: string, { fork, tasks, trails }: ClosedBranch, join: string): Trail['stray'] {
  const known = trails?.get(join)?.stray
  if (known !== undefined || isDeclared(fork, join)) return known
  const leading = tasks.findLast(({ goto }) => goto?.some(({ node }) => node === join) === true) ?? tasks.at(-1)
  return { node: path + (leading?.node ?? fork.from), target: join }
}

/** The way from one node to another, when it is undeclared. A way from a node to itself does not count. */
function findStray({ plan, path }: EngineScope, from: string, to: string): Trail['stray'] {
  return from === to || layoutOf(plan).leads(from, to) ? undefined : { node: path + from, target: to }
}

/** The trail of a token that enters a node. Entering the opener of a group begins another round of that group. */
function newTrail(node: string, beside: ReadonlyMap<string, string>, stray: Trail['stray']): Trail {
  const left = beside.size === 0 ? beside : new Map([...beside].filter(([, opener]) => opener !== node))
  return stray === undefined ? { beside: left } : { beside: left, stray }
}

/** Outside all groups an undeclared way matters only if something ran beside it. */
function matters({ fork }: EngineScope, { beside, stray }: Trail): boolean {
  return beside.size > 0 || (stray !== undefined && fork !== undefined)
}

function refuseSecondRun({ beside, stray }: Trail, node: string): void {
  if (stray !== undefined && beside.has(node)) throw graphError('target-undeclared', stray)
}
