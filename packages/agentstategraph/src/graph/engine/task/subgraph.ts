/**
 * Graphs inside a task: a subgraph, which is the node, and graphs that a node's function calls with `ctx.run`.
 *
 * A subgraph shares the fields of the same names. It returns every update of its tasks, in their order, and not its state,
 * so the reducers of the parent graph apply each change once. A called graph has its own input and output. The tasks of
 * both have addresses below the task's, and their facts are kept with the run. A resumed graph is given its kept results;
 * a function that calls a graph with another input than before starts it anew.
 */

import { appendAll } from '../../../core/index.ts'
import type { CompiledGraphPlan, State, Update } from '../../model/compiled-plan.ts'
import { START } from '../../model/targets.ts'
import { digestOfValue } from '../facts/node-cache.ts'
import type { CancelScope } from '../flow/cancel-scope.ts'
import { drive, type Flow } from '../flow/flow.ts'
import { applyAll } from './apply.ts'
import { type EngineScope, type NestedEnd, waitIn } from './engine-scope.ts'
import { PauseSignal } from './interrupts.ts'
import { followEdges } from './route.ts'
import type { AttemptEnd, AttemptReport, Task } from './task.ts'

/** Runs the graph that is a node. */
export function* runSubgraph(
  task: Task,
  plan: CompiledGraphPlan,
  view: State,
  cancelScope: CancelScope,
): Flow<AttemptEnd> {
  const outer = { ...task.scope, cancelScope }
  const inner: EngineScope = { ...nestedScope(task, plan, cancelScope), around: outer.plan }
  const state = yield* waitIn(inner, plan.fields.inherit(view), `the schema of ${task.name} takes its time`)
  const end = yield* runNested(task, inner, state, `${task.key}>0`)
  if (end.kind === 'halted') {
    const failure = end.failures[0]
    if (failure !== undefined) return { kind: 'failed', error: failure.error }
    return { kind: 'paused', interrupts: end.interrupts, stops: end.stops }
  }
  const commands = end.toParent ?? []
  const own = end.updates.flatMap(update => sharedPart(update, outer.plan))
  const updates = [...own, ...commands.flatMap(command => command.updates)]
  const targets = commands.flatMap(({ goto }) => (goto === undefined ? [] : [goto]))
  const goto = targets.length === 0 ? {} : { goto: targets.flat() }
  const applied = yield* applyAll(outer, task.state, updates, task.name)
  const nodeResult = { updates, ...goto, isForParent: false }
  return { kind: 'done', nodeResult, applied, depth: end.depth, reads: undefined }
}

/** One `ctx.run` of an attempt. */
export interface GraphCall {
  readonly plan: CompiledGraphPlan
  readonly input: unknown
  /** From 1. */
  readonly ordinal: number
}

/** Runs a graph for a node's function and returns its output. */
export async function runCalled(
  task: Task,
  cancelScope: CancelScope,
  { plan, input, ordinal }: GraphCall,
  report: AttemptReport,
): Promise<unknown> {
  const { fields } = plan
  const inner = { ...nestedScope(task, plan, cancelScope), around: undefined }
  const state = await fields.begin(input)
  const end = await drive(runNested(task, inner, state, `${task.key}>${ordinal}${digestOfInput(input)}`))
  if (end.kind === 'closed') {
    report.depth = Math.max(report.depth, end.depth)
    return fields.output(end.state)
  }
  const failure = end.failures[0]
  if (failure !== undefined) throw failure.error
  appendAll(report.interrupts, end.interrupts)
  appendAll(report.stops, end.stops)
  throw new PauseSignal()
}

function nestedScope(task: Task, plan: CompiledGraphPlan, cancelScope: CancelScope): Omit<EngineScope, 'around'> {
  return { run: task.scope.run, plan, path: `${task.name}/`, isNested: true, cancelScope }
}

function* runNested(task: Task, scope: EngineScope, state: State, key: string): Flow<NestedEnd> {
  const { run, plan } = scope
  const wait = (answer: unknown): Flow<unknown> => waitIn(scope, answer, `a route of ${task.name} returned a promise`)
  const position = yield* followEdges(plan, START, state, wait, run.context)
  return yield* run.nest({ scope, state, position, key, depth: task.depth })
}

/** The part of an update whose fields the parent graph has too. */
export function sharedPart(update: Update, { fields }: CompiledGraphPlan): readonly Update[] {
  const { names } = fields
  if (names === undefined) return [update]
  const shared = Object.entries(update).filter(([name]) => names.includes(name))
  return shared.length === 0 ? [] : [Object.fromEntries(shared)]
}

/** Distinguishes calls with different inputs. Inputs that cannot be stored are not distinguished. */
function digestOfInput(input: unknown): string {
  try {
    return `#${digestOfValue(input).slice(0, 12)}`
  } catch {
    return ''
  }
}
