/**
 * Landing on a ref that others of this process land on at the same time, where appends are answered later.
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
  const turn = yield* ask(log => {
    if (!isRunLog(log)) return undefined
    const entered = enterQueue<QueuedLanding<T>, LandedOn<T>>(queues, ref, landing)
    return 'kind' in entered ? entered : entered.then(told => notingAppend(log, told))
  })
  // Work that is run synchronously cannot wait.
  if (turn === undefined) return yield* landAlone()
  if (turn.kind === 'landed') return turn.outcome
  try {
    return yield* landAlone(appendWithOthers(ref, queues.get(ref)!))
  } finally {
    leaveQueue(queues, ref)
  }
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

/** Whether an append may fail for one of a chain and not for the others: it takes too much room, or leads to what is gone. */
function isOfOne(error: unknown): boolean {
  return isOutOfSpace(error) || isStateError(error, 'pack-dropped')
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
  for (let place = 0; place < queue.waiting.length && !isChainFull(chain); place++) {
    const other = queue.waiting[place] as Other
    const built = other.landing.isChained ? yield* findBuilt(chain, head, other.landing) : undefined
    if (built === undefined) continue
    head = built.commit
    joined.push({ other, ...built })
  }
  return joined
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
