/**
 * What was done under a grant in one minute, exact across processes.
 *
 * Each append under a grant with a limit per minute moves the ref `system/rate/<grant>` to itself. So two concurrent appends
 * cannot count as one, and the moves form the list that is counted. What is done under grants that derive from a grant counts
 * for it too: delegation does not multiply a limit.
 */

import { ask, type EntryRecord, isWrong, type Move, momentAfter, readEntry, type Work } from '../../store/index.ts'
import { accessError } from '../records/access-errors.ts'
import type { GrantRecord } from '../records/access-record.ts'
import type { Accessor, AddedAt, CountedUse } from '../records/accessor.ts'
import { draftPrefix, findRef, leadsToLanded, ratePrefix } from '../records/ref-names.ts'
import { principalOf } from './gate.ts'

const MINUTE_MS = 60_000
const MAX_KNOWN = 1024

/** What each limit per minute counts. */
const counts = {
  commitsPerMinute: 'commits',
  entriesPerMinute: 'entries',
  branchesPerMinute: 'branches',
  speculationsPerMinute: 'speculations',
} as const
type LimitPerMinute = keyof typeof counts

export const limitsPerMinute = Object.keys(counts) as readonly LimitPerMinute[]

/** What an append adds: so many entries, and the refs that it makes. */
export function addedBy(
  entries: number,
  commits: number,
  moves: readonly (readonly [name: string, from: number | null, to: unknown])[],
): Omit<AddedAt, 'time'> {
  const made = moves.filter(([, from, to]) => from === null && to !== null).map(([name]) => name)
  return {
    entries,
    commits,
    branches: made.filter(leadsToLanded).length,
    speculations: made.filter(name => name.startsWith(draftPrefix)).length,
  }
}

/** The moves of an append that is to be made, in the form of those that entries keep. */
export function movedRefs(moves: readonly Move[]): readonly (readonly [string, number | null, Move['to']])[] {
  return moves.map(({ name, expect, to }) => [name, expect, to])
}

/** The moves that count an append. Throws when it would exceed a limit of a grant. */
export function* rateMoves(
  accessor: Accessor,
  grants: readonly GrantRecord[],
  adding: Omit<AddedAt, 'time'>,
): Work<readonly Move[]> {
  const moves: Move[] = []
  for (const { id, limits = {} } of grants) {
    const given = limitsPerMinute.filter(name => limits[name] !== undefined)
    if (given.length === 0) continue
    const name = ratePrefix + id
    const { last, added } = yield* counted(accessor, name)
    for (const limit of given) {
      const unit = counts[limit]
      const sum = added.reduce((total, one) => total + one[unit], adding[unit])
      if (adding[unit] === 0 || sum <= limits[limit]!) continue
      const principal = principalOf(accessor.identity)
      throw accessError('rate-exceeded', { principal, grant: id, limit: limits[limit]!, counted: unit })
    }
    moves.push({ name, expect: last, to: { entry: 0 } })
  }
  return moves
}

function* counted({ journal, shared }: Accessor, name: string): Work<CountedUse> {
  const { rates } = shared.access
  const known = rates.get(name) ?? { last: null, added: [] }
  const last = yield* findRef(name)
  const newer: AddedAt[] = []
  // Times in the journal never run backwards, so setting a clock back does not give a minute twice.
  let now = journal.now()
  for (let seq = last; seq !== known.last && seq !== null; ) {
    const { record } = yield* readEntry(seq)
    now = momentAfter(now, record.time)
    if (record.time <= now - MINUTE_MS || isWrong(now, record.time)) break
    const entries = yield* entriesOfAppend(seq, record)
    newer.push({ time: record.time, ...addedBy(entries, record.commit === undefined ? 0 : 1, record.moves) })
    seq = record.moves.find(([moved]) => moved === name)?.[1] ?? null
  }
  now = momentAfter(now, known.added.at(-1)?.time ?? 0)
  const added = [...known.added, ...newer.reverse()].filter(({ time }) => time > now - MINUTE_MS && !isWrong(now, time))
  if (rates.size >= MAX_KNOWN) rates.clear()
  rates.set(name, { last, added })
  return { last, added }
}

/** How many entries were appended together. Only the first names moves, and all have its time and agent. */
function* entriesOfAppend(first: number, { commit, kind, time, agent }: EntryRecord): Work<number> {
  if (commit !== undefined || kind === 'ref') return 1
  const { seq: newest } = yield* ask(log => log.head())
  let count = 1
  for (let seq = first + 1; seq <= newest; seq++) {
    const { record } = yield* readEntry(seq)
    if (record.time !== time || record.agent !== agent || record.moves.length > 0) break
    count++
  }
  return count
}
