/**
 * Landing on a ref that others of this process land on at the same time, where appends are answered later or callers wait.
 *
 * Who waits lands with the one that leads: its landing is prepared on the commit that the one before it is about to become,
 * and all are added in one append (`store/journal/chain.ts`). Only what builds is taken along. A refusal, or having nothing
 * to write, is never decided on a commit that is not stored: such a landing stays in the queue, and is judged when it leads.
 */

import { isStateError } from '../../core/index.ts'
import {
  addToChain,
  appendChain,
  appendCommit,
  ask,
  type Chain,
  type CommitOutcome,
  canChain,
  eventLoop,
  isChainFull,
  isOutOfSpace,
  isRunLog,
  type Journal,
  type NewCommit,
  openChain,
  pausePoint,
  type RunLog,
  type StoredCommit,
  type Work,
} from '../../store/index.ts'
import { isPausePoint } from '../../tree/index.ts'
import { enterQueue, type LandingQueue, leaveQueue, type Turn, type Waiting } from '../landing-queue.ts'
import { findDone, type Request } from './idempotency.ts'
import { type AppendCommit, land } from './land.ts'
import type { LandedOn, Prepared, Writer } from './prepared.ts'

/** What waits to be landed on a ref. */
export interface QueuedLanding<T = unknown> {
  readonly writer: Writer
  readonly prepare: (head: StoredCommit | undefined) => Work<Prepared<T>>
  readonly request: Request | undefined
  /** Whether it can be prepared on a commit that is not stored yet. */
  readonly isChained: boolean
}

/** Lands in the order of those who came; `landAlone` is the loop that lands this one, with the given append. */
export function* landInTurn<T>(
  ref: string,
  landing: QueuedLanding<T>,
  landAlone: (append?: AppendCommit) => Work<LandedOn<T>>,
): Work<LandedOn<T>> {
  const { queues } = landing.writer.shared
  const turn = landing.writer.journal.isSync ? yield* gathered(ref, landing) : yield* entered(ref, landing)
  // Work that is run synchronously cannot wait.
  if (turn === undefined) return yield* landAlone()
  if (turn.kind === 'landed') return turn.outcome
  try {
    return yield* landAlone(appendWithOthers(ref, queues.get(ref)!))
  } finally {
    leaveQueue(queues, ref)
  }
}

/** The turn of a landing on a log that answers with promises; undefined when its work is run synchronously after all. */
function* entered<T>(ref: string, landing: QueuedLanding<T>): Work<Turn<LandedOn<T>> | undefined> {
  return yield* ask(log => {
    if (!isRunLog(log)) return undefined
    const turn = enterQueue<QueuedLanding<T>, LandedOn<T>>(landing.writer.shared.queues, ref, landing, false)
    return 'kind' in turn ? turn : turn.then(told => notingAppend(log, told))
  })
}

/** The turn of a landing on a log that answers at once: all of one turn of the event loop land together. */
function* gathered<T>(ref: string, landing: QueuedLanding<T>): Work<Turn<LandedOn<T>>> {
  const { journal, shared } = landing.writer
  let settled: () => Turn<LandedOn<T>>
  const asked = Promise.resolve(enterQueue<QueuedLanding<T>, LandedOn<T>>(shared.queues, ref, landing, true))
  yield {
    until: asked.then(
      turn => {
        settled = () => turn
      },
      error => {
        settled = () => {
          throw error
        }
      },
    ),
  }
  const turn = settled!()
  if (turn.kind === 'landed' && journal.budget !== undefined) journal.budget.hasWritten = true
  return turn
}

/** The append of the leader was made for this run too. */
function notingAppend<T>(log: RunLog, turn: Turn<T>): Turn<T> {
  if (turn.kind === 'landed') log.noteAppended()
  return turn
}

type Other = Waiting<QueuedLanding, LandedOn<unknown>>

/** One that was taken along. */
interface Joined {
  readonly other: Other
  readonly commit: StoredCommit
  readonly result: unknown
}

/** Appends a commit together with those of the queue that can be built on it. */
function appendWithOthers(ref: string, queue: LandingQueue): AppendCommit {
  return function* (journal: Journal, commit: NewCommit): Work<CommitOutcome> {
    if (queue.waiting.length === 0 || queue.isSplit || !canChain(ref, commit))
      return yield* appendCommit(journal, commit)
    const chain = yield* openChain(journal, ref, commit)
    const first = (yield* addToChain(chain, commit))!
    const joined = yield* joinOthers(chain, queue, first)
    let outcome: CommitOutcome
    try {
      outcome = yield* appendChain(chain)
    } catch (error) {
      if (joined.length > 0 && isOfOne(error)) {
        queue.isSplit = true
        return yield* appendCommit(journal, commit)
      }
      for (const { other } of takeOut(queue, joined)) other.reject(error)
      throw error
    }
    // The key of another is found when that one is looked at again.
    if (outcome.kind === 'repeated' && outcome.key !== commit.request?.key && outcome.key !== commit.name)
      return { kind: 'moved', name: ref, actual: null }
    if (outcome.kind !== 'done') return outcome
    queue.isShared = joined.length > 0
    for (const { other, commit, result } of takeOut(queue, joined)) {
      other.resolve({ kind: 'landed', outcome: { kind: 'done', commit, result } })
    }
    return { ...outcome, head: joined.at(-1)?.commit ?? first }
  }
}

/**
 * Whether an append may fail for one of a chain and not for the others: it takes too much room, leads to what is gone, or is later than
 * the grant that it is made under.
 */
function isOfOne(error: unknown): boolean {
  return isOutOfSpace(error) || isStateError(error, 'pack-dropped') || isStateError(error, 'grant-expired')
}

function takeOut(queue: LandingQueue, joined: readonly Joined[]): readonly Joined[] {
  const out = new Set<Waiting>(joined.map(({ other }) => other as Waiting))
  queue.waiting = queue.waiting.filter(each => !out.has(each))
  return joined
}

/** Builds on a chain what waits, and what comes meanwhile. */
function* joinOthers(chain: Chain, queue: LandingQueue, first: StoredCommit): Work<readonly Joined[]> {
  const joined: Joined[] = []
  let head = first
  const { isSync } = chain.journal
  for (let place = 0; place < queue.waiting.length && !isChainFull(chain); place++) {
    // What takes long is not done at the expense of the one that leads.
    if (isSync && eventLoop.isTurnOver()) break
    const other = queue.waiting[place] as Other
    if (!other.landing.isChained) continue
    const building = findBuilt(chain, head, other.landing)
    const built = isSync
      ? yield* charged(chain.journal, other.landing.writer.journal, unpaused(building))
      : yield* building
    if (built === undefined) continue
    head = built.commit
    joined.push({ other, ...built })
  }
  return joined
}

/** Work that ends, without a result, where it would have to pause. */
function* unpaused<T>(steps: Work<T>): Work<T | undefined> {
  let step = steps.next()
  while (step.done !== true) {
    if (isPausePoint(step.value) && eventLoop.isTurnOver()) {
      steps.return(undefined as never)
      return undefined
    }
    let answer: unknown
    try {
      answer = yield step.value
    } catch (error) {
      step = steps.throw(error)
      continue
    }
    step = steps.next(answer as never)
  }
  return step.value
}

/** Does the work of another operation, and counts its time against that one's budget. */
function* charged<T>({ budget: own }: Journal, { budget: other }: Journal, steps: Work<T>): Work<T> {
  if (own === undefined || other === undefined) return yield* steps
  const began = performance.now()
  const { spentMs } = own
  const result = yield* steps
  // Where a slice has ended meanwhile, its time is counted already.
  const ms = own.spentMs === spentMs ? performance.now() - began : 0
  own.spentMs -= ms
  other.spentMs += ms
  return result
}

/** The landing as a commit of the chain; undefined when it cannot be one, for whatever reason: it will be judged alone. */
function* findBuilt(
  chain: Chain,
  head: StoredCommit,
  { writer, prepare, request }: QueuedLanding,
): Work<Omit<Joined, 'other'> | undefined> {
  const { ref } = chain
  const append = function* (_: Journal, commit: NewCommit): Work<CommitOutcome> {
    yield pausePoint
    const stored = canChain(ref, commit) ? yield* addToChain(chain, commit) : undefined
    return stored === undefined ? { kind: 'moved', name: ref, actual: null } : { kind: 'done', commit: stored }
  }
  try {
    if (request !== undefined && (yield* findDone(request)) !== undefined) return undefined
    const prepared = yield* prepare(head)
    if (prepared.kind !== 'landing') return undefined
    const outcome = yield* land(writer, { ...prepared.landing, ref, head, request }, append)
    return outcome.kind === 'done' ? { commit: outcome.commit, result: prepared.result } : undefined
  } catch {
    return undefined
  }
}
