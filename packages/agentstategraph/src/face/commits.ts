/** A listing of what a query gives. Its cursors say how many commits were given and which was the last. */

import {
  type Commit,
  type CommitFilter,
  commitFrom,
  type Handle,
  query,
  seenCommit,
  viewOfCommit,
} from '../repo/index.ts'
import type { Work } from '../store/index.ts'
import { badCursor, type Listing, listing } from './listing.ts'

export function commitListing(
  handle: Handle,
  filter: CommitFilter,
  run: <T>(steps: Work<T>) => Promise<T>,
): Listing<Commit> {
  const { limit = Number.POSITIVE_INFINITY } = filter
  return listing(async after => {
    const [given, last] = after === undefined ? [0, undefined] : splitCursor(after)
    const commits = await run(query(handle, filter, last))
    let count = given
    function* next(): Work<Commit | undefined> {
      const commit = yield* commits.next()
      if (commit === undefined) return undefined
      return seenCommit(yield* commitFrom(handle.journal, commit), yield* viewOfCommit(handle, commit))
    }
    return {
      next: async () => (count++ < limit ? run(next()) : undefined),
      cursor: () => `${count}.${commits.last()}`,
    }
  })
}

function splitCursor(cursor: string): [given: number, last: number] {
  if (!/^\d+\.\d+$/.test(cursor)) throw badCursor(cursor)
  const [given, last] = cursor.split('.').map(Number)
  return [given ?? 0, last ?? 0]
}
