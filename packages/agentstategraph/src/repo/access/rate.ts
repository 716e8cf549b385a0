/**
 * The number of commits under a grant in one minute, exact across processes.
 *
 * Each commit under a grant with a rate limit moves the ref `system/rate/<grant>` to itself, in the same append. So two
 * concurrent commits cannot count as one, and the moves form the list that is counted. Commits under grants that derive from a
 * grant count for it too: delegation does not multiply a limit.
 */

import { isWrong, type Move, momentAfter, readEntry, type Work } from '../../store/index.ts'
import { accessError } from '../records/access-errors.ts'
import type { GrantRecord } from '../records/access-record.ts'
import type { Accessor, CountedCommits } from '../records/accessor.ts'
import { findRef, ratePrefix } from '../records/ref-names.ts'
import { principalOf } from './gate.ts'

const MINUTE_MS = 60_000
const MAX_KNOWN = 1024

/** The moves that count a commit. Throws when a grant has reached its limit. */
export function* rateMoves(accessor: Accessor, grants: readonly GrantRecord[]): Work<readonly Move[]> {
  const moves: Move[] = []
  for (const { id, limits } of grants) {
    const limit = limits?.commitsPerMinute
    if (limit === undefined) continue
    const name = ratePrefix + id
    const { last, times } = yield* counted(accessor, name, limit)
    if (times.length >= limit) {
      throw accessError('rate-exceeded', { principal: principalOf(accessor.identity), grant: id, limit })
    }
    moves.push({ name, expect: last, to: { entry: 0 } })
  }
  return moves
}

function* counted({ journal, shared }: Accessor, name: string, limit: number): Work<CountedCommits> {
  const { rates } = shared.access
  const known = rates.get(name) ?? { last: null, times: [] }
  const last = yield* findRef(name)
  const newer: number[] = []
  // Times in the journal never run backwards, so setting a clock back does not give a minute twice.
  let now = journal.now()
  for (let seq = last; seq !== known.last && seq !== null && newer.length < limit; ) {
    const { record } = yield* readEntry(seq)
    now = momentAfter(now, record.time)
    if (record.time <= now - MINUTE_MS || isWrong(now, record.time)) break
    newer.push(record.time)
    seq = record.moves.find(([moved]) => moved === name)?.[1] ?? null
  }
  now = momentAfter(now, known.times.at(-1) ?? 0)
  const times = [...known.times, ...newer.reverse()].filter(time => time > now - MINUTE_MS && !isWrong(now, time))
  if (rates.size >= MAX_KNOWN) rates.clear()
  rates.set(name, { last, times })
  return { last, times }
}
