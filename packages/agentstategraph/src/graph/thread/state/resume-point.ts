/**
 * Where a thread stands: its head, the step that says where it goes next, and what happened since.
 *
 * The head need not be a step: whoever edits the thread's branch adds ordinary commits, and so does an update that leaves
 * the way on as it is. The step is then the nearest one behind, and what happened since it still counts. Reading costs
 * what is pending, never a scan of the journal.
 */

import { appendAll } from '../../../core/index.ts'
import { assertReadsBranch, type Handle } from '../../../repo/index.ts'
import { ask, type Journal, readCommit, type StoredCommit, type Work } from '../../../store/index.ts'
import { pendingFailures, pendingInterrupts } from '../../engine/facts/pending-interrupts.ts'
import { publicInterrupt } from '../../engine/task/interrupts.ts'
import { graphError } from '../../errors.ts'
import type { Interrupt } from '../../model/run-protocol.ts'
import { type FactEntry, type NumberedFact, readFacts } from '../records/facts.ts'
import { type ThreadRefs, threadsOf } from '../records/refs.ts'
import { findStepRecord, type StepRecord } from '../records/steps.ts'

/** A commit of a thread, and the step that it is or follows. */
export interface ThreadCommit {
  readonly head: StoredCommit
  /** The nearest step behind the head, the head itself when it is one. */
  readonly step: StoredCommit
  readonly record: StepRecord
}

export interface ThreadResumePoint extends ThreadCommit {
  /** The newest entry since the step; null when nothing happened. */
  readonly run: number | null
  readonly facts: readonly NumberedFact[]
  /** How many of the facts are older than the run that took the thread up last. */
  readonly before: number
  /** Whether there is something left to do, or a pause to pass. */
  readonly isOpen: boolean
  /** Whether a run has the thread, as far as the journal tells: one that was killed seems to go on. */
  readonly isHeld: boolean
}

export type Situation =
  | { readonly status: 'idle' | 'running' }
  | { readonly status: 'done' }
  | { readonly status: 'paused'; readonly interrupts: readonly [Interrupt, ...Interrupt[]] }
  | { readonly status: 'failed'; readonly node: string; readonly error: unknown }

/** Where a thread stands; undefined when there is none. */
export function* findResumePoint(handle: Handle, refs: ThreadRefs): Work<ThreadResumePoint | undefined> {
  const { journal } = handle
  yield* assertReadsBranch(handle, threadsOf(refs.graph) + refs.id)
  for (;;) {
    const run = yield* ask(log => log.ref(refs.run))
    const seq = yield* ask(log => log.ref(refs.head))
    if (seq === null) return undefined
    const head = yield* readCommit(journal, seq)
    const at = yield* threadCommitAt(journal, head, refs)
    const entries = run === null ? [] : yield* readFacts(run, journal.context)
    // A step that lands takes the other ref with it: if that one stayed, both were read at one moment.
    if ((yield* ask(log => log.ref(refs.run))) !== run) continue
    return { ...at, run, ...gathered(entries, at) }
  }
}

export function* getResumePoint(handle: Handle, refs: ThreadRefs): Work<ThreadResumePoint> {
  const resumePoint = yield* findResumePoint(handle, refs)
  if (resumePoint === undefined) throw graphError('thread-not-found', { thread: refs.id, graph: refs.graph })
  return resumePoint
}

/** What was kept for another step (the head was moved elsewhere meanwhile) says nothing about this one. */
function gathered(
  entries: readonly FactEntry[],
  { step, record }: ThreadCommit,
): Pick<ThreadResumePoint, 'facts' | 'before' | 'isOpen' | 'isHeld'> {
  const facts: NumberedFact[] = holdOf(record)
  let before = 0
  let isHeld = record.cause !== 'update' && record.cause !== 'merge'
  for (const entry of entries) {
    if (entry.base !== step.seq) continue
    if (entry.mark === 'begin') before = facts.length
    if (entry.mark !== undefined) isHeld = entry.mark === 'begin'
    appendAll(facts, entry.facts)
  }
  const isOpen = isOpenAfter(record, facts)
  return { facts, before, isOpen, isHeld: isHeld && isOpen }
}

/** The pause that a step ends with is the first of what happened since. */
export function holdOf({ hold }: StepRecord): NumberedFact[] {
  return hold === undefined ? [] : [{ fact: hold }]
}

/** Whether a thread that has come to a step, and to these facts since, is not done. */
export function isOpenAfter({ next, hold }: StepRecord, facts: readonly NumberedFact[]): boolean {
  if (next !== undefined) return true
  return hold !== undefined && !facts.some(({ fact }) => fact.kind === 'answer' && fact.id === hold.id)
}

/** A commit of a thread, with the step behind it. */
export function* threadCommitAt(journal: Journal, head: StoredCommit, refs: ThreadRefs): Work<ThreadCommit> {
  for (let commit = head; ; ) {
    const record = yield* findStepRecord(journal, commit, refs.graph)
    if (record !== undefined) return { head, step: commit, record }
    const parent = commit.parents[0]
    if (parent === undefined) throw graphError('thread-not-found', { thread: refs.id, graph: refs.graph })
    commit = yield* readCommit(journal, parent)
  }
}

/** What the facts of a thread say about it. */
export function situationOf({ facts, before, isOpen, isHeld }: ThreadResumePoint): Situation {
  if (!isOpen) return { status: 'done' }
  if (isHeld) return { status: 'running' }
  const all = facts.map(({ fact }) => fact)
  const failure = pendingFailures(all.slice(before)).at(-1)
  if (failure !== undefined) return { status: 'failed', node: failure.node, error: failure.error }
  const [first, ...others] = pendingInterrupts(all).map(publicInterrupt)
  return first === undefined ? { status: 'idle' } : { status: 'paused', interrupts: [first, ...others] }
}
