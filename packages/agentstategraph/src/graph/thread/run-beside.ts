/**
 * A run beside another on the same thread: `whenBusy: 'merge'`.
 *
 * It runs on a branch of its own, from the thread's state when it began, and lands when no run holds the thread: its input
 * and the updates of its tasks are applied, through the reducers, to the thread's current state. A field without a reducer
 * that both runs wrote is a conflict.
 */

import { appendAll, isStateError } from '../../core/index.ts'
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
import type { RunHome, RunRequest } from './run/request.ts'
import { findResumePoint } from './state/resume-point.ts'
import { loadState, setField } from './state/stored-state.ts'

/** Runs an input beside the run that holds the thread, and lands the result when `free` resolves. */
export async function runBeside(
  request: RunRequest,
  { handle, refs }: RunHome,
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
    const after = finalState(outcome, refs)
    for (;;) {
      await free()
      if (await landed({ plan, handle, refs, input, tasks, before, after })) return
    }
  } finally {
    await journal.run(deleteThread(handle, beside)).catch(() => {})
  }
}

/** The state after a run that has to end: it has no thread of its own in which it could pause. */
function finalState(outcome: Outcome, refs: ThreadRefs): State {
  if (outcome.status === 'failed') throw outcome.error
  if (outcome.status === 'paused') throw graphError('run-paused', { thread: refs.id, interrupts: outcome.interrupts })
  return outcome.state
}

/** A run that has ended and is to be merged. */
interface EndedRun extends RunHome {
  readonly plan: CompiledGraphPlan
  readonly input: unknown
  readonly tasks: readonly TaskResult[]
  /** The state that it began with; undefined when there was no thread. */
  readonly before: State | undefined
  readonly after: State
}

/** Lands a run on the current state of the thread; false when another run has moved the thread. */
async function landed(run: EndedRun): Promise<boolean> {
  const { plan, handle, refs, input, tasks } = run
  const { journal } = handle
  const resumePoint = await journal.run(findResumePoint(handle, refs))
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
      assertNoConflict(run, encodingOf(handle), now)
      const begun = await plan.fields.resume(now, input)
      const changes: Change[] = [...missing, ...begun.changes.map(change => ({ ...change, task: -1 }))]
      const made = await applied(plan, { cause: 'merge', state: begun.state, changes, tasks })
      await journal.run(landEdit(handle, refs, resumePoint, made))
    }
    return true
  } catch (error) {
    if (isStateError(error, 'run-busy')) return false
    throw error
  }
}

/** Applies the updates of all tasks in order, through the reducers. */
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

function assertNoConflict({ plan, tasks, before, after }: EndedRun, encoding: Encoding, now: State): void {
  const { fields } = plan
  const isSame = (a: unknown, b: unknown): boolean => isStoredAlike(a, b, encoding)
  for (const { node, updates } of tasks) {
    for (const field of updates.flatMap(update => fields.plain(update))) {
      if (isSame(now[field], before?.[field]) || isSame(now[field], after[field])) continue
      throw graphError('update-conflict', { field, nodes: [node, 'another run'] })
    }
  }
}
