/**
 * The run log of a thread on a journal.
 *
 * Each step is one commit, and each batch of facts between steps one entry. Every append expects both refs of the thread
 * where this run log left them, so of two runs on one thread one finds them moved and stops. Calls are carried out in
 * order, synchronously where the backend is synchronous. With durability `exit` all is held back until the run stops, and
 * lands as one commit.
 */

import { appendAll, type Stored } from '../../../core/index.ts'
import { type Handle, type Landing, landOnce, recordEntries } from '../../../repo/index.ts'
import type { Journal, Move, StoredCommit, Work } from '../../../store/index.ts'
import { edit, rootOf } from '../../../tree/index.ts'
import { graphError } from '../../errors.ts'
import type { CompiledGraphPlan } from '../../model/compiled-plan.ts'
import { isPromise, type MaybePromise } from '../../model/maybe-promise.ts'
import type { FailedAttempt, Step } from '../../model/run-protocol.ts'
import { type Encoding, encodingOf } from '../records/encoding.ts'
import { factRecords, type NumberedFact, type RunMark, storedFact } from '../records/facts.ts'
import { failuresIn } from '../records/failures.ts'
import { versionOf } from '../records/graph-version.ts'
import { editsOfStep, joinedSteps, type PreparedStep, prepareStep } from '../records/prepared-step.ts'
import { type ThreadRefs, threadName } from '../records/refs.ts'
import { runIntent, stepInfo } from '../records/step-intent.ts'
import { draftsOf, type StepEvents, storedStep } from '../records/steps.ts'
import type { ThreadResumePoint } from '../state/resume-point.ts'
import { namingNodes, newThreadState } from '../state/schemas.ts'
import type { RunRequest } from './request.ts'

/**
 * Keeps the facts and steps of a run in the journal.
 *
 * Built for a thread at its resume point, or without one for a new thread.
 */
export class JournalRunLog {
  readonly #handle: Handle
  readonly #refs: ThreadRefs
  readonly #plan: CompiledGraphPlan
  readonly #isHeldBack: boolean
  readonly #encoding: Encoding
  readonly #inOrder: (work: () => Work<void>) => MaybePromise<void>
  #head: StoredCommit | undefined
  /** The entry of the last step. */
  #base: number | undefined
  /** The newest entry since the last step. */
  #run: number | null
  #intent: string | undefined
  #isDone: boolean
  #failures: readonly FailedAttempt[]
  #heldStep: PreparedStep | undefined
  #heldFacts: Stored[] = []

  constructor(
    handle: Handle,
    refs: ThreadRefs,
    plan: CompiledGraphPlan,
    resumePoint: ThreadResumePoint | undefined,
    { durability, isSync = false }: Partial<Pick<RunRequest, 'durability' | 'isSync'>> = {},
  ) {
    this.#handle = handle
    this.#refs = refs
    this.#plan = plan
    this.#isHeldBack = durability === 'exit'
    this.#encoding = encodingOf(handle)
    this.#inOrder = oneAfterAnother(handle.journal, isSync)
    this.#head = resumePoint?.head
    this.#base = resumePoint?.step.seq
    this.#run = resumePoint?.run ?? null
    this.#intent = resumePoint === undefined ? handle.who.intent : runIntent(resumePoint.step)
    this.#isDone = resumePoint !== undefined && !resumePoint.isOpen
    this.#failures = failuresIn(resumePoint?.facts ?? [])
  }

  /** The step that ended the graph; undefined while there is something left to do. */
  get lastStep(): StoredCommit | undefined {
    return this.#isDone ? this.#head : undefined
  }

  /** Keeps all of these facts, or none when a value in them cannot be stored. */
  keep(facts: readonly NumberedFact[]): MaybePromise<void> {
    const stored = facts.map(fact => storedFact(fact, this.#encoding, this.#plan))
    this.#failures = [...this.#failures, ...failuresIn(facts)]
    if (!this.#isHeldBack) return this.#inOrder(() => this.#addEntry(stored, undefined, fieldsIn(facts)))
    appendAll(this.#heldFacts, stored)
  }

  /** Lands a step. Throws `value-refused`, naming the node, before anything is written. */
  step(step: Step, events: StepEvents): MaybePromise<void> {
    const prepared = prepareStep(step, events, this.#encoding)
    if (!this.#isHeldBack) return this.#inOrder(() => this.#addStep(prepared))
    this.#heldStep = this.#heldStep === undefined ? prepared : joinedSteps(this.#heldStep, prepared)
    this.#heldFacts = []
  }

  /** Marks that a run holds the thread from here on. */
  begin(): MaybePromise<void> {
    return this.#inOrder(() => this.#addEntry([], 'begin'))
  }

  /** Ends the run: lands what was held back and, unless the thread is done, marks that no run holds it. */
  end(): MaybePromise<void> {
    if (this.lastStep !== undefined && this.#heldStep === undefined) return undefined
    return this.#inOrder(() => this.#addRest())
  }

  *#addRest(): Work<void> {
    if (this.#heldStep !== undefined) yield* this.#addStep(this.#heldStep)
    if (this.#head !== undefined && !this.#isDone) yield* this.#addEntry(this.#heldFacts, 'rest')
  }

  *#addEntry(facts: readonly Stored[], mark?: RunMark, fields: readonly string[] = []): Work<void> {
    const head = this.#head
    const base = this.#base
    if (head === undefined || base === undefined) throw new Error('Nothing can be kept before the first step')
    const { who } = this.#handle
    const records = factRecords(who.agent, { base, previous: this.#run }, facts, mark)
    // The head is expected and not moved: the facts must belong to the state that others see.
    const moves: Move[] = [
      { name: this.#refs.run, expect: this.#run, to: { entry: 0 } },
      { name: this.#refs.head, expect: head.seq, to: head.seq },
    ]
    // Another principal may land the next step with these results, so the permission to write them is checked here.
    const paths = fields.map(field => [field])
    const requests = [{ capability: 'commit' as const, branch: threadName(this.#refs), paths }]
    const outcome = yield* recordEntries(this.#handle, requests, records, { moves })
    if (outcome.kind !== 'done') throw lostTo(this.#refs, outcome)
    this.#run = outcome.first
  }

  *#addStep(prepared: PreparedStep): Work<void> {
    const { step, events } = prepared
    const { context } = this.#handle.journal
    const head = this.#head
    const drafts = draftsOf(step.tasks)
    const { tree, system } = head ?? (yield* newThreadState(this.#handle))
    const { root } = yield* edit(context, tree, editsOfStep(prepared, drafts))
    const history = { version: versionOf(this.#plan), failures: this.#failures }
    const detail = storedStep(this.#refs.graph, step, drafts, events, history, this.#encoding)
    const landing: Landing = {
      ref: this.#refs.head,
      head,
      tree: root,
      system,
      detail: rootOf(context, detail, 0),
      info: stepInfo(this.#handle, step, drafts, this.#intent),
      moves: [{ name: this.#refs.run, expect: this.#run, to: null }],
      changesMeta: head === undefined,
    }
    const outcome = yield* namingNodes(step, landOnce(this.#handle, landing))
    if (outcome.kind !== 'done') throw lostTo(this.#refs, outcome)
    this.#head = outcome.commit
    this.#base = outcome.commit.seq
    this.#run = null
    this.#failures = []
    this.#intent = runIntent(outcome.commit)
    this.#isDone = step.next === undefined && step.hold === undefined
  }
}

/** The fields that the results and amendments among these facts write. */
function fieldsIn(facts: readonly NumberedFact[]): readonly string[] {
  const updates = facts.flatMap(({ fact }) =>
    fact.kind === 'task' ? fact.updates : fact.kind === 'amend' ? [fact.update] : [],
  )
  return [...new Set(updates.flatMap(update => Object.keys(update)))]
}

/** Runs works one after the other, at once while none is under way. */
function oneAfterAnother(journal: Journal, isSync: boolean): (work: () => Work<void>) => MaybePromise<void> {
  let last: Promise<void> | undefined
  return work => {
    const run = (): MaybePromise<void> => journal.perform(work(), isSync)
    const done = last === undefined ? run() : last.then(run)
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
