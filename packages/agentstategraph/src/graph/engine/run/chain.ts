/**
 * A chain: the moves of one token, each a task or a fork group, until it ends or closes at a join.
 *
 * The token outside any group, each member of a group and each nested graph is a chain; they differ in what happens after
 * a move. Outside any group a move is a step, and the addresses of tasks begin anew. Inside, finished results are flushed
 * to the run log before the next task begins, so that a crash does not run them again.
 */

import { appendAll } from '../../../core/index.ts'
import type { State } from '../../model/compiled-plan.ts'
import type {
  Change,
  InterruptFact,
  Position,
  Step,
  Target,
  TaskResult,
  Trail,
  Trails,
} from '../../model/run-protocol.ts'
import type { FieldChange } from '../../state/reducers/reduced.ts'
import { awaited, type Flow } from '../flow/flow.ts'
import { type Halted, haltedBy } from '../flow/halted.ts'
import { closesAt } from '../joins/fork.ts'
import { findSettledJoin } from '../joins/join-rule.ts'
import { type EngineScope, type Nested, type NestedEnd, type ParentCommand, waitIn } from '../task/engine-scope.ts'
import { emitPaused, runTask, type TaskDone } from '../task/execute.ts'
import { failed } from '../task/failure.ts'
import { holdAfter, pauseAfter, publicInterrupt } from '../task/interrupts.ts'
import { followEdges, followStaticEdges, positionOf } from '../task/route.ts'
import { type ChainClosed, type GroupClosed, runGroup } from './group.ts'
import { stepLimit } from './step-limit.ts'
import { trailsAfter } from './trail.ts'

export interface Chain {
  readonly scope: EngineScope
  readonly state: State
  readonly position: Position | undefined
  /** The beginning of the addresses of its tasks. */
  readonly key: string
  readonly depth: number
  /** Lands each move as a step, for the chain outside any group. Returns why it halts when the step is refused. */
  readonly land?: ((step: Step) => Flow<Halted | undefined>) | undefined
}

/** Where a chain is before a move. */
interface ChainPoint {
  readonly scope: EngineScope
  readonly state: State
  /** The address of the move. */
  readonly key: string
  readonly depth: number
}

/** What a task or a group did, and where the chain goes next. */
interface Move {
  readonly kind: 'moved'
  readonly cause: 'task' | 'group'
  readonly state: State
  readonly changes: readonly Change[]
  readonly tasks: readonly TaskResult[]
  readonly entered: readonly string[]
  readonly next: Position | undefined
  /** The joins at which this chain closes, instead of going on. */
  readonly at?: readonly string[] | undefined
  readonly trails?: Trails | undefined
  readonly depth: number
  readonly toParent?: readonly ParentCommand[] | undefined
  /** The pause that the step ends with. */
  readonly hold?: InterruptFact | undefined
}

export function* runChain(chain: Chain): Flow<ChainClosed | Halted> {
  const { scope, key, land } = chain
  const tasks: TaskResult[] = []
  const entered: string[] = []
  let { state, position, depth } = chain
  let trail: Trail | undefined
  for (let ordinal = 0; position !== undefined; ordinal = land === undefined ? ordinal + 1 : 0) {
    if (depth >= scope.run.maxSteps) return haltedBy({ stops: [stepLimit(scope, position)] })
    const point: ChainPoint = { scope, state, key: `${key}.${ordinal}`, depth }
    const only: Target | undefined = position.targets[0]
    // A member of a group begins with the task of its target, also when that is a Send.
    const isStart = scope.member !== undefined && ordinal === 0
    const isTask = position.targets.length === 1 && (isStart || !only!.isSend)
    trail = position.trails?.get(only?.node ?? position.from)
    const move: Move | Halted = isTask
      ? yield* moveByTask(point, only!, trail, isStart)
      : yield* moveByGroup(point, position)
    if (move.kind === 'halted') return move
    state = move.state
    depth = move.depth
    if (land === undefined) {
      appendAll(tasks, move.tasks)
      appendAll(entered, move.entered)
    }
    const { at, toParent } = move
    if (toParent !== undefined) return { kind: 'closed', state, tasks, entered, at: [], depth, toParent }
    if (at !== undefined) return { kind: 'closed', state, tasks, entered, at, trails: move.trails, depth }
    const { cause, changes, next, hold } = move
    if (land !== undefined) {
      const refused = yield* land({
        cause,
        state,
        changes,
        tasks: move.tasks,
        next,
        ...(hold === undefined ? {} : { hold }),
      })
      if (refused !== undefined) return refused
      if (hold !== undefined) {
        const { node, attempt } = move.tasks[0]!
        return emitPaused(scope, node, attempt, haltedBy({ interrupts: [publicInterrupt(hold)] }))
      }
    } else if (next !== undefined) yield* awaited(scope.run.facts.flush())
    position = next
  }
  const join = scope.member?.target.join
  if (join === undefined) return { kind: 'closed', state, tasks, entered, at: [], depth }
  return { kind: 'closed', state, tasks, entered, at: [join], trails: onlyTrail(join, trail), depth }
}

function* moveByTask(
  { scope, state, key, depth }: ChainPoint,
  target: Target,
  trail: Trail | undefined,
  isStart: boolean,
): Flow<Move | Halted> {
  const { plan, member } = scope
  const node = plan.nodes.get(target.node)!
  if (member !== undefined && !isStart) member.tally.total++
  let done: TaskDone | undefined
  try {
    const end = yield* runTask(scope, target, key, state, depth)
    if (end.kind === 'halted') return end
    done = end
    const { result, applied, amended } = done
    const changes = applied.changes.map(ofOnlyTask)
    const move = {
      kind: 'moved' as const,
      cause: 'task' as const,
      state: amended?.state ?? applied.state,
      changes: amended === undefined ? changes : [...changes, ...amended.changes],
      tasks: amended === undefined ? [result] : [result, ...amended.tasks],
      entered: isStart ? [] : [node.name],
      depth: done.depth,
    }
    const way = yield* nextAfter(scope, trail, done)
    if (scope.member === undefined && !scope.isNested) {
      const hold = holdAfter(scope, node.name)
      return hold === undefined ? { ...move, ...way } : { ...move, ...way, hold }
    }
    const follows = way.at ?? way.next?.targets.map(to => to.node) ?? []
    const held = pauseAfter(scope, key, node.name, [...new Set(follows)])
    return held === undefined ? { ...move, ...way } : emitPaused(scope, scope.path + node.name, result.attempt, held)
  } catch (error) {
    if (scope.cancelScope.ended !== undefined) throw error
    return failed(scope, node, key, done?.result.attempt ?? 1, error)
  }
}

/** Where a chain goes after a task: to the next position, to the join where it closes, or to the parent graph. */
function* nextAfter(
  scope: EngineScope,
  trail: Trail | undefined,
  { result, applied, amended }: TaskDone,
): Flow<Pick<Move, 'next' | 'at' | 'trails' | 'toParent'>> {
  const { plan, fork, member } = scope
  const { node, isForParent, collected, updates, goto } = result
  if (isForParent === true) {
    const all = [...updates, ...(amended?.tasks.flatMap(task => task.updates) ?? [])]
    return { next: undefined, toParent: [{ updates: all, goto }] }
  }
  if (collected !== undefined && plan.nodes.get(node)?.options.onError !== 'collect' && fork !== undefined) {
    const settled = findSettledJoin(fork, member!.target, node)
    if (settled !== undefined) return { next: undefined, at: [settled], trails: onlyTrail(settled, trail) }
  }
  const next = yield* positionFrom(scope, result, amended?.reroutes === true ? amended.state : applied.state)
  const trails = next && trailsAfter(scope, trail, next)
  const arrival = findArrival(scope, next)
  if (arrival !== undefined) return { next: undefined, at: [arrival], trails }
  return { next: trails === undefined ? next : { ...next!, trails } }
}

function onlyTrail(node: string, trail: Trail | undefined): Trails | undefined {
  return trail && new Map([[node, trail]])
}

/** Without a spread, because one for each change of each step shows in profiles. */
function ofOnlyTask(change: FieldChange): Change {
  const { op, path } = change
  return op === 'delete' ? { op, path, task: 0 } : { op, path, value: change.value, task: 0 }
}

function* positionFrom(scope: EngineScope, result: TaskResult, state: State): Flow<Position | undefined> {
  const { run, plan, path } = scope
  const { goto, node } = result
  const wait = (answer: unknown): Flow<unknown> =>
    waitIn(scope, answer, `a route of ${path}${result.node} returned a promise`)
  let next: Position | undefined
  if (goto !== undefined) next = positionOf(goto, node)
  else if (plan.routes.has(node)) next = yield* followEdges(plan, node, state, wait, run.context)
  else next = followStaticEdges(plan, node)
  run.events.debug(() => ({ what: 'route', from: path + node, to: next?.targets.map(target => target.node) ?? [] }))
  return next
}

/** The join at which a member closes, when the next position is one. */
function findArrival({ fork }: EngineScope, next: Position | undefined): string | undefined {
  const only = next?.targets.length === 1 ? next.targets[0]! : undefined
  if (only === undefined || only.isSend) return undefined
  return closesAt(fork, only.node) ? only.node : undefined
}

function* moveByGroup(point: ChainPoint, position: Position): Flow<Move | Halted> {
  const { state, depth } = point
  const end: GroupClosed | Halted = yield* runGroup({ ...point, position }, (scope, target, key) =>
    runChain({ scope, state, position: { ...position, targets: [target] }, key, depth }),
  )
  if (end.kind === 'halted') return end
  const { enters, arrives, trails, toParent } = end
  const move = {
    kind: 'moved' as const,
    cause: 'group' as const,
    state: end.state,
    changes: end.changes,
    tasks: end.tasks,
    entered: end.entered,
    // A group without tasks counts as one, so that an endless sequence of empty groups reaches the step limit.
    depth: end.tasks.length === 0 ? end.depth + 1 : end.depth,
    ...(toParent === undefined ? {} : { toParent }),
  }
  if (enters.length === 0 && arrives.length > 0) return { ...move, next: undefined, at: arrives, trails }
  const targets = [...enters, ...arrives].map((node): Target => ({ node, isSend: false }))
  if (targets.length === 0) return { ...move, next: undefined }
  const areJoins = targets.length > 1 ? { areJoins: true as const } : {}
  const next = { targets, from: position.from, ...areJoins, ...(trails === undefined ? {} : { trails }) }
  return { ...move, next }
}

/** Runs a nested graph as a chain whose moves are not steps. */
export function* runNestedChain({ scope, state, position, key, depth }: Nested): Flow<NestedEnd> {
  const end = yield* runChain({ scope, state, position, key, depth })
  if (end.kind === 'halted') return end
  const updates = end.tasks.flatMap(task => (task.isForParent === true ? [] : task.updates))
  return { ...end, updates }
}
