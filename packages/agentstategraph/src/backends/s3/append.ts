/**
 * Writes segments: appends that wait while a PUT is under way are one group, and a group is one segment.
 *
 * A group is built on the state that is known. When another writer has created the number meanwhile, the group is built again on the new
 * state. An append that is refused is checked again on a state that was asked for after the append came, and only then answered.
 */
import { randomBytes, randomInt } from 'node:crypto'
import { appendAll, isStateError } from '../../core/index.ts'
import type { Append, Appended, Seen } from '../../store/contract/backend.ts'
import { type AppendOutcome, appendQueue, type WaitingAppend } from '../append-queue.ts'
import { backendError, reasonOf } from '../errors.ts'
import type { Chain } from './chain.ts'
import type { Chunks } from './chunks.ts'
import { type BuiltSegment, buildGroup, droppingSegment, isSeen, maxAppends, type SegmentContext } from './group.ts'
import type { Bucket } from './requests/bucket.ts'
import { type JournalState, segmentKey } from './state.ts'

/** One writer wins each number, so losing so many in a row means that something else is wrong. */
const maxAttempts = 10_000
/** Writers that created one of so many of the last segments count as others who are writing. */
const recentSegments = 24
const longestPauseMs = 2000
/** How many times as long as one PUT a writer rests: others need about as many requests to build on what it wrote. */
const restPuts = 6
/** After so many wins in a row a writer that sees no others rests. */
const aloneWins = 24
const writerDigits = 8

export interface Appender {
  append(batch: Append): Promise<Appended>
  dropPacks(seqs: readonly number[], newest: Seen): Promise<boolean>
  dropNamespace(): Promise<void>
}

export interface AppenderOptions {
  readonly bucket: Bucket
  readonly chain: Chain
  readonly chunks: Chunks
  /** The leaf of an entry, read from the store. */
  readLeaf(seq: number): Promise<string | undefined>
  /** Called after each segment. */
  onWritten(): void
}

export function appenderTo({ bucket, chain, chunks, readLeaf, onWritten }: AppenderOptions): Appender {
  const writer = randomBytes(writerDigits / 2).toString('hex')
  const queue = appendQueue()
  let running: Promise<void> | undefined
  let putMs = 0
  let winsInRow = 0
  /** Not before this time is the next segment sent. */
  let restUntil = 0

  function contextOf(leaves: ReadonlyMap<number, string>): SegmentContext {
    const { namespace, base, manifest } = chain
    const token = writer + randomBytes(4).toString('hex')
    return { namespace, token, base, manifest: manifest.number, leaves }
  }

  /** Creates a segment that was built on a state. False when another writer has created its number. */
  async function isCreated(built: BuiltSegment, state: JournalState, token: string): Promise<boolean> {
    const { number, bytes, record } = built
    const key = chain.keyOf(segmentKey(number))
    const unknown = (error: unknown): Error =>
      backendError('outcome-unknown', { namespace: chain.namespace, reason: reasonOf(error) }, { cause: error })
    const began = performance.now()
    const made = await bucket.create(key, bytes).catch(error => {
      throw isStateError(error) && error.code !== 's3-failed' ? error : unknown(error)
    })
    putMs = performance.now() - began
    if (made === 'exists') return false
    if (made === 'created') {
      const now = chain.state ?? state
      // A look at the bucket may have found it before the answer came.
      if (now.segment === number - 1) now.apply(record)
      chunks.keep({ key, token }, bytes)
      noteWin(now)
      return true
    }
    const found = await chain.fresh().then(
      now => now.tokenOf(number),
      (error: unknown) => {
        throw unknown(error)
      },
    )
    if (found === undefined) throw unknown(new Error(`who created segment ${number} is not known any more`))
    return found === token
  }

  /**
   * After a win, others that write get the time to read it, to build anew and to win the next number. Those who have not won yet cannot be seen, so a
   * writer that won many numbers in a row rests too.
   */
  function noteWin(state: JournalState): void {
    const others = state.othersSince(state.segment - recentSegments, writer)
    winsInRow = others === 0 ? winsInRow + 1 : 0
    if (others === 0 && winsInRow % aloneWins !== 0) return
    const longest = Math.min(longestPauseMs, Math.ceil(putMs * (restPuts + 2 * others)))
    restUntil = performance.now() + Math.min(longestPauseMs, putMs * restPuts) + randomInt(longest + 1)
  }

  async function rest(): Promise<void> {
    const ms = restUntil - performance.now()
    if (ms > 0) await new Promise(resolve => setTimeout(resolve, ms))
  }

  async function runAll(): Promise<void> {
    while (queue.length > 0) {
      const group = queue.take(maxAppends)
      try {
        queue.settle(group, await writeGroup(group))
      } catch (error) {
        for (const one of group) one.reject(error)
      }
    }
    running = undefined
  }

  async function writeGroup(group: WaitingAppend[]): Promise<readonly AppendOutcome[]> {
    let state = await chain.known()
    let isFresh = false
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      await rest()
      if (!isFresh) {
        // What came meanwhile comes along.
        appendAll(group, queue.take(maxAppends - group.length))
      }
      const batches = group.map(({ batch }) => batch)
      const context = contextOf(await leavesFor(state, batches))
      const { outcomes, segment } = buildGroup(state, batches, context)
      if (!isFresh && outcomes.some(isRefused)) {
        state = await chain.fresh()
        isFresh = true
        continue
      }
      if (segment === undefined) return outcomes
      if (await isCreated(segment, state, context.token)) {
        onWritten()
        return outcomes
      }
      state = await chain.fresh()
      isFresh = false
    }
    throw backendError('contention-lost', { namespace: chain.namespace, attempts: maxAttempts })
  }

  async function leavesFor(state: JournalState, batches: readonly Append[]): Promise<ReadonlyMap<number, string>> {
    const leaves = new Map<number, string>()
    for (const { seen } of batches) {
      if (seen === undefined || seen.seq > state.seq || leaves.has(seen.seq)) continue
      if (state.leafOf(seen.seq) !== undefined) continue
      leaves.set(seen.seq, (await readLeaf(seen.seq)) ?? '')
    }
    return leaves
  }

  /** Writes what is not an append, after the appends that came before. */
  async function alone<T>(write: (state: JournalState) => Promise<{ readonly done: T } | undefined>): Promise<T> {
    while (running !== undefined) await running
    let end: () => void = () => {}
    running = new Promise(resolve => {
      end = resolve
    })
    try {
      for (let attempt = 0; attempt < maxAttempts; attempt++) {
        const written = await write(await chain.fresh())
        if (written !== undefined) return written.done
      }
    } finally {
      running = undefined
      end()
      start()
    }
    throw backendError('contention-lost', { namespace: chain.namespace, attempts: maxAttempts })
  }

  function start(): void {
    if (running === undefined && queue.length > 0) running = runAll()
  }

  async function isDropWritten(state: JournalState, dropped: readonly number[], ends: boolean): Promise<boolean> {
    const context = contextOf(new Map())
    if (!(await isCreated(droppingSegment(state, { dropped, ends }, context), state, context.token))) return false
    onWritten()
    return true
  }

  return {
    append(batch) {
      const appended = queue.add(batch)
      start()
      return appended
    },
    dropPacks: (seqs, newest) =>
      alone(async state => {
        const leaf = state.leafOf(newest.seq)
        if (state.seq !== newest.seq || !isSeen(newest, state.seq, state.newest?.first, leaf)) return { done: false }
        const dropped = seqs.filter(seq => (state.place(seq)?.pack.parts.length ?? 0) > 0)
        if (dropped.length === 0 || (await isDropWritten(state, dropped, false))) return { done: true }
        return undefined
      }),
    dropNamespace: () =>
      alone(async state => {
        if (state.seq === 0 || (await isDropWritten(state, [], true))) return { done: undefined }
        return undefined
      }),
  }
}

function isRefused(outcome: AppendOutcome): boolean {
  return outcome !== undefined && 'appended' in outcome && outcome.appended.kind !== 'done'
}
