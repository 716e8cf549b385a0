/**
 * What a thread has done since its last step: the tasks that have finished, and those that wait or failed.
 *
 * Their results become part of the state with the next step. Who looks at a thread before that sees them applied as that
 * step will apply them: in the order of their addresses, which is the declared order of the members of a group. Nothing is
 * run and no route is asked here.
 */

import { isFinished, pendingFailures, pendingInterrupts, resultsOf } from '../../engine/facts/pending-interrupts.ts'
import { inAddressOrder, isInCall, isPauseAfter, taskOfInterrupt } from '../../engine/facts/task-address.ts'
import { sharedPart } from '../../engine/task/subgraph.ts'
import type { CompiledGraphPlan, State, Update } from '../../model/compiled-plan.ts'
import { andThen, foldPromise, type MaybePromise } from '../../model/maybe-promise.ts'
import { type Fact, type TaskKey, type TaskResult, updateName } from '../../model/run-protocol.ts'
import { END } from '../../model/targets.ts'
import type { ThreadResumePoint } from './resume-point.ts'

/** A finished task, with the updates that reach the thread's own graph. */
export interface FinishedTask {
  readonly task: TaskKey
  readonly node: string
  readonly updates: readonly Update[]
}

/** A task of the thread's own graph that cannot go on. */
export interface WaitingTask {
  readonly task: TaskKey
  readonly node: string
  /** It has finished, and only a pause holds up what follows. */
  readonly isAfter: boolean
  /** What comes next as far as this one decides it. */
  readonly next: readonly string[]
}

/** The finished tasks that are not part of another finished one, and the amendments to them, in the order of the next step. */
export function finishedTasks(plan: CompiledGraphPlan, facts: readonly Fact[]): readonly FinishedTask[] {
  const results = resultsOf(facts)
  const amendments = facts.flatMap(fact => (fact.kind === 'amend' ? [fact] : []))
  return (
    [...results.values()]
      // What a graph does that a function runs reaches nobody by itself.
      .filter(({ task }) => !isInCall(task) && !isFinished(results, outerTask(task)))
      .sort((a, b) => inAddressOrder(a.task, b.task))
      .map(result => {
        const amended = amendments.filter(({ task }) => task === result.task).map(({ update }) => update)
        const updates = [...result.updates, ...amended]
        const node = (result.path ?? '') + result.node
        return { task: result.task, node, updates: updates.flatMap(update => reaching(plan, result, update)) }
      })
  )
}

/** The task that a task is inside of; of one that is in none, an address that no task has. */
function outerTask(task: TaskKey): TaskKey {
  return task.slice(0, Math.max(0, task.lastIndexOf('>')))
}

/** The part of an update that the thread's own graph takes over from the graphs inside it. */
function reaching(plan: CompiledGraphPlan, { path = '', isForParent }: TaskResult, update: Update): readonly Update[] {
  const around = plansAlong(plan, path).reverse()
  const passed = isForParent === true ? around.slice(1) : around
  return passed.reduce<readonly Update[]>((parts, outer) => parts.flatMap(part => sharedPart(part, outer)), [update])
}

/** The graphs that a path leads through, the outermost first; it is the innermost's path that is given. */
function plansAlong(plan: CompiledGraphPlan, path: string): CompiledGraphPlan[] {
  const plans: CompiledGraphPlan[] = []
  let inner: CompiledGraphPlan | undefined = plan
  for (let rest = path; rest !== '' && inner !== undefined; ) {
    plans.push(inner)
    const name = nodeAt(inner, rest)
    rest = name === undefined ? '' : rest.slice(name.length + 1)
    inner = name === undefined ? undefined : inner.nodes.get(name)?.subgraph
  }
  return plans
}

/** The node of a graph that a name with slashes begins with: names may have slashes themselves. */
export function nodeAt({ nodes }: CompiledGraphPlan, name: string): string | undefined {
  if (nodes.has(name)) return name
  const around = [...nodes.keys()].filter(node => name.startsWith(`${node}/`))
  return around.sort((a, b) => b.length - a.length)[0]
}

/** The state of a thread with what has finished since its last step. What cannot be applied is left out. */
export function stateWithFinished(
  { fields }: CompiledGraphPlan,
  finished: readonly FinishedTask[],
  state: State,
): MaybePromise<State> {
  const updates = finished.flatMap(({ node, updates }) => updates.map(update => ({ node, update })))
  return foldPromise(updates, state, (sum, { node, update }): MaybePromise<State> => {
    try {
      const applied = andThen(fields.apply(sum, update, node), ({ state: next }) => next)
      return applied instanceof Promise ? applied.catch(() => sum) : applied
    } catch {
      return sum
    }
  })
}

/** The state of the fork with what was changed in it since, and the changes. */
export function amendedBase(
  { fields }: CompiledGraphPlan,
  facts: readonly Fact[],
  state: State,
): ReturnType<CompiledGraphPlan['fields']['apply']> {
  const updates = facts.flatMap(fact => (fact.kind === 'amend' && fact.task === BASE ? [fact.update] : []))
  return foldPromise(updates, { state, changes: [] as Applied['changes'] }, (sum, update) =>
    andThen(fields.apply(sum.state, update, updateName), made => ({
      state: made.state,
      changes: [...sum.changes, ...made.changes],
    })),
  )
}

type Applied = Awaited<ReturnType<CompiledGraphPlan['fields']['apply']>>

/** Stands for the state that the pending tasks began with. */
export const BASE: TaskKey = '0'

/** The tasks that wait for an answer or have failed, in the order of addresses. */
export function waitingTasks(
  plan: CompiledGraphPlan,
  { record, facts, before }: ThreadResumePoint,
): readonly WaitingTask[] {
  const all = facts.map(({ fact }) => fact)
  const asks = pendingInterrupts(all).map(({ task: key, node, next }): WaitingTask => {
    const task = taskOfInterrupt(key)
    const isAfter = isPauseAfter(key) && !key.includes('>')
    const top = nodeAt(plan, node) ?? node
    const targets = record.next?.targets.map(to => to.node) ?? []
    return { task: task.split('>')[0]!, node: top, isAfter, next: isAfter ? (next ?? targets) : [top] }
  })
  const failures = pendingFailures(all.slice(before)).map(
    ({ task, node }): WaitingTask => ({ task, node, isAfter: false, next: [node] }),
  )
  const known = new Map([...failures, ...asks].map(one => [`${one.isAfter} ${one.task}`, one]))
  return [...known.values()].sort((a, b) => inAddressOrder(a.task, b.task))
}

/** The nodes that come next. Where nothing waits, those of the last step's targets that have not begun. */
export function nextNodes(plan: CompiledGraphPlan, resumePoint: ThreadResumePoint): readonly string[] {
  const waiting = waitingTasks(plan, resumePoint)
  if (waiting.length > 0) return [...new Set(waiting.flatMap(({ next }) => next))]
  const targets = [...new Set((resumePoint.record.next?.targets ?? []).map(({ node }) => node))]
  const finished = finishedTasks(
    plan,
    resumePoint.facts.map(({ fact }) => fact),
  ).map(({ node }) => node)
  const left = targets.filter(node => !finished.includes(node))
  if (left.length > 0) return left
  const behind = finished.flatMap(node => plan.edges.get(node) ?? []).filter(node => node !== END)
  return [...new Set(behind)]
}
