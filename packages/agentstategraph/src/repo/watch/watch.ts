/**
 * Following the journal: reading on from a sequence number, a page at a time and only when asked, so nothing is kept for a
 * follower that is slow.
 *
 * It never waits: what to do when there is nothing more is for the face to decide.
 */

import { appendAll, coreError, type Path, parseGlob } from '../../core/index.ts'
import { ask, type JournalEntry, pausePoint, readEntries, storeError, type Work } from '../../store/index.ts'
import type { Handle } from '../handle.ts'
import { matcherOf } from '../query/filter.ts'
import type { Category } from '../records/info.ts'
import { eventsOf, type JournalEvent, type Wanted } from './journal-event.ts'

/** All that is given must hold: an event that has no path, branch or category passes no filter of it. */
export interface WatchFilter {
  /** Commits that changed this place or something below it; or places that match, when it is a pattern. */
  path?: Path | undefined
  /** The place of `path` alone. A pattern is always exact. */
  exact?: boolean | undefined
  /** A glob. Without it, every branch. */
  branch?: string | undefined
  category?: Category | undefined
  /**
   * The cursor of the last event seen: nothing is skipped, nothing comes twice. A sequence number means that all events of
   * that entry were seen. Without it, from now on.
   */
  after?: string | number | undefined
  signal?: AbortSignal | undefined
}

/** Reads on in the journal. */
export interface Follower {
  /** The next event; `more` when a page held none, and another is there to read; `end` when there is nothing new. */
  next(): Work<JournalEvent | 'more' | 'end'>
}

const PAGE_ENTRIES = 64

/** Where a watch begins: after an entry, or inside one that is several events, after one of its parts. */
export interface WatchStart {
  readonly seq: number
  readonly part: number | undefined
}

export function* watchStart({ after }: WatchFilter): Work<WatchStart> {
  const { seq } = yield* ask(log => log.head())
  if (after === undefined) return { seq, part: undefined }
  const isFraction = typeof after === 'number' && !Number.isInteger(after)
  const [, entry, part] = /^(\d{1,15})(?:\.(\d{1,15}))?$/.exec(String(after)) ?? []
  if (entry === undefined || isFraction) {
    throw coreError('option-invalid', {
      field: 'after',
      reason: `${String(after)} is no cursor and no sequence number`,
    })
  }
  // A number from another journal would make this one look silent until it got there.
  if (Number(entry) > seq) throw storeError('entry-not-found', { seq: Number(entry) })
  return { seq: Number(entry), part: part === undefined ? undefined : Number(part) }
}

export function follow(handle: Handle, filter: WatchFilter, start: WatchStart): Follower {
  const wanted = wantedOf(filter)
  const waiting: JournalEvent[] = []
  let page: JournalEntry[] = []
  let seen = start.part === undefined ? start.seq : start.seq - 1
  return {
    *next(): Work<JournalEvent | 'more' | 'end'> {
      if (waiting.length > 0) return waiting.shift()!
      // One commit wakes every watcher, and together they may be many.
      yield pausePoint
      if (page.length === 0) page = yield* readEntries(seen + 1, seen + PAGE_ENTRIES, ['text'])
      if (page.length === 0) return 'end'
      while (page.length > 0) {
        const entry = page.shift()!
        seen = entry.seq
        const after = entry.seq === start.seq ? start.part : undefined
        appendAll(waiting, yield* eventsOf(handle, entry, wanted, after))
        if (waiting.length > 0) return waiting.shift()!
      }
      return 'more'
    },
  }
}

function wantedOf({ path, exact, branch, category }: WatchFilter): Wanted {
  const hasMatcher = path !== undefined || exact !== undefined || category !== undefined
  return {
    matcher: hasMatcher ? matcherOf({ path, exact, category }) : undefined,
    branch: branch === undefined ? undefined : parseGlob(`/${branch.replaceAll('~', '~0')}`),
  }
}
