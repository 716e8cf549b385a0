/**
 * A thread on a journal: where it stands, moved on by whoever runs it.
 *
 * Every step is one commit and every moment between steps one entry. Each append expects both refs of the thread where
 * this keeper left them, so of two who run one thread, one finds that it was moved and stops. Calls are carried out in
 * the order in which they come, at once where the backend answers at once. With durability `exit` everything is held back
 * until the run stops, and lands as one commit.
 */

import { appendAll, type Stored } from '../../../core/index.ts'
import { type Handle, type Landing, landOnce, recordEntries } from '../../../repo/index.ts'
import type { Journal, Move, Work } from '../../../store/index.ts'
import { edit, rootOf } from '../../../tree/index.ts'
import { graphError } from '../../errors.ts'
import type { CompiledGraphPlan } from '../../model/compiled-plan.ts'
import { isPromise, type MaybePromise } from '../../model/maybe-promise.ts'
import type { Step } from '../../model/run-protocol.ts'
import { encodingOf } from '../records/encoding.ts'
import { factRecords, type Mark, type NumberedFact, storedFact } from '../records/facts.ts'
import { failuresIn } from '../records/failures.ts'
import { versionOf } from '../records/graph-version.ts'
import { editsOfStep, joinedSteps, type PreparedStep, prepareStep } from '../records/prepared-step.ts'
import { type ThreadRefs, threadName } from '../records/refs.ts'
import { runIntent, stepInfo } from '../records/step-intent.ts'
import { draftsOf, type StepEvents, storedStep } from '../records/steps.ts'
import type { ThreadResumePoint } from '../state/resume-point.ts'
import { namingNodes, newThreadState } from '../state/schemas.ts'

export interface JournalRunLog {
  /** All of these, or none when a value in them cannot be stored. */
  keep(facts: readonly NumberedFact[]): MaybePromise<void>
  /** Throws `value-refused`, naming the node, before anything is done. */
  step(step: Step, events: StepEvents): MaybePromise<void>
  /** Says that a run has the thread from here on. */
  begin(): MaybePromise<void>
  /** The run has stopped: keeps what was held back and, unless the thread is done, says that nobody runs it any more. */
  end(): MaybePromise<void>
}

/** A keeper for a thread that stands here, or for a new one. */
export function journalRunLog(
  handle: Handle,
  refs: ThreadRefs,
  plan: CompiledGraphPlan,
  resumePoint: ThreadResumePoint | undefined,
  durability: 'sync' | 'exit' = 'sync',
): JournalRunLog {
  const { journal } = handle
  const encoding = encodingOf(handle)
  const inOrder = oneAfterAnother(journal)
  let head = resumePoint?.head
  let base = resumePoint?.step.seq
  let run = resumePoint?.run ?? null
  let intent = resumePoint === undefined ? handle.who.intent : runIntent(resumePoint.step)
  let isDone = resumePoint !== undefined && !resumePoint.isOpen
  let heldStep: PreparedStep | undefined
  let heldFacts: Stored[] = []
  let failures = failuresIn(resumePoint?.facts ?? [])

  /** Adds an entry to what happened since the step. */
  function* addEntry(facts: readonly Stored[], mark?: Mark, fields: readonly string[] = []): Work<void> {
    if (head === undefined || base === undefined) throw new Error('Nothing can be kept before the first step')
    const records = factRecords(handle.who.agent, { base, previous: run }, facts, mark)
    // The head only guards: what is told here must belong to the state that others see.
    const moves: Move[] = [
      { name: refs.run, expect: run, to: { entry: 0 } },
      { name: refs.head, expect: head.seq, to: head.seq },
    ]
    // What a task gave is landed with the next step, by whoever makes that: it is asked for where it is told.
    const asked = [{ capability: 'commit' as const, branch: threadName(refs), paths: fields.map(field => [field]) }]
    const outcome = yield* recordEntries(handle, asked, records, { moves })
    if (outcome.kind !== 'done') throw lostTo(refs, outcome)
    run = outcome.first
  }

  function* addStep(prepared: PreparedStep): Work<void> {
    const { step, events } = prepared
    const drafts = draftsOf(step.tasks)
    const { tree, system } = head ?? (yield* newThreadState(handle))
    const { root } = yield* edit(journal.context, tree, editsOfStep(prepared, drafts))
    const history = { version: versionOf(plan), failures }
    const detail = storedStep(refs.graph, step, drafts, events, history, encoding)
    const landing: Landing = {
      ref: refs.head,
      head,
      tree: root,
      system,
      detail: rootOf(journal.context, detail, 0),
      info: stepInfo(handle, step, drafts, intent),
      moves: [{ name: refs.run, expect: run, to: null }],
      changesMeta: head === undefined,
    }
    const outcome = yield* namingNodes(step, landOnce(handle, landing))
    if (outcome.kind !== 'done') throw lostTo(refs, outcome)
    head = outcome.commit
    base = head.seq
    run = null
    failures = []
    intent = runIntent(head)
    isDone = step.next === undefined && step.hold === undefined
  }

  function* addAll(): Work<void> {
    if (heldStep !== undefined) yield* addStep(heldStep)
    if (head !== undefined && !isDone) yield* addEntry(heldFacts, 'rest')
  }

  const keepStored = (facts: readonly Stored[], fields: readonly string[]): MaybePromise<void> => {
    if (durability === 'sync') return inOrder(() => addEntry(facts, undefined, fields))
    appendAll(heldFacts, facts)
  }

  return {
    keep(facts) {
      const stored = facts.map(fact => storedFact(fact, encoding, plan))
      failures = [...failures, ...failuresIn(facts)]
      return keepStored(stored, fieldsIn(facts))
    },
    step(step, events) {
      const prepared = prepareStep(step, events, encoding)
      if (durability === 'sync') return inOrder(() => addStep(prepared))
      heldStep = heldStep === undefined ? prepared : joinedSteps(heldStep, prepared)
      heldFacts = []
    },
    begin: () => inOrder(() => addEntry([], 'begin')),
    end: () => inOrder(addAll),
  }
}

/** The fields that the results among these would write. */
function fieldsIn(facts: readonly NumberedFact[]): readonly string[] {
  const updates = facts.flatMap(({ fact }) =>
    fact.kind === 'task' ? fact.updates : fact.kind === 'amend' ? [fact.update] : [],
  )
  return [...new Set(updates.flatMap(update => Object.keys(update)))]
}

/** Who comes while others wait is served after them. */
function oneAfterAnother(journal: Journal): (work: () => Work<void>) => MaybePromise<void> {
  let last: Promise<void> | undefined
  return work => {
    const done = last === undefined ? journal.perform(work()) : last.then(() => journal.perform(work()))
    if (!isPromise(done)) return undefined
    const settled: Promise<void> = done
      .catch(() => {})
      .then(() => {
        if (last === settled) last = undefined
      })
    last = settled
    return done
  }
}

type Lost = { readonly kind: string; readonly name?: string; readonly actual?: number | null }

function lostTo(refs: ThreadRefs, { kind, name, actual }: Lost): Error {
  const isGone = kind === 'moved' && name === refs.head && actual === null
  return isGone
    ? graphError('thread-not-found', { thread: refs.id, graph: refs.graph })
    : graphError('run-busy', { thread: refs.id })
}
