/**
 * What ran beside a token, in branches that did not lead to it.
 *
 * Branches decide by declared ways which nodes they enter alone. A token that left these ways, and all that it leads to
 * until it has met the other branches, may still come to such a node. The node has then run without it. To run it once
 * more would be wrong in silence, so it is an error that says what to declare. A trail goes with the position, so that a
 * run that goes on after a crash decides the same. The rules are in docs/design/graph.md.
 */

import { graphError } from '../../errors.ts'
import type { Position, TaskResult, Trail, Trails } from '../../model/run-protocol.ts'
import { type Fork, isDeclared } from '../joins/fork.ts'
import { layoutOf } from '../joins/layout.ts'
import type { EngineScope } from '../task/engine-scope.ts'

/** A branch that has closed: how it began, what it ran, and where it waits. */
export interface ClosedBranch {
  readonly fork: Fork
  readonly start: Trail | undefined
  readonly tasks: readonly TaskResult[]
  /** The nodes that it came to by edges, its start included. What was sent was asked for by itself. */
  readonly entered: readonly string[]
  readonly at: readonly string[]
  readonly trails?: Trails | undefined
}

/** The trails of the targets that a token goes to from a node. */
export function trailsAfter(
  scope: EngineScope,
  trail: Trail | undefined,
  { targets, from }: Position,
): Trails | undefined {
  if (trail === undefined && scope.fork === undefined) return undefined
  // A group without members has its trail under the name of the node that opened it.
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

/** The trails of the joins of a group. Throws when one has run in a branch that did not know of another's way there. */
export function trailsOfJoins(
  scope: EngineScope,
  from: string,
  branches: readonly ClosedBranch[],
  joins: ReadonlySet<string>,
): Trails | undefined {
  if (joins.size === 0) return undefined
  // All branches came to all joins, and nothing ran beside them.
  const isWhole = branches.every(({ at, trails, start }) => !trails && !start && at.length === joins.size)
  const trails = new Map<string, Trail>()
  for (const join of joins) {
    const arrived = branches.filter(({ at }) => at.includes(join))
    const hasEntered = ({ entered }: ClosedBranch): boolean => entered.includes(join)
    const runs = branches.filter(hasEntered).length
    // Without a run of the join before, and nothing beside it, no way there matters.
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

/** The same for a group without members. */
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

/** What ran in branches of a group that did not come to a join, and what ran beside those that did. */
function besideJoin(
  from: string,
  branches: readonly ClosedBranch[],
  arrived: readonly ClosedBranch[],
  join: string,
): Map<string, string> {
  const beside = new Map<string, string>()
  for (const { trails } of arrived)
    for (const [node, opener] of trails?.get(join)?.beside ?? []) beside.set(node, opener)
  // What ran beside some starts of the group led to the others.
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

/** The undeclared way on which a branch came to a join. */
function strayTo(path: string, { fork, tasks, trails }: ClosedBranch, join: string): Trail['stray'] {
  const known = trails?.get(join)?.stray
  if (known !== undefined || isDeclared(fork, join)) return known
  const leading = tasks.findLast(({ goto }) => goto?.some(({ node }) => node === join) === true) ?? tasks.at(-1)
  return { node: path + (leading?.node ?? fork.from), target: join }
}

/** The way from one node to another, when it is undeclared. One that a node takes back to itself leads nowhere new. */
function findStray({ plan, path }: EngineScope, from: string, to: string): Trail['stray'] {
  return from === to || layoutOf(plan).leads(from, to) ? undefined : { node: path + from, target: to }
}

/** The trail of a token that enters a node. What comes after the opener of a group is another round of it. */
function newTrail(node: string, beside: ReadonlyMap<string, string>, stray: Trail['stray']): Trail {
  const left = beside.size === 0 ? beside : new Map([...beside].filter(([, opener]) => opener !== node))
  return stray === undefined ? { beside: left } : { beside: left, stray }
}

/** Outside all groups an undeclared way matters only to what ran beside it. */
function matters({ fork }: EngineScope, { beside, stray }: Trail): boolean {
  return beside.size > 0 || (stray !== undefined && fork !== undefined)
}

function refuseSecondRun({ beside, stray }: Trail, node: string): void {
  if (stray !== undefined && beside.has(node)) throw graphError('target-undeclared', stray)
}
