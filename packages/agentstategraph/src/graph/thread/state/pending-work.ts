/**
 * The work of a thread since its last step: finished tasks, and tasks that wait or failed.
 *
 * Results become part of the state with the next step. A stopped thread shows them applied as that step will apply them:
 * in the order of their addresses, which is the declared order of the members of a group. Nothing is run here, and no
 * route is called.
 */

import { isFinished, pendingFailures, pendingInterrupts, resultsOf } from '../../engine/facts/pending-interrupts.ts'
import { inAddressOrder, isInCall, isPauseAfter, taskOfInterrupt } from '../../engine/facts/task-address.ts'
import { sharedPart } from '../../engine/task/subgraph.ts'
import type { CompiledGraphPlan, State, Update } from '../../model/compiled-plan.ts'
import { andThen, foldPromise, isPromise, type MaybePromise } from '../../model/maybe-promise.ts'
import { type Fact, type TaskKey, type TaskResult, updateName } from '../../model/run-protocol.ts'
import { END } from '../../model/targets.ts'
import type { ThreadResumePoint } from './resume-point.ts'

/** A finished task, with the updates to fields of the thread's own graph. */
export interface FinishedTask {
  readonly task: TaskKey
  readonly node: string
  readonly updates: readonly Update[]
}

/** A task of the thread's own graph that waits or failed. */
export interface WaitingTask {
  readonly task: TaskKey
  readonly node: string
  /** It has finished, and waits at the pause after it. */
  readonly isAfter: boolean
  /** The nodes that this task leads to when it goes on. */
  readonly next: readonly string[]
}

/** The finished tasks that are not inside another finished one, with their amendments, in the order of the next step. */
export function finishedTasks(plan: CompiledGraphPlan, facts: readonly Fact[]): readonly FinishedTask[] {
  const results = resultsOf(facts)
  const amendments = facts.flatMap(fact => (fact.kind === 'amend' ? [fact] : []))
  return (
    [...results.values()]
      // Updates of a called graph stay in that graph.
      .filter(({ task }) => !isInCall(task) && !isFinished(results, outerTask(task)))
      .sort((a, b) => inAddressOrder(a.task, b.task))
      .map(result => {
        const amended = amendments.filter(({ task }) => task === result.task).map(({ update }) => update)
        const updates = [...result.updates, ...amended]
        const node = (result.path ?? '') + result.node
        return { task: result.task, node, updates: updates.flatMap(update => partsShared(plan, result, update)) }
      })
  )
}

/** The task that a task is inside of; an empty address when there is none. */
function outerTask(task: TaskKey): TaskKey {
  return task.slice(0, Math.max(0, task.lastIndexOf('>')))
}

/** The part of an update of a nested graph that the thread's own graph shares. */
function partsShared(
  plan: CompiledGraphPlan,
  { path = '', isForParent }: TaskResult,
  update: Update,
): readonly Update[] {
  const around = plansAlong(plan, path).reverse()
  const passed = isForParent === true ? around.slice(1) : around
  return passed.reduce<readonly Update[]>((parts, outer) => parts.flatMap(part => sharedPart(part, outer)), [update])
}

/** The graphs around a nested graph, the outermost first, from the path of the nested graph. */
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

/** The node of a graph that a name with slashes begins with. Names of nodes may contain slashes themselves. */
export function nodeAt({ nodes }: CompiledGraphPlan, name: string): string | undefined {
  if (nodes.has(name)) return name
  const around = [...nodes.keys()].filter(node => name.startsWith(`${node}/`))
  return around.sort((a, b) => b.length - a.length)[0]
}

/** The state with the updates of finished tasks. An update that cannot be applied is left out. */
export function stateWithFinished(
  { fields }: CompiledGraphPlan,
  finished: readonly FinishedTask[],
  state: State,
): MaybePromise<State> {
  const updates = finished.flatMap(({ node, updates }) => updates.map(update => ({ node, update })))
  return foldPromise(updates, state, (sum, { node, update }): MaybePromise<State> => {
    try {
      const applied = andThen(fields.apply(sum, update, node), ({ state: next }) => next)
      return isPromise(applied) ? applied.catch(() => sum) : applied
    } catch {
      return sum
    }
  })
}

/** The state of the last step with the amendments to it, and their changes. */
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

/** The task of amendments to the state that the pending tasks began with. */
export const BASE: TaskKey = '0'

/** The tasks that wait for an answer or failed, in the order of addresses. */
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

/** The nodes that come next: those of waiting tasks, or else the targets of the last step that have not finished. */
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
  const following = finished.flatMap(node => plan.edges.get(node) ?? []).filter(node => node !== END)
  return [...new Set(following)]
}
