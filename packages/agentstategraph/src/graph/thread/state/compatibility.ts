/**
 * Whether a thread can be resumed in a graph that has changed since the thread stopped.
 *
 * The position of a thread consists of names of nodes, and its results have addresses. Both are valid only while the graph
 * has these nodes, in this order, with these reducers. Other changes of the graph do no harm.
 */

import { isFinished, resultsOf } from '../../engine/facts/pending-interrupts.ts'
import { taskOfInterrupt } from '../../engine/facts/task-address.ts'
import { graphError } from '../../errors.ts'
import type { CompiledGraphPlan, State } from '../../model/compiled-plan.ts'
import { andThen, type MaybePromise } from '../../model/maybe-promise.ts'
import type { Fact, TaskKey, TaskResult } from '../../model/run-protocol.ts'
import { START } from '../../model/targets.ts'
import { versionOf } from '../records/graph-version.ts'
import type { ThreadRefs } from '../records/refs.ts'
import { finishedTasks, nodeAt } from './pending-work.ts'
import type { ThreadResumePoint } from './resume-point.ts'

interface Misfit {
  readonly node: string
  readonly reason: string
}

/** Throws `thread-outdated` when a target, interrupt or result of a thread is not valid in the graph. */
export function assertFits(plan: CompiledGraphPlan, refs: ThreadRefs, { record, facts }: ThreadResumePoint): void {
  const all = facts.map(({ fact }) => fact)
  const misfit = findGoneTarget(plan, record.next) ?? findGoneFact(plan, all) ?? findMoved(plan, record.next, all)
  const found = misfit ?? findCutOff(plan, all) ?? findReduced(plan, all)
  if (found === undefined) return
  const { id: thread, graph } = refs
  throw graphError('thread-outdated', { thread, graph, ...found, version: versionOf(plan), leftBy: record.version })
}

/** Throws `thread-incomplete` when a state lacks a field without a default. */
export function assertComplete(plan: CompiledGraphPlan, refs: ThreadRefs, state: State): MaybePromise<void> {
  return andThen(plan.fields.missing(state), fields => {
    if (fields.length === 0) return
    throw graphError('thread-incomplete', { thread: refs.id, graph: refs.graph, fields, version: versionOf(plan) })
  })
}

type Next = ThreadResumePoint['record']['next']

function gone(node: string): Misfit {
  return { node, reason: `the graph has no node '${node}'` }
}

function findGoneTarget({ nodes }: CompiledGraphPlan, next: Next): Misfit | undefined {
  if (next === undefined) return undefined
  for (const { node, join } of next.targets) {
    if (!nodes.has(node)) return gone(node)
    if (join !== undefined && !nodes.has(join)) return gone(join)
  }
  // The joins of an empty group are found from its opener.
  const { from, targets } = next
  return targets.length === 0 && from !== START && !nodes.has(from) ? gone(from) : undefined
}

/** The names and addresses of finished tasks and of pending interrupts. */
function pendingTasks(facts: readonly Fact[]): readonly { readonly name: string; readonly task: TaskKey }[] {
  const results = resultsOf(facts)
  return facts.flatMap(fact => {
    if (fact.kind === 'task') return [{ name: (fact.path ?? '') + fact.node, task: fact.task }]
    if (fact.kind !== 'interrupt' || isFinished(results, taskOfInterrupt(fact.task))) return []
    // The pause that a step ends with needs no node.
    return fact.task === '0!after' ? [] : [{ name: fact.node, task: fact.task }]
  })
}

function findGoneFact(plan: CompiledGraphPlan, facts: readonly Fact[]): Misfit | undefined {
  for (const { name, task } of pendingTasks(facts)) {
    const misfit = findGoneName(plan, name, task.split('>').slice(1))
    if (misfit !== undefined) return misfit
  }
  return undefined
}

/** `below`: for each nested graph, its number in its task; 0 for a subgraph. */
function findGoneName(plan: CompiledGraphPlan, name: string, below: readonly string[]): Misfit | undefined {
  const node = nodeAt(plan, name)
  if (node === undefined) return gone(name)
  const [first, ...deeper] = below
  // The graph that a function calls is not known here.
  if (first === undefined || !first.startsWith('0')) return undefined
  const inner = plan.nodes.get(node)?.subgraph
  if (inner === undefined) return { node, reason: `'${node}' is no longer a graph, and the thread is inside it` }
  const misfit = findGoneName(inner, name.slice(node.length + 1), deeper)
  return misfit && { node: `${node}/${misfit.node}`, reason: misfit.reason }
}

/** Members of a group are identified by their index in the order in which nodes were added. */
function findMoved(plan: CompiledGraphPlan, next: Next, facts: readonly Fact[]): Misfit | undefined {
  const order = (node: string): number => plan.nodes.get(node)!.order
  const members = (next?.targets ?? []).toSorted((a, b) => order(a.node) - order(b.node))
  for (const { name, task } of pendingTasks(facts)) {
    const index = /^0\.0\/(\d+)\.0(?!\d)/.exec(task)?.[1]
    const member = index === undefined ? undefined : members[Number(index)]
    const node = nodeAt(plan, name)!
    if (member === undefined || member.node === node || member.join === node) continue
    return { node, reason: `'${node}' has another place among the nodes, so its results cannot be told from others` }
  }
  return undefined
}

/** A task after another in its branch, when no edge leads from the one to the other any more. */
function findCutOff(plan: CompiledGraphPlan, facts: readonly Fact[]): Misfit | undefined {
  const results = resultsOf(facts)
  for (const { name, task } of pendingTasks(facts)) {
    const before = taskBefore(results, taskOfInterrupt(task))
    const node = nodeAt(plan, name)!
    if (before === undefined || before.goto !== undefined || plan.routes.has(before.node)) continue
    const targets = plan.edges.get(before.node) ?? []
    if (targets.length === 1 && targets[0] === node) continue
    return { node, reason: `'${before.node}' no longer leads to '${node}', where the thread is` }
  }
  return undefined
}

/** The finished task before another in its branch, in the thread's own graph. */
function taskBefore(results: ReadonlyMap<TaskKey, TaskResult>, task: TaskKey): TaskResult | undefined {
  const [, chain, ordinal] = /^([^>]*)\.(\d+)$/.exec(task.split('>')[0]!) ?? []
  return chain === undefined ? undefined : results.get(`${chain}.${Number(ordinal) - 1}`)
}

/** A result that was kept for another reducer than the field has now. */
function findReduced({ fields, ...plan }: CompiledGraphPlan, facts: readonly Fact[]): Misfit | undefined {
  const results = resultsOf(facts)
  for (const { task, node, updates } of finishedTasks({ fields, ...plan }, facts)) {
    const { reducers } = results.get(task)!
    for (const field of updates.flatMap(update => Object.keys(update))) {
      if (fields.names?.includes(field) === false)
        return { node, reason: `${node} wrote '${field}', which is no field any more` }
      const was = reducers?.[field]
      const is = fields.reducerOf(field)
      if (reducers === undefined || was === is) continue
      const words = (name: string | undefined): string => (name === undefined ? 'no reducer' : `the reducer ${name}`)
      return { node, reason: `${node} wrote '${field}' for ${words(was)}, and the field has ${words(is)} now` }
    }
  }
  return undefined
}
