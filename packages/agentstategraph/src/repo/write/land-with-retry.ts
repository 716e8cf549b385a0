/**
 * The loop around `land`: find the head, prepare a landing on it, append by compare-and-swap, and start over when another
 * writer was first.
 *
 * An append compares the idempotency key of its request, and nearly every key is new. So where a try costs nothing, the key is looked up
 * only when the landing fails or changes nothing, of which the first call may be the cause: its branch may be gone, its precondition may
 * no longer hold. Nothing else retries landings, and nothing else fills the cache of heads.
 */

import { ask, type CommitOutcome, findHead, type Recorded, type StoredCommit, type Work } from '../../store/index.ts'
import type { Handle } from '../handle.ts'
import type { Landing } from '../landing.ts'
import { type Written, writtenFrom } from '../visibility/commit.ts'
import { doneBy, findDone, type Request } from './idempotency.ts'
import { type AppendCommit, land } from './land.ts'
import { landInTurn } from './land-in-turn.ts'
import type { LandedOn, Prepared, Writer } from './prepared.ts'
import { writtenAgain } from './written-again.ts'

/** A ref and the commit on it that a landing is prepared on. */
export interface Place {
  readonly ref: string
  /** Undefined when the ref is to be created. */
  readonly head: StoredCommit | undefined
  /** The entry that the ref points to, where that is not its head. */
  readonly at?: number | undefined
}

/**
 * Computes a landing on a head.
 *
 * It may be called any number of times, each time on a newer head, and the landing it gives may be dropped: it must not have
 * side effects. It may be given a head that another landing in the same append is about to create.
 */
export type Prepare<T, P extends Place> = (place: P) => Work<Prepared<T>>

/**
 * Lands on a ref whose head is a commit. `isChained` says that `prepare` reads no more of the head than its state, so that it can
 * be given one that is not stored yet.
 */
export function landOn<T>(
  writer: Writer,
  ref: string,
  prepare: (head: StoredCommit | undefined) => Work<Prepared<T>>,
  request?: Request | undefined,
  isChained = false,
): Work<LandedOn<T>> {
  let release: (() => void) | undefined
  const find = function* (isRetry: boolean): Work<KnownPlace> {
    const seen = isRetry ? undefined : writer.shared.heads.get(ref)
    if (seen !== undefined && !seen.isContended) return { ref, head: seen.commit, isRemembered: true }
    // What is built while others append is mostly built in vain.
    if (isChained && seen !== undefined) release = yield* ask(log => ('hold' in log ? log.hold?.(ref) : undefined))
    const head = yield* findHead(writer.journal, ref)
    return { ref, head, isContended: seen !== undefined && seen.commit.seq !== head?.seq }
  }
  const alone = (append?: AppendCommit): Work<LandedOn<T>> =>
    landAt(writer, find, ({ head }) => prepare(head), request, append)
  const { isSync, nodes } = writer.journal
  // It waits for others where appends are answered later, and among the calls of operations, which are awaited.
  if (isSync && nodes.isPauseDue === undefined) return alone()
  const whileHeld = function* (append?: AppendCommit): Work<LandedOn<T>> {
    try {
      return yield* alone(append)
    } finally {
      release?.()
    }
  }
  return landInTurn(ref, { writer, prepare, request, isChained }, whileHeld)
}

interface KnownPlace extends Place {
  /** Whether the head is the one last seen, and may have moved since. */
  readonly isRemembered?: boolean | undefined
  /** Whether another process has moved the ref since the last landing of this one. */
  readonly isContended?: boolean | undefined
}

/** Lands on a place that has to be looked for, which is done again on every try. A request that was carried out is not again. */
export function* landAt<T, P extends KnownPlace>(
  writer: Writer,
  find: (isRetry: boolean) => Work<P>,
  prepare: Prepare<T, P>,
  request?: Request | undefined,
  append?: AppendCommit,
): Work<LandedOn<T>> {
  const landing = tryToLand(writer, find, prepare, request, append)
  if (request === undefined) return yield* landing
  if (!isFreeToTry(writer)) return (yield* findRepeated(request)) ?? (yield* landing)
  let landed: LandedOn<T>
  try {
    landed = yield* landing
  } catch (error) {
    const repeated = yield* findRepeated(request)
    if (repeated === undefined) throw error
    return repeated
  }
  return landed.kind === 'unchanged' ? ((yield* findRepeated(request)) ?? landed) : landed
}

/** Whether a refused try leaves nothing behind: it counts against no limit, is noted nowhere and becomes no proposal. */
function isFreeToTry({ identity, proposes, shared }: Writer): boolean {
  return identity === undefined && proposes !== true && shared.access.seq === null
}

function* findRepeated(request: Request): Work<Extract<LandedOn<never>, { readonly kind: 'repeated' }> | undefined> {
  const seq = yield* findDone(request)
  return seq === undefined ? undefined : { kind: 'repeated', seq }
}

function* tryToLand<T, P extends KnownPlace>(
  writer: Writer,
  find: (isRetry: boolean) => Work<P>,
  prepare: Prepare<T, P>,
  request: Request | undefined,
  append: AppendCommit | undefined,
): Work<LandedOn<T>> {
  let place = yield* find(false)
  let lost = 0
  for (;;) {
    let prepared: Prepared<T>
    try {
      prepared = yield* prepare(place)
    } catch (error) {
      // The same request may have been carried out meanwhile, and be why this one fails.
      const twin = request && (yield* findRepeated(request))
      if (twin !== undefined) return twin
      // What is impossible on an old head may be possible on the new one.
      const newer: P | undefined = yield* findNewer(writer, place, find)
      if (newer === undefined) throw error
      place = newer
      continue
    }
    if (prepared.kind === 'unchanged') {
      // Having nothing to do on an old head says nothing about the new one.
      const newer: P | undefined = yield* findNewer(writer, place, find)
      if (newer === undefined) return { kind: 'unchanged', head: place.head, result: prepared.result }
      place = newer
      continue
    }
    const outcome = yield* tried(writer, place, prepared, request, append)
    if (outcome.kind === 'repeated') {
      return { kind: 'repeated', seq: request === undefined ? outcome.seq : yield* doneBy(request, outcome.seq) }
    }
    if (outcome.kind === 'done') {
      const { result } = prepared
      if (lost > 0 || place.isContended === true) noteContended(writer, place.ref)
      return 'commit' in outcome
        ? { kind: 'done', commit: outcome.commit, result }
        : { kind: 'entry', seq: outcome.first, result }
    }
    place = yield* find(true)
    // Writers that do not pause would overtake one that does, again and again.
    if (++lost >= LOST_WITH_PAUSES) writer.journal.nodes.isPauseDue = undefined
  }
}

function noteContended({ shared: { heads } }: Writer, ref: string): void {
  const seen = heads.get(ref)
  if (seen !== undefined) heads.set(ref, { commit: seen.commit, isContended: true })
}

/** How often a write that has a budget may lose against others before it is tried without pauses. */
const LOST_WITH_PAUSES = 3

/** The place as it is now, when a remembered head is no longer the head. */
function* findNewer<P extends KnownPlace>(
  { shared }: Writer,
  place: P,
  find: (isRetry: boolean) => Work<P>,
): Work<P | undefined> {
  if (place.isRemembered !== true) return undefined
  shared.heads.delete(place.ref)
  const now = yield* find(true)
  return now.head?.seq === place.head?.seq ? undefined : now
}

function* tried<T>(
  writer: Writer,
  { ref, head, at }: Place,
  prepared: Exclude<Prepared<T>, { readonly kind: 'unchanged' }>,
  request: Request | undefined,
  append: AppendCommit | undefined,
): Work<CommitOutcome | Recorded> {
  if (prepared.kind === 'landing') {
    // One spread is copied at once, a second one field by field.
    const landing = { ...prepared.landing, ref, head, request }
    return yield* landOnce(writer, at === undefined ? landing : { ...landing, expect: at }, append)
  }
  const outcome = yield* prepared.append()
  writer.shared.heads.delete(ref)
  return outcome
}

/** How many heads are remembered. Threads and drafts have refs of their own, and there may be very many. */
const MAX_HEADS = 256

/**
 * Lands what was made for one head, or says that the ref has moved.
 *
 * For what cannot be computed again here: the step of a run that lost its thread, the result of a caller's function.
 */
export function* landOnce(writer: Writer, landing: Landing, append?: AppendCommit): Work<CommitOutcome> {
  const { heads } = writer.shared
  const { ref } = landing
  heads.delete(ref)
  const outcome = yield* land(writer, landing, append)
  if (outcome.kind === 'done') {
    heads.set(ref, { commit: outcome.head ?? outcome.commit, isContended: false })
    if (heads.size > MAX_HEADS) heads.delete(heads.keys().next().value!)
  }
  return outcome
}

/** The answer to the caller of a write. Not for writes that may only move a branch. */
export function* writtenOn<T>(handle: Handle, outcome: LandedOn<T>): Work<Written> {
  switch (outcome.kind) {
    case 'done':
      return yield* writtenFrom(handle, outcome.commit, true)
    case 'unchanged':
      return yield* writtenFrom(handle, outcome.head!, false)
    case 'repeated':
      return yield* writtenAgain(handle, outcome.seq)
    case 'entry':
      throw new Error(`Entry ${outcome.seq} holds no commit`)
  }
}
