/** The threads of a graph, by id. Only their refs are listed; each is looked at when its turn comes. */

import { badCursor, type Listing, listing, type Walker } from '../../face/listing.ts'
import { listRefs, sightOf } from '../../repo/index.ts'
import { findLiveRun } from './live-runs.ts'
import { findStanding, type Situation, situationOf } from './standing.ts'
import { threadRefs, threadsOf } from './thread-refs.ts'
import type { ThreadHome } from './thread-run.ts'

export interface ListedThread {
  readonly id: string
  readonly status: Situation['status']
}

export function threadListing(home: () => Promise<ThreadHome>, filter: ThreadFilter): Listing<ListedThread> {
  return listing(after => threadsWalk(home, filter, after))
}

export interface ThreadFilter {
  readonly prefix?: string | undefined
  readonly status?: string | undefined
  readonly limit?: number | undefined
}

async function threadsWalk(
  home: () => Promise<ThreadHome>,
  { prefix = '', status, limit = Number.POSITIVE_INFINITY }: ThreadFilter,
  after: string | undefined,
): Promise<Walker<ListedThread>> {
  const { plan, handle } = await home()
  const { journal } = handle
  const start = threadsOf(plan.name)
  const [given, last] = after === undefined ? [0, ''] : placeIn(after)
  const sight = await journal.run(sightOf(handle))
  const known = (await journal.run(listRefs(start + prefix))).filter(({ name }) => sight?.on([name]).isWhole !== false)
  const ids = known.map(({ name }) => name.slice(start.length))
  let at = last === '' ? 0 : ids.findIndex(id => id > last)
  if (at < 0) at = ids.length
  let count = given
  return {
    async next() {
      while (at < ids.length && count < limit) {
        const id = ids[at++]!
        const refs = threadRefs(plan.name, id)
        const standing = await journal.run(findStanding(handle, refs))
        if (standing === undefined) continue
        const isLive = findLiveRun(journal, refs) !== undefined
        const found = isLive ? 'running' : situationOf(standing).status
        if (status !== undefined && status !== found) continue
        count++
        return { id, status: found }
      }
      return undefined
    },
    cursor: () => `${count}.${ids[at - 1] ?? last}`,
  }
}

function placeIn(cursor: string): readonly [given: number, last: string] {
  const [, given, last] = /^(\d+)\.(.*)$/s.exec(cursor) ?? []
  if (given === undefined || last === undefined) throw badCursor(cursor)
  return [Number(given), last]
}
