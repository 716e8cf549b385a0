/**
 * Updates a thread's state from outside, through the reducers, as if a node had returned the update.
 *
 * The results of tasks since the last step stay, and are applied with the next step. A change to a field that one of these
 * tasks wrote is kept as an amendment to that task: written to the state, it would be undone by the task's own update.
 */

import type { Handle } from '../../repo/index.ts'
import { positionAfter } from '../engine/task/route.ts'
import { graphError } from '../errors.ts'
import type { CompiledGraphPlan, Update } from '../model/compiled-plan.ts'
import {
  type Amendment,
  type Fact,
  type Position,
  type TaskKey,
  type TaskResult,
  updateName,
} from '../model/run-protocol.ts'
import { landEdit } from './edit.ts'
import type { NumberedFact } from './records/facts.ts'
import type { ThreadRefs } from './records/refs.ts'
import { numbersAfter } from './run/event-hub.ts'
import { JournalRunLog } from './run/journal-run-log.ts'
import { lastNumber } from './run/numbered-events.ts'
import { BASE, finishedTasks, waitingTasks } from './state/pending-work.ts'
import { getResumePoint, type ThreadResumePoint } from './state/resume-point.ts'
import { pendingState } from './state/snapshot.ts'
import { type Loaded, loadState } from './state/stored-state.ts'

interface Updating {
  readonly plan: CompiledGraphPlan
  readonly handle: Handle
  readonly refs: ThreadRefs
  readonly resumePoint: ThreadResumePoint
  readonly loaded: Loaded
}

export async function updateThread(
  plan: CompiledGraphPlan,
  handle: Handle,
  refs: ThreadRefs,
  update: unknown,
  as: string | undefined,
): Promise<void> {
  const resumePoint = await handle.journal.run(getResumePoint(handle, refs))
  if (resumePoint.isHeld) throw graphError('run-busy', { thread: refs.id })
  if (as !== undefined && !plan.nodes.has(as)) {
    throw graphError('node-unknown', { node: as, known: [...plan.nodes.keys()] })
  }
  const updating = { plan, handle, refs, resumePoint, loaded: await loadState(plan, handle, resumePoint.head) }
  if (as === undefined) return await updateState(updating, update)
  if (resumePoint.record.next !== undefined && isGroup(resumePoint.record.next)) {
    const waiting = waitingTasks(plan, resumePoint).filter(({ node }) => node === as)
    if (waiting.length > 1) throw graphError('update-ambiguous', { node: as, waiting: waiting.length })
    if (waiting[0] !== undefined) return await updateAsWaiting(updating, update, waiting[0])
  }
  await updateAs(updating, update, as)
}

function isGroup({ targets }: Position): boolean {
  return targets.length > 1 || targets.some(({ isSend }) => isSend)
}

/** Updates the state; the thread goes on where it was. */
async function updateState(updating: Updating, update: unknown): Promise<void> {
  const { plan, handle, refs, resumePoint, loaded } = updating
  await assertFits(updating, update, updateName)
  const amendments = amendmentsFor(
    plan,
    resumePoint.facts.map(({ fact }) => fact),
    update as Update,
  )
  if (amendments.some(({ task }) => task !== BASE)) return await keepFacts(updating, amendments)
  const { state, changes } = await plan.fields.apply(loaded.state, update, updateName)
  const all = [...loaded.missing, ...changes.map(change => ({ ...change, task: -1 }))]
  return handle.journal.run(landEdit(handle, refs, resumePoint, { cause: 'update', state, changes: all, tasks: [] }))
}

/** Throws when the update cannot be applied to the state that the thread shows. */
async function assertFits({ plan, resumePoint, loaded }: Updating, update: unknown, as: string): Promise<void> {
  await plan.fields.apply(await pendingState(plan, resumePoint, loaded.state), update, as)
}

/** Splits an update into amendments: each field to the last task that wrote it, or to the base. */
function amendmentsFor(plan: CompiledGraphPlan, facts: readonly Fact[], update: Update): readonly Amendment[] {
  const finished = finishedTasks(plan, facts).toReversed()
  const parts = new Map<TaskKey, Record<string, unknown>>()
  for (const [field, value] of Object.entries(update ?? {})) {
    if (value === undefined) continue
    const writer = finished.find(({ updates }) => updates.some(one => one[field] !== undefined))
    const task = writer?.task ?? BASE
    parts.set(task, { ...parts.get(task), [field]: value })
  }
  return Array.from(parts, ([task, part]) => ({ kind: 'amend', task, update: part, reroutes: false }))
}

async function keepFacts({ plan, handle, refs, resumePoint }: Updating, facts: readonly Fact[]): Promise<void> {
  const first = numbersAfter(lastNumber(resumePoint)) + 1
  const numbered = facts.map((fact): NumberedFact => (fact.kind === 'task' ? { fact, event: first } : { fact }))
  await new JournalRunLog(handle, refs, plan, resumePoint).keep(numbered)
}

/** Keeps the update as the result of a waiting task of a group. Results and interrupts of the others stay. */
async function updateAsWaiting(
  updating: Updating,
  update: unknown,
  { task, node, isAfter }: { readonly task: TaskKey; readonly node: string; readonly isAfter: boolean },
): Promise<void> {
  await assertFits(updating, update, node)
  if (isAfter) return await keepFacts(updating, [{ kind: 'amend', task, update: update as Update, reroutes: true }])
  const result: TaskResult = { task, node, attempt: 1, updates: [update as Update], cached: false }
  await keepFacts(updating, [{ kind: 'task', ...result }])
}

/** Makes a step as if a node had returned the update. What was pending is dropped. */
async function updateAs(
  { plan, handle, refs, resumePoint, loaded }: Updating,
  update: unknown,
  as: string,
): Promise<void> {
  const { state, changes } = await plan.fields.apply(loaded.state, update, as)
  const next = await positionAfter(plan, as, state, undefined)
  const task: TaskResult = { task: '0', node: as, attempt: 1, updates: [update as Update], cached: false }
  const first = numbersAfter(lastNumber(resumePoint)) + 1
  const all = [...loaded.missing, ...changes.map(change => ({ ...change, task: 0 }))]
  const step = { cause: 'update' as const, state, changes: all, tasks: [task], next }
  await new JournalRunLog(handle, refs, plan, resumePoint).step(step, { tasks: [first], state: first + 1 })
}
