/**
 * Following the journal: reading on from a sequence number, a page at a time and only when asked, so nothing is kept for a
 * follower that is slow.
 *
 * It never waits: what to do when there is nothing more is for the face to decide.
 */

import { appendAll, parseGlob } from '../core/index.ts'
import { ask, type JournalEntry, readEntries, storeError, type Work } from '../store/index.ts'
import { matcherOf } from './filter.ts'
import type { Handle } from './handle.ts'
import type { Category } from './info.ts'
import { eventsOf, type JournalEvent, type Wanted } from './journal-event.ts'

/** All that is given must hold: an event that has no path, branch or category passes no filter of it. */
export interface WatchFilter {
  /** A glob over changed paths. */
  path?: string | undefined
  /** A glob. Without it, every branch. */
  branch?: string | undefined
  category?: Category | undefined
  /** The last sequence number seen. Nothing is skipped, nothing comes twice. Without it, from now on. */
  after?: number | undefined
  signal?: AbortSignal | undefined
}

/** Reads on in the journal. */
export interface Follower {
  /** The next event; `more` when a page held none, and another is there to read; `end` when there is nothing new. */
  next(): Work<JournalEvent | 'more' | 'end'>
}

const PAGE_ENTRIES = 64

/** The sequence number after which a watch begins. */
export function* watchStart({ after }: WatchFilter): Work<number> {
  const { seq } = yield* ask(log => log.head())
  if (after === undefined) return seq
  if (!Number.isSafeInteger(after) || after < 0)
    throw storeError('info-invalid', { field: 'after', reason: `${after} is no sequence number` })
  // A number from another journal would make this one look silent until it got there.
  if (after > seq) throw storeError('entry-not-found', { seq: after })
  return after
}

export function follow(handle: Handle, filter: WatchFilter, start: number): Follower {
  const wanted = wantedOf(filter)
  const waiting: JournalEvent[] = []
  let page: JournalEntry[] = []
  let seen = start
  return {
    *next(): Work<JournalEvent | 'more' | 'end'> {
      if (waiting.length > 0) return waiting.shift()!
      if (page.length === 0) page = yield* readEntries(seen + 1, seen + PAGE_ENTRIES, ['text'])
      if (page.length === 0) return 'end'
      while (page.length > 0) {
        const entry = page.shift()!
        seen = entry.seq
        appendAll(waiting, yield* eventsOf(handle, entry, wanted))
        if (waiting.length > 0) return waiting.shift()!
      }
      return 'more'
    },
  }
}

function wantedOf({ path, branch, category }: WatchFilter): Wanted {
  const hasMatcher = path !== undefined || category !== undefined
  return {
    matcher: hasMatcher ? matcherOf({ path, category }) : undefined,
    branch: branch === undefined ? undefined : parseGlob(`/${branch.replaceAll('~', '~0')}`),
  }
}
