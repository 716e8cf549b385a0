/**
 * Graphs inside a task: one that is the node, and those that a node's function runs.
 *
 * A graph that is a node shares the fields of the same names. It gives back every update of its tasks, in their order, and
 * not its state: so the reducers around it count each change once. One that a function runs has its own input and output.
 * Either way its tasks have addresses below the task's, and what they did is kept with the run around them. A graph
 * that goes on is given its kept results; a function that runs a graph with other input than before starts it anew.
 */

import { appendAll } from '../../../core/index.ts'
import type { CompiledGraphPlan, State, Update } from '../../model/compiled-plan.ts'
import { START } from '../../model/targets.ts'
import { digestOfValue } from '../facts/node-cache.ts'
import type { CancelScope } from '../flow/cancel-scope.ts'
import { drive, type Flow } from '../flow/flow.ts'
import { applyAll } from './apply.ts'
import { type EngineScope, type NestedEnd, waitAt } from './engine-scope.ts'
import type { AttemptEnd, Notices, Task, Timer } from './graph-task.ts'
import { PauseSignal } from './interrupts.ts'
import { followEdges } from './route.ts'

/** Runs the graph that is a node. */
export function* runSubgraph(task: Task, plan: CompiledGraphPlan, life: CancelScope, timer: Timer): Flow<AttemptEnd> {
  timer.start()
  const outer = { ...task.place, life }
  const { state: view } = task.view()
  const inner: EngineScope = { ...nestedPlace(task, plan, life), around: outer.plan }
  const waits = `the schema of ${task.name} takes its time`
  const state: State = yield* waitAt(inner, plan.fields.inherit(view), waits)
  const end = yield* runNested(task, inner, state, `${task.key}>0`)
  if (end.kind === 'stuck') {
    const failure = end.failures[0]
    if (failure !== undefined) return { kind: 'failed', error: failure.error }
    return { kind: 'paused', interrupts: end.interrupts, stops: end.stops }
  }
  const commands = end.toParent ?? []
  const own = end.updates.flatMap(update => sharedPart(update, outer.plan))
  const updates = [...own, ...commands.flatMap(command => command.updates)]
  const ways = commands.flatMap(({ goto }) => (goto === undefined ? [] : [goto]))
  const goto = ways.length === 0 ? {} : { goto: ways.flat() }
  const applied = yield* applyAll(outer, task.state, updates, task.name)
  const said = { updates, ...goto, isForParent: false }
  return { kind: 'done', said, applied, depth: end.depth, reads: undefined }
}

/** Runs a graph for a node's function, and gives it the output. */
export async function runCalled(
  task: Task,
  place: EngineScope,
  notices: Notices,
  plan: CompiledGraphPlan,
  input: unknown,
  call: number,
): Promise<unknown> {
  const { fields } = plan
  const inner = { ...nestedPlace(task, plan, place.life), around: undefined }
  const state = await fields.begin(input)
  const end = await drive(runNested(task, inner, state, `${task.key}>${call + 1}${digestOfInput(input)}`))
  if (end.kind === 'closed') {
    notices.depth = Math.max(notices.depth, end.depth)
    return fields.output(end.state)
  }
  const failure = end.failures[0]
  if (failure !== undefined) throw failure.error
  appendAll(notices.asks, end.interrupts)
  appendAll(notices.stops, end.stops)
  throw new PauseSignal()
}

function nestedPlace(task: Task, plan: CompiledGraphPlan, life: CancelScope): Omit<EngineScope, 'around'> {
  return { run: task.place.run, plan, path: `${task.name}/`, isNested: true, life }
}

function* runNested(task: Task, place: EngineScope, state: State, key: string): Flow<NestedEnd> {
  const { run, plan } = place
  const wait = (answer: unknown): Flow<unknown> => waitAt(place, answer, `a route of ${task.name} returned a promise`)
  const position = yield* followEdges(plan, START, state, wait, run.context)
  return yield* run.nest({ place, state, position, key, depth: task.depth })
}

/** The fields of an update that the graph around has too. */
export function sharedPart(update: Update, { fields }: CompiledGraphPlan): readonly Update[] {
  const { names } = fields
  if (names === undefined) return [update]
  const shared = Object.entries(update).filter(([name]) => names.includes(name))
  return shared.length === 0 ? [] : [Object.fromEntries(shared)]
}

/** Tells runs of one call from each other. An input that cannot be stored cannot be told from another. */
function digestOfInput(input: unknown): string {
  try {
    return `#${digestOfValue(input).slice(0, 12)}`
  } catch {
    return ''
  }
}
