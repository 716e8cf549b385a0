/**
 * A fork group: several chains that start from one state and do not see each other.
 *
 * Its members run concurrently and close in any order. When the last has closed, or a join needs no more of them, their
 * updates are applied to the state of the fork in the order of their nodes and Sends, so the result does not depend on
 * time. A halted member does not stop its siblings. The group leads to the joins at which its members closed.
 */

import { isStateError } from '../../../core/index.ts'
import { graphError } from '../../errors.ts'
import type { State } from '../../model/compiled-plan.ts'
import { isPromise, type MaybePromise } from '../../model/maybe-promise.ts'
import type { Change, Position, Target, TaskResult, Trails } from '../../model/run-protocol.ts'
import { hasSameContent } from '../../state/same-content.ts'
import type { CancelScope } from '../flow/cancel-scope.ts'
import { drive, type Flow } from '../flow/flow.ts'
import { type Halted, haltedBy, haltedTogether } from '../flow/halted.ts'
import { closesAt, type Fork, forksOf, joinsOfNothing, leftToAround } from '../joins/fork.ts'
import { groupReachOf } from '../joins/group-reach.ts'
import { neededAt } from '../joins/join-rule.ts'
import { waitingStarts } from '../joins/waiting-starts.ts'
import { applyAll } from '../task/apply.ts'
import type { EngineScope, ParentCommand } from '../task/engine-scope.ts'
import { type ClosedBranch, trailsAfterNothing, trailsOfJoins } from './trail.ts'

/** How a chain of tasks ended. */
export interface ChainClosed {
  readonly kind: 'closed'
  readonly state: State
  readonly tasks: readonly TaskResult[]
  /** The nodes that it entered by edges, without its start. */
  readonly entered: readonly string[]
  /** The joins that it closed at; none when it ended. */
  readonly at: readonly string[]
  readonly trails?: Trails | undefined
  readonly depth: number
  readonly toParent?: readonly ParentCommand[] | undefined
}

/** A group to run. */
export interface Group {
  readonly scope: EngineScope
  readonly position: Position
  /** The state of the fork. */
  readonly state: State
  /** The beginning of the addresses of its members. */
  readonly key: string
  readonly depth: number
}

/** Runs one member from its target; the addresses of its tasks begin with the key. */
export type RunMember = (scope: EngineScope, target: Target, key: string) => Flow<ChainClosed | Halted>

export interface GroupClosed {
  readonly kind: 'closed'
  readonly state: State
  readonly changes: readonly Change[]
  readonly tasks: readonly TaskResult[]
  readonly entered: readonly string[]
  /** The joins that this group enters, and those that it leaves to a group around it. */
  readonly enters: readonly string[]
  readonly arrives: readonly string[]
  readonly trails?: Trails | undefined
  readonly depth: number
  readonly toParent?: readonly ParentCommand[] | undefined
}

interface Member {
  readonly target: Target
  readonly cancelScope: CancelScope
  end: ChainClosed | Halted | undefined
}

export function* runGroup(group: Group, runMember: RunMember): Flow<GroupClosed | Halted> {
  const { scope, position, state, key, depth } = group
  const { run, plan } = scope
  const { from, trails } = position
  const targets = inDeclaredOrder(scope, position.targets)
  const reach = groupReachOf(plan, targets)
  const forkOf = forksOf(plan, reach, from, scope.fork)
  const waiting = waitingStarts(plan, position, reach, scope.fork)
  const members = targets.map((target): Member => ({ target, cancelScope: scope.cancelScope.child(), end: undefined }))
  run.events.debug(() => ({ what: 'group-open', from, members: members.length }))
  const tally = run.events.opened(members.length - waiting.size)
  try {
    const isEarly = yield* runMembers(scope, from, members, (member, index) => {
      const { target, cancelScope } = member
      if (!target.isSend && waiting.has(target.node)) {
        return { kind: 'closed', state, tasks: [], entered: [], at: [target.node], trails, depth }
      }
      const inside = { ...scope, cancelScope, fork: forkOf(target), member: { target, tally } }
      return drive(runMember(inside, target, `${key}/${index}`))
    })
    return yield* close(group, members, forkOf, isEarly)
  } finally {
    run.events.over(tally)
  }
}

/** Targets in the order in which their nodes were added; Sends to one node in the order in which they were sent. */
function inDeclaredOrder({ plan }: EngineScope, targets: readonly Target[]): readonly Target[] {
  const order = (target: Target): number => plan.nodes.get(target.node)!.order
  return [...targets].sort((a, b) => order(a) - order(b))
}

/** Runs all members until none is open, or until a join has enough of them; returns whether it was the latter. */
function* runMembers(
  { plan, fork }: EngineScope,
  from: string,
  members: readonly Member[],
  start: (member: Member, index: number) => MaybePromise<ChainClosed | Halted>,
): Flow<boolean> {
  const arrived = new Map<string, number>()
  let open = members.length
  let isEarly = false
  let wake: (() => void) | undefined
  let broken: { readonly error: unknown } | undefined
  const over = (member: Member, end: ChainClosed | Halted): void => {
    if (isEarly) return
    member.end = end
    member.cancelScope.close()
    open--
    for (const join of end.kind === 'closed' ? end.at : []) {
      const count = (arrived.get(join) ?? 0) + 1
      arrived.set(join, count)
      isEarly ||= open > 0 && count >= neededAt(plan, join, members.length) && !closesAt(fork, join)
    }
    if (open === 0 || isEarly) wake?.()
  }
  for (const [index, member] of members.entries()) {
    if (isEarly) break
    const end = start(member, index)
    if (!isPromise(end)) over(member, end)
    else {
      end.then(
        one => over(member, one),
        error => {
          if (isEarly) return
          broken ??= { error }
          wake?.()
        },
      )
    }
  }
  if (open > 0 && !isEarly) {
    yield new Promise<void>(resolve => {
      wake = resolve
    })
  }
  if (broken !== undefined && !isEarly) throw broken.error
  if (isEarly)
    for (const { end, cancelScope } of members)
      if (end === undefined) cancelScope.end(graphError('member-discarded', { from }))
  return isEarly
}

function* close(
  { scope, position, state, key, depth }: Group,
  members: readonly Member[],
  forkOf: (target: Target) => Fork,
  isEarly: boolean,
): Flow<GroupClosed | Halted> {
  const { from, trails: starts } = position
  const ends = members.flatMap(({ end }) => (end === undefined ? [] : [end]))
  const halted = ends.filter(end => end.kind === 'halted')
  if (halted.length > 0 && !isEarly) return haltedTogether(halted)
  const closed = ends.filter(end => end.kind === 'closed')
  const joins = new Set(closed.flatMap(({ at }) => at))
  const branches = branchesOf(members, forkOf, starts)
  let joined: Joined
  let trails: Trails | undefined
  try {
    if (members.length === 0) for (const join of joinsOfNothing(scope.plan, from)) joins.add(join)
    trails =
      members.length === 0
        ? trailsAfterNothing(scope, starts?.get(from), joins)
        : trailsOfJoins(scope, from, branches, joins)
    joined = yield* joinMembers(scope, state, closed)
  } catch (error) {
    if (scope.cancelScope.ended !== undefined) throw error
    return groupFailed(scope, from, key, error)
  }
  scope.run.events.debug(() => ({ what: 'group-close', from, joins: [...joins], isEarly }))
  const toParent = closed.flatMap(end => end.toParent ?? [])
  const order = (name: string): number => scope.plan.nodes.get(name)!.order
  const reached = [...joins].sort((a, b) => order(a) - order(b))
  const left = leftToAround(scope.fork, reached)
  return {
    kind: 'closed',
    ...joined,
    // Only a group around uses it.
    entered: scope.fork === undefined ? [] : branches.flatMap(branch => branch.entered),
    enters: reached.filter(join => !left.has(join)),
    arrives: reached.filter(join => left.has(join)),
    trails,
    depth: closed.reduce((most, end) => Math.max(most, end.depth), depth),
    ...(toParent.length === 0 ? {} : { toParent }),
  }
}

function enteredBy({ target, end }: Member): readonly string[] {
  if (end?.kind !== 'closed') return []
  return target.isSend || end.tasks.length === 0 ? end.entered : [target.node, ...end.entered]
}

function branchesOf(
  members: readonly Member[],
  forkOf: (target: Target) => Fork,
  starts: Trails | undefined,
): readonly ClosedBranch[] {
  return members.flatMap(member => {
    const { target, end } = member
    if (end?.kind !== 'closed') return []
    const { tasks, at, trails } = end
    return [{ fork: forkOf(target), start: starts?.get(target.node), tasks, entered: enteredBy(member), at, trails }]
  })
}

interface Joined {
  readonly state: State
  readonly changes: readonly Change[]
  readonly tasks: readonly TaskResult[]
}

function* joinMembers(scope: EngineScope, base: State, closed: readonly ChainClosed[]): Flow<Joined> {
  refuseConflicts(scope, closed)
  const tasks = closed.flatMap(end => end.tasks)
  const changes: Change[] = []
  let state = base
  for (const [index, { node, updates, isForParent }] of tasks.entries()) {
    if (isForParent === true) continue
    const applied = yield* applyAll(scope, state, updates, scope.path + node)
    state = applied.state
    for (const change of applied.changes) changes.push({ ...change, task: index })
  }
  return { state, changes, tasks }
}

/** Throws when two members wrote different values to a field without a reducer. */
function refuseConflicts({ plan, path }: EngineScope, closed: readonly ChainClosed[]): void {
  const written = new Map<string, { readonly value: unknown; readonly node: string }>()
  for (const { tasks } of closed) {
    const own = new Map<string, { readonly value: unknown; readonly node: string }>()
    for (const { node, updates, isForParent } of tasks) {
      if (isForParent === true) continue
      for (const update of updates) {
        for (const field of plan.fields.plain(update)) own.set(field, { value: update[field], node: path + node })
      }
    }
    for (const [field, { value, node }] of own) {
      const other = written.get(field)
      if (other === undefined) written.set(field, { value, node })
      else if (!hasSameContent(other.value, value)) {
        throw graphError('update-conflict', { field, nodes: [other.node, node] })
      }
    }
  }
}

/** The failure of a group whose updates conflict. The results of its members are kept. */
function groupFailed(scope: EngineScope, from: string, key: string, error: unknown): Halted {
  const { node: culprit, nodes } = (isStateError(error) ? error.data : {}) as Culprits
  const node = culprit ?? nodes?.at(-1) ?? from
  if (!scope.isNested) scope.run.facts.note({ kind: 'failure', task: key, node, attempt: 1, error })
  return haltedBy({ failures: [{ node, error }] })
}

/** The nodes in the data of errors about updates. */
interface Culprits {
  readonly node?: string
  readonly nodes?: readonly string[]
}
