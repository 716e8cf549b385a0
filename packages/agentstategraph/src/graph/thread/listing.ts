/** The threads of a graph, by id. The refs are listed at once, and each thread is read when its turn comes. */

import { optionsOf } from '../../core/index.ts'
import { listRefs, readScopeOf } from '../../repo/index.ts'
import { compareTexts, type Listing, listing, type Walker } from '../../repository/listing.ts'
import { threadRefs, threadsOf } from './records/refs.ts'
import { findLiveRun } from './run/live-runs.ts'
import type { ThreadHome } from './start-run.ts'
import { findResumePoint, type Situation, situationOf } from './state/resume-point.ts'

export interface ListedThread {
  readonly id: string
  readonly status: Situation['status']
}

export function threadListing(home: () => Promise<ThreadHome>, filter: ThreadFilter): Listing<ListedThread> {
  return listing(after => threadsWalk(home, filter, after), threadsOptions, filter)
}

/** Options of `threads`. */
export interface ThreadFilter<Status extends string = string> {
  readonly prefix?: string | undefined
  readonly status?: Status | undefined
  readonly limit?: number | undefined
}

const threadsOptions = optionsOf<ThreadFilter>('threads', { prefix: true, status: true, limit: true })

async function threadsWalk(
  home: () => Promise<ThreadHome>,
  { prefix = '', status }: ThreadFilter,
  after: string | undefined,
): Promise<Walker<ListedThread>> {
  const { plan, handle } = await home()
  const { journal } = handle
  const start = threadsOf(plan.name)
  const scope = await journal.run(readScopeOf(handle))
  const known = (await journal.run(listRefs(start + prefix))).filter(({ name }) => scope?.on([name]).isWhole !== false)
  const ids = known.map(({ name }) => name.slice(start.length))
  ids.sort(compareTexts)
  let at = after === undefined ? 0 : ids.findIndex(id => id > after)
  if (at < 0) at = ids.length
  return {
    async next() {
      while (at < ids.length) {
        const id = ids[at++]!
        const refs = threadRefs(plan.name, id)
        const resumePoint = await journal.run(findResumePoint(handle, refs))
        if (resumePoint === undefined) continue
        const isLive = findLiveRun(journal, refs) !== undefined
        const found = isLive ? 'running' : situationOf(resumePoint).status
        if (status !== undefined && status !== found) continue
        return { id, status: found }
      }
      return undefined
    },
    cursor: () => ids[at - 1] ?? after ?? '',
  }
}
