/**
 * The resume point of a thread: its head, the last step, and the facts since.
 *
 * The head need not be a step: edits of the thread's branch and updates are ordinary commits. The last step is then the
 * nearest one before the head, and the facts since it still count. Reading costs what is pending, never a scan of the
 * journal.
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

/** A commit of a thread, and the nearest step. */
export interface ThreadCommit {
  readonly head: StoredCommit
  /** The head itself when it is a step, otherwise the nearest step before it. */
  readonly step: StoredCommit
  readonly record: StepRecord
}

export interface ThreadResumePoint extends ThreadCommit {
  /** The newest entry since the step; null when there is none. */
  readonly run: number | null
  readonly facts: readonly NumberedFact[]
  /** How many of the facts are older than the last run. */
  readonly before: number
  /** Whether there is a next position, or a pause to pass. */
  readonly isOpen: boolean
  /** Whether a run holds the thread according to the journal, where a killed run cannot be distinguished. */
  readonly isHeld: boolean
}

export type Situation =
  | { readonly status: 'idle' | 'running' }
  | { readonly status: 'done' }
  | { readonly status: 'paused'; readonly interrupts: readonly [Interrupt, ...Interrupt[]] }
  | { readonly status: 'failed'; readonly node: string; readonly error: unknown }

/** The resume point of a thread; undefined when there is no thread. */
export function* findResumePoint(handle: Handle, refs: ThreadRefs): Work<ThreadResumePoint | undefined> {
  const { journal } = handle
  yield* assertReadsBranch(handle, threadsOf(refs.graph) + refs.id)
  for (let seq = yield* ask(log => log.ref(refs.head)); ; ) {
    if (seq === null) return undefined
    const run = yield* ask(log => log.ref(refs.run))
    const head = yield* readCommit(journal, seq)
    const at = yield* threadCommitAt(journal, head, refs)
    const entries = run === null ? [] : yield* readFacts(run, journal.context)
    // A step moves the head. When the head has not moved, both refs were read at one moment.
    const now: number | null = yield* ask(log => log.ref(refs.head))
    if (now === seq) return { ...at, run, ...gathered(entries, at) }
    seq = now
  }
}

/** The resume point of a thread that a step has just ended: there are no facts since. */
export function* resumePointAfter(handle: Handle, refs: ThreadRefs, lastStep: StoredCommit): Work<ThreadResumePoint> {
  yield* assertReadsBranch(handle, threadsOf(refs.graph) + refs.id)
  const at = yield* threadCommitAt(handle.journal, lastStep, refs)
  return { ...at, run: null, ...gathered([], at) }
}

export function* getResumePoint(handle: Handle, refs: ThreadRefs): Work<ThreadResumePoint> {
  const resumePoint = yield* findResumePoint(handle, refs)
  if (resumePoint === undefined) throw graphError('thread-not-found', { thread: refs.id, graph: refs.graph })
  return resumePoint
}

/** What the entries say. Entries that follow another step are ignored: the head was moved elsewhere since. */
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

/** The pause that a step ends with, which is the first fact since. */
export function holdOf({ hold }: StepRecord): NumberedFact[] {
  return hold === undefined ? [] : [{ fact: hold }]
}

/** Whether a thread is not done, from its last step and the facts since. */
export function isOpenAfter({ next, hold }: StepRecord, facts: readonly NumberedFact[]): boolean {
  if (next !== undefined) return true
  return hold !== undefined && !facts.some(({ fact }) => fact.kind === 'answer' && fact.id === hold.id)
}

/** A commit of a thread with its nearest step. */
export function* threadCommitAt(journal: Journal, head: StoredCommit, refs: ThreadRefs): Work<ThreadCommit> {
  for (let commit = head; ; ) {
    const record = yield* findStepRecord(journal, commit, refs.graph)
    if (record !== undefined) return { head, step: commit, record }
    const parent = commit.parents[0]
    if (parent === undefined) throw graphError('thread-not-found', { thread: refs.id, graph: refs.graph })
    commit = yield* readCommit(journal, parent)
  }
}

/** The status of a thread, from its facts. */
export function situationOf({ facts, before, isOpen, isHeld }: ThreadResumePoint): Situation {
  if (!isOpen) return { status: 'done' }
  if (isHeld) return { status: 'running' }
  const all = facts.map(({ fact }) => fact)
  const failure = pendingFailures(all.slice(before)).at(-1)
  if (failure !== undefined) return { status: 'failed', node: failure.node, error: failure.error }
  const [first, ...others] = pendingInterrupts(all).map(publicInterrupt)
  return first === undefined ? { status: 'idle' } : { status: 'paused', interrupts: [first, ...others] }
}
