/**
 * Listings of places in one state.
 *
 * A cursor names the commit with which the listing began and the last place that was given: the next page goes on there,
 * wherever the branch is by then.
 */

import { type Options, parseKnownPath } from '../core/index.ts'
import type { StoredCommit, Work } from '../store/index.ts'
import { badCursor, type Listing, listing, type Start } from './listing.ts'

export interface Steps<T> {
  next(): Work<T | undefined>
}

/** What the places are read from. */
export interface PlaceSource {
  run<T>(steps: Work<T>): Promise<T>
  /** The commit that is read now, or the one that a cursor names; left out for a state that is no commit yet. */
  commit?(seq: number | undefined): Work<StoredCommit | undefined>
}

/** Starts a walk in a commit, at the first place or after one. */
export type WalkFrom<T> = (commit: StoredCommit | undefined, after: readonly string[] | undefined) => Work<Steps<T>>

/** How many places are read at once: each read costs a turn of the event loop. */
const BATCH = 32

export function placeListing<T extends { readonly path: string }, O extends object>(
  { run, commit: commitAt }: PlaceSource,
  walkFrom: WalkFrom<T>,
  call?: Options<O>,
  given?: O,
): Listing<T> {
  const start: Start<T> = async cursor => {
    const [seq, after] = cursor === undefined ? [] : splitCursor(cursor)
    const commit = commitAt === undefined ? undefined : await run(commitAt(seq))
    const steps = await run(walkFrom(commit, after === undefined ? undefined : parseKnownPath(after)))
    let last = after ?? '/'
    let waiting: T[] = []
    return {
      async next() {
        if (waiting.length === 0) waiting = (await run(nextSteps(steps))).reverse()
        const item = waiting.pop()
        if (item !== undefined) last = item.path
        return item
      },
      cursor: () => `${commit?.seq ?? 0}:${last}`,
    }
  }
  return listing(start, call, given)
}

function* nextSteps<T>(steps: Steps<T>): Work<T[]> {
  const items: T[] = []
  while (items.length < BATCH) {
    const item = yield* steps.next()
    if (item === undefined) break
    items.push(item)
  }
  return items
}

function splitCursor(cursor: string): readonly [seq: number, path: string] {
  const [, seq, path] = /^(\d{1,15}):((?:\/.*|\[""\]))$/s.exec(cursor) ?? []
  if (seq === undefined || path === undefined) throw badCursor(cursor)
  return [Number(seq), path]
}
