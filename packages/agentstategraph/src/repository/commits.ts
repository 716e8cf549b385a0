/** A listing of what a query gives. Its cursors name the commit that was given last. */

import { branchScopeOfCommit, type Commit, type CommitFilter, commitFrom, type Handle, query } from '../repo/index.ts'
import type { Work } from '../store/index.ts'
import { callOptions } from './call-options.ts'
import { badCursor, type Listing, listing, type Start } from './listing.ts'

export function commitListing(
  handle: Handle,
  filter: CommitFilter,
  run: <T>(steps: Work<T>) => Promise<T>,
): Listing<Commit> {
  const start: Start<Commit> = async after => {
    if (after !== undefined && !/^\d{1,15}$/.test(after)) throw badCursor(after)
    const commits = await run(query(handle, filter, after === undefined ? undefined : Number(after)))
    function* next(): Work<Commit | undefined> {
      const commit = yield* commits.next()
      if (commit === undefined) return undefined
      return yield* commitFrom(handle.journal, commit, yield* branchScopeOfCommit(handle, commit))
    }
    return { next: () => run(next()), cursor: () => String(commits.last()) }
  }
  return listing(start, callOptions.query, filter)
}
