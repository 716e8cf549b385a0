/**
 * A run beside another on the same thread.
 *
 * It runs on a branch of its own, from the thread's state when it began, and lands when nobody runs the thread: its input
 * and the updates of its tasks are applied, through the reducers, to what the thread has become. So both runs count, and
 * nothing is lost. A field without a reducer that both wrote is a conflict.
 */

import { appendAll } from '../../core/index.ts'
import type { Handle } from '../../repo/index.ts'
import { createRef } from '../../repo/index.ts'
import { checkContext } from '../define/context-check.ts'
import { drive } from '../engine/flow/flow.ts'
import { graphError } from '../errors.ts'
import type { CompiledGraphPlan, State } from '../model/compiled-plan.ts'
import type { Change, Outcome, Step, TaskResult } from '../model/run-protocol.ts'
import { landEdit, type ThreadEdit } from './edit.ts'
import { deleteThread } from './fork.ts'
import { type Encoding, encodingOf, isStoredAlike } from './records/encoding.ts'
import { besideRefs, type ThreadRefs } from './records/refs.ts'
import { executeRun } from './run/execute.ts'
import { JournalRunLog } from './run/journal-run-log.ts'
import type { RunRequest } from './run/request.ts'
import { findResumePoint } from './state/resume-point.ts'
import { loadState, setField } from './state/stored-state.ts'

/** Runs input beside whoever runs the thread, and lands what came of it when `free` says that nobody does. */
export async function runBeside(
  request: RunRequest,
  handle: Handle,
  refs: ThreadRefs,
  input: unknown,
  free: () => Promise<void>,
): Promise<void> {
  const { plan } = request
  const { journal } = handle
  const base = await journal.run(findResumePoint(handle, refs))
  const beside = besideRefs(refs, journal.ids())
  if (base !== undefined) await journal.run(createRef(handle, beside.head, refs.id, base.head.seq))
  const before = base === undefined ? undefined : (await loadState(plan, handle, base.head)).state
  const tasks: TaskResult[] = []
  const onStep = (step: Step): void => appendAll(tasks, step.tasks)
  try {
    const context = await checkContext(plan, request.context)
    const outcome = await drive(
      executeRun({ ...request, context, home: { handle, refs: beside }, isBeside: true, onStep }),
    )
    const state = stateOf(outcome, refs)
    for (;;) {
      await free()
      if (await landed(plan, handle, refs, input, tasks, { before, after: state })) return
    }
  } finally {
    await journal.run(deleteThread(handle, beside)).catch(() => {})
  }
}

/** A run beside another has to come to an end by itself: there is no thread in which it could wait. */
function stateOf(outcome: Outcome, refs: ThreadRefs): State {
  if (outcome.status === 'failed') throw outcome.error
  if (outcome.status === 'paused') throw graphError('run-paused', { thread: refs.id, interrupts: outcome.interrupts })
  return outcome.state
}

interface Span {
  readonly before: State | undefined
  readonly after: State
}

/** Lands what a run did on what the thread has become; false when somebody was faster. */
async function landed(
  plan: CompiledGraphPlan,
  handle: Handle,
  refs: ThreadRefs,
  input: unknown,
  tasks: readonly TaskResult[],
  span: Span,
): Promise<boolean> {
  const { journal } = handle
  const resumePoint = await journal.run(findResumePoint(handle, refs))
  // Somebody may have begun since it was free.
  if (resumePoint?.isHeld === true) return false
  try {
    if (resumePoint === undefined) {
      const state = await plan.fields.begin(input)
      const changes = Object.keys(state).map(field => setField(field, state[field]))
      const made = await applied(plan, { cause: 'merge', state, changes, tasks })
      const events = { tasks: tasks.map(() => 1), state: 2 }
      await new JournalRunLog(handle, refs, plan, undefined).step({ ...made, next: undefined }, events)
    } else {
      const { state: now, missing } = await loadState(plan, handle, resumePoint.head)
      assertNoConflict(plan, encodingOf(handle), tasks, span, now)
      const begun = await plan.fields.resume(now, input)
      const changes: Change[] = [...missing, ...begun.changes.map(change => ({ ...change, task: -1 }))]
      const made = await applied(plan, { cause: 'merge', state: begun.state, changes, tasks })
      await journal.run(landEdit(handle, refs, resumePoint, made))
    }
    return true
  } catch (error) {
    if (isBusy(error)) return false
    throw error
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'run-busy'
}

/** The updates of all tasks, in their order, through the reducers. */
async function applied(plan: CompiledGraphPlan, from: ThreadEdit): Promise<ThreadEdit> {
  let { state } = from
  const changes: Change[] = [...from.changes]
  for (const [task, { node, updates }] of from.tasks.entries()) {
    for (const update of updates) {
      const made = await plan.fields.apply(state, update, node)
      state = made.state
      appendAll(
        changes,
        made.changes.map(change => ({ ...change, task })),
      )
    }
  }
  return { ...from, state, changes }
}

function assertNoConflict(
  { fields }: CompiledGraphPlan,
  encoding: Encoding,
  tasks: readonly TaskResult[],
  { before, after }: Span,
  now: State,
): void {
  const isSame = (a: unknown, b: unknown): boolean => isStoredAlike(a, b, encoding)
  for (const { node, updates } of tasks) {
    for (const field of updates.flatMap(update => fields.plain(update))) {
      if (isSame(now[field], before?.[field]) || isSame(now[field], after[field])) continue
      throw graphError('update-conflict', { field, nodes: [node, 'another run'] })
    }
  }
}
