/** The commits of a line of history by time: its ends, the newest at a moment, and the neighbours of one. */
import type { Commit } from '../source/shapes/state.ts'
import { ask } from '../source/source.ts'

export interface Ends {
  readonly oldest: Commit
  readonly newest: Commit
}

/** Undefined where there is no commit yet. `on` is a branch, or `*` for all. */
export async function findEnds(on: string, signal: AbortSignal): Promise<Ends | undefined> {
  const [first, last] = await Promise.all([
    ask('query', { ref: on, order: 'oldest', limit: 1 }, signal),
    ask('query', { ref: on, limit: 1 }, signal),
  ])
  const [oldest] = first.items
  const [newest] = last.items
  return oldest === undefined || newest === undefined ? undefined : { oldest, newest }
}

/** The commit that a line was at then. */
export async function findAt(on: string, moment: number, signal: AbortSignal): Promise<Commit | undefined> {
  const { items } = await ask('query', { ref: on, until: new Date(moment).toISOString(), limit: 1 }, signal)
  return items[0]
}

const PAGE = 20

/** The next commit of a line in a direction. Several can have the same time, so the order of the journal decides. */
export async function findNeighbour(
  on: string,
  from: Commit,
  direction: 'before' | 'after',
  signal: AbortSignal,
): Promise<Commit | undefined> {
  const isBefore = direction === 'before'
  const range = isBefore ? { until: from.timestamp } : { since: from.timestamp, order: 'oldest' }
  let cursor: string | undefined
  do {
    const page = await ask('query', { ref: on, ...range, limit: PAGE, cursor }, signal)
    const found = page.items.find(({ seq }) => (isBefore ? seq < from.seq : seq > from.seq))
    if (found !== undefined) return found
    cursor = page.next_cursor
  } while (cursor !== undefined)
  return undefined
}
