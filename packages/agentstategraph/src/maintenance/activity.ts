/**
 * Counts landed commits by day or week, with their agents and categories.
 *
 * Times never decrease in a journal, so a binary search finds the entries of each period, and a period without commits
 * costs nothing. Periods are in UTC; weeks begin on Monday.
 */

import { checkedMoment, checkOptions, lastMoment, optionsOf } from '../core/index.ts'
import { assertReadsAll, type Handle, landedCounts, lastEntryUntil } from '../repo/index.ts'
import { checkedLimit } from '../repository/listing.ts'
import { readEntry, type Work } from '../store/index.ts'
import { type AnyRepository, readable } from './repository.ts'

/** Options of `activity`. */
export interface ActivityOptions {
  /** `day` unless given. */
  by?: 'day' | 'week' | undefined
  /** Commits after this time are not counted. */
  until?: Date | undefined
  /** How many periods with commits are returned. */
  limit?: number | undefined
}

const activityOptions = optionsOf<ActivityOptions>('activity', { by: true, until: true, limit: true })

/** The commits of one day or week. */
export interface ActivityPeriod {
  /** The first moment of the period, ISO 8601. */
  readonly start: string
  readonly commits: number
  readonly byAgent: Readonly<Record<string, number>>
  readonly byCategory: Readonly<Record<string, number>>
}

const DAY_MS = 24 * 60 * 60 * 1000
/** The first of January 1970 was a Thursday. */
const FIRST_MONDAY_MS = 4 * DAY_MS

/** Counts landed commits by period, newest first. */
export async function activity(repo: AnyRepository, options: ActivityOptions = {}): Promise<readonly ActivityPeriod[]> {
  checkOptions(activityOptions, options)
  const handle = readable(repo)
  await handle.journal.run(assertReadsAll(handle))
  return handle.journal.run(periods(handle, options))
}

function* periods(handle: Handle, { by = 'day', until, limit }: ActivityOptions): Work<readonly ActivityPeriod[]> {
  const found: ActivityPeriod[] = []
  let last = yield* lastEntryUntil(until === undefined ? lastMoment : checkedMoment('until', until))
  const most = checkedLimit(limit)
  while (last > 0 && found.length < most) {
    const start = startOf(by, (yield* readEntry(last)).record.time)
    const before = yield* lastEntryUntil(start - 1)
    const { commits, agents, categories } = yield* landedCounts(handle, before + 1, last)
    if (commits > 0) {
      const counts = { byAgent: Object.fromEntries(agents), byCategory: Object.fromEntries(categories) }
      found.push({ start: new Date(start).toISOString(), commits, ...counts })
    }
    last = before
  }
  return found
}

function startOf(by: 'day' | 'week', time: number): number {
  if (by === 'day') return time - (time % DAY_MS)
  return time - ((time - FIRST_MONDAY_MS) % (7 * DAY_MS))
}
