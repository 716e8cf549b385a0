/**
 * A thread on a journal: where it stands, moved on by whoever runs it.
 *
 * Every step is one commit and every moment between steps one entry. Each append expects both refs of the thread where
 * this keeper left them, so of two who run one thread, one finds that it was moved and stops. Calls are carried out in
 * the order in which they come, at once where the backend answers at once. With durability `exit` everything is held back
 * until the run stops, and lands as one commit.
 */

import type { Stored } from '../../core/index.ts'
import { type Handle, type Landing, land } from '../../repo/index.ts'
import { appendEntries, type Journal, type Move, type StoredCommit, type Work } from '../../store/index.ts'
import { edit, rootOf } from '../../tree/index.ts'
import { graphError } from '../errors.ts'
import { isPromise, type Maybe } from '../maybe.ts'
import type { Step } from '../record.ts'
import { encodingOf } from './encoding.ts'
import { factRecords, type Mark, type NumberedFact, storedFact } from './fact-record.ts'
import { editsOfStep, joinedSteps, type PreparedStep, prepareStep } from './prepared-step.ts'
import type { ThreadStanding } from './standing.ts'
import { runIntent, stepInfo } from './step-intent.ts'
import { draftsOf, type StepEvents, storedStep } from './step-record.ts'
import type { ThreadRefs } from './thread-refs.ts'

export interface ThreadKeeper {
  /** All of these, or none when a value in them cannot be stored. */
  keep(facts: readonly NumberedFact[]): Maybe<void>
  /** Throws `value-refused`, naming the node, before anything is done. */
  step(step: Step, events: StepEvents): Maybe<void>
  /** Says that a run has the thread from here on. */
  begin(): Maybe<void>
  /** The run has stopped: keeps what was held back and, unless the thread is done, says that nobody runs it any more. */
  end(): Maybe<void>
}

/** A keeper for a thread that stands here, or for a new one. */
export function journalKeeper(
  handle: Handle,
  refs: ThreadRefs,
  standing: ThreadStanding | undefined,
  durability: 'sync' | 'exit' = 'sync',
): ThreadKeeper {
  const { journal, shared } = handle
  const encoding = encodingOf(handle)
  const inOrder = oneAfterAnother(journal)
  let head = standing?.head
  let base = standing?.step.seq
  let run = standing?.run ?? null
  let intent = standing === undefined ? handle.who.intent : runIntent(standing.step)
  let isDone = standing !== undefined && standing.record.next === undefined
  let heldStep: PreparedStep | undefined
  let heldFacts: Stored[] = []

  /** Adds an entry to what happened since the step. */
  function* addEntry(facts: readonly Stored[], mark?: Mark): Work<void> {
    if (head === undefined || base === undefined) throw new Error('Nothing can be kept before the first step')
    const records = factRecords(handle.who.agent, { base, previous: run }, facts, mark)
    // The head only guards: what is told here must belong to the state that others see.
    const moves: Move[] = [
      { name: refs.run, expect: run, to: { entry: 0 } },
      { name: refs.head, expect: head.seq, to: head.seq },
    ]
    const outcome = yield* appendEntries(journal, records, moves)
    if (outcome.kind !== 'done') throw lostTo(refs, outcome)
    run = outcome.first
  }

  function* addStep(prepared: PreparedStep): Work<void> {
    const { step, events } = prepared
    const drafts = draftsOf(step.tasks)
    const { tree, system } = head ?? emptyState(journal)
    const { root, changed } = yield* edit(journal.context, tree, editsOfStep(prepared, drafts))
    const detail = storedStep(refs.graph, step, drafts, events, encoding)
    const landing: Landing = {
      ref: refs.head,
      head,
      tree: root,
      system,
      detail: rootOf(journal.context, detail, 0),
      changed,
      info: stepInfo(handle, step, drafts, intent),
      moves: [{ name: refs.run, expect: run, to: null }],
    }
    const outcome = yield* land(journal, landing, shared.checks)
    shared.heads.delete(refs.head)
    if (outcome.kind !== 'done') throw lostTo(refs, outcome)
    head = outcome.commit
    base = head.seq
    run = null
    intent = runIntent(head)
    isDone = step.next === undefined
  }

  function* addAll(): Work<void> {
    if (heldStep !== undefined) yield* addStep(heldStep)
    if (head !== undefined && !isDone) yield* addEntry(heldFacts, 'rest')
  }

  const keepStored = (facts: readonly Stored[]): Maybe<void> => {
    if (durability === 'sync') return inOrder(() => addEntry(facts))
    heldFacts.push(...facts)
  }

  return {
    keep: facts => keepStored(facts.map(fact => storedFact(fact, encoding))),
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

function emptyState({ context }: Journal): Pick<StoredCommit, 'tree' | 'system'> {
  const empty = rootOf(context, {}, 0)
  return { tree: empty, system: empty }
}

/** Who comes while others wait is served after them. */
function oneAfterAnother(journal: Journal): (work: () => Work<void>) => Maybe<void> {
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
