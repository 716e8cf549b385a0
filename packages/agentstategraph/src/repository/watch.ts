/**
 * Following the journal as it grows: an async iterator over what the repository layer reads.
 *
 * A hint from the store only wakes it; what it gives comes from reading on after the last event, when it is asked for the
 * next one. So a hint that was missed costs nothing, and a slow reader costs writers nothing.
 */

import { checkOptions } from '../core/index.ts'
import {
  type Follower,
  follow,
  type Handle,
  type JournalEvent,
  repoError,
  type WatchFilter,
  type WatchStart,
  watchStart,
} from '../repo/index.ts'
import { callOptions } from './call-options.ts'

/**
 * How often a waiting watch looks by itself where other processes may write; it also keeps this one alive. The store has told by then of
 * all that it did not miss, so this is rare: each look is a request where the store is remote.
 */
const LOOK_MS = 10_000

type Step = IteratorResult<JournalEvent, undefined>

export function watch(handle: Handle, filter: WatchFilter): AsyncIterable<JournalEvent> {
  // Asked now and not at the first step, so that whatever is written after this call is seen.
  const start = begin(handle, filter)
  // The error goes to the iterating caller; without one it is dropped.
  start.catch(() => undefined)
  return { [Symbol.asyncIterator]: () => watcher(handle, filter, start) }
}

async function begin(handle: Handle, filter: WatchFilter): Promise<WatchStart> {
  checkOptions(callOptions.watch, filter)
  if (handle.shared.isClosed) throw repoError('closed', { what: 'The repository' })
  return handle.journal.run(watchStart(filter))
}

/** Not an async generator: one that waits could not be left before the next event. */
function watcher(
  handle: Handle,
  filter: WatchFilter,
  start: Promise<WatchStart>,
): AsyncIterator<JournalEvent, undefined> {
  const { shared, journal } = handle
  const bell = newBell(shared.backend.capabilities.shared)
  let follower: Follower | undefined
  let isOver = false
  let stopListening = (): void => {}
  let last: Promise<unknown> = Promise.resolve()

  function end(): void {
    isOver = true
    stopListening()
    bell.ring()
  }

  async function followed(): Promise<Follower> {
    const begun = follow(handle, filter, await start)
    if (shared.isClosed || filter.signal?.aborted === true) end()
    if (!isOver) stopListening = listen(handle, filter.signal, bell.ring, end)
    return begun
  }

  async function step(): Promise<Step> {
    try {
      follower ??= await followed()
      while (!isOver) {
        const found = await journal.run(follower.next())
        if (typeof found === 'object') return { done: false, value: found }
        await (found === 'more' ? nextTurn() : bell.rung())
      }
    } catch (error) {
      // The store was closed under a read that was under way: that is the end, and no failure.
      if (!isOver) {
        end()
        throw error
      }
    }
    return { done: true, value: undefined }
  }

  return {
    next(): Promise<Step> {
      const result = last.then(step, step)
      last = result
      return result
    },
    async return(): Promise<Step> {
      end()
      return { done: true, value: undefined }
    },
  }
}

function listen(
  { shared, journal }: Handle,
  signal: AbortSignal | undefined,
  onChange: () => void,
  onEnd: () => void,
): () => void {
  const stopListening = journal.log.onChange(onChange)
  shared.onClose.add(onEnd)
  signal?.addEventListener('abort', onEnd)
  return () => {
    stopListening()
    shared.onClose.delete(onEnd)
    signal?.removeEventListener('abort', onEnd)
  }
}

interface Bell {
  ring(): void
  /** Settles when it has rung since the last time this was asked. */
  rung(): Promise<void>
}

function newBell(isRungByItself: boolean): Bell {
  let hasRung = false
  let answer: (() => void) | undefined
  return {
    ring() {
      hasRung = true
      answer?.()
    },
    async rung() {
      if (!hasRung) {
        const timer = isRungByItself ? setTimeout(() => answer?.(), LOOK_MS) : undefined
        await new Promise<void>(resolve => {
          answer = resolve
        })
        clearTimeout(timer)
      }
      hasRung = false
      answer = undefined
    },
  }
}

/** Lets others have their turn between pages in which nothing was found. */
function nextTurn(): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, 0))
}
