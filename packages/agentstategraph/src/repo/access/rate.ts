/**
 * What was done under a grant in one minute, exact across processes.
 *
 * Each append under a grant with a limit per minute moves the ref `system/rate/<grant>` to itself. So two concurrent appends
 * cannot count as one, and the moves form the list that is counted. What is done under grants that derive from a grant counts
 * for it too: delegation does not multiply a limit.
 */

import { leastOf, utf8Length } from '../../core/index.ts'
import {
  ask,
  type CheckSize,
  type EntryRecord,
  isWrong,
  type Move,
  momentAfter,
  packBytes,
  readEntry,
  storeError,
  type Work,
} from '../../store/index.ts'
import { accessError } from '../records/access-errors.ts'
import type { GrantRecord } from '../records/access-record.ts'
import type { Accessor, AddedAt, CountedUse } from '../records/accessor.ts'
import { draftPrefix, findRef, leadsToLanded, ratePrefix } from '../records/ref-names.ts'
import { principalOf } from './gate.ts'
import { noteRefusal } from './refusals.ts'

const MINUTE_MS = 60_000
const MAX_KNOWN = 1024

/** What each limit per minute counts. */
const counts = {
  commitsPerMinute: 'commits',
  entriesPerMinute: 'entries',
  branchesPerMinute: 'branches',
  speculationsPerMinute: 'speculations',
  bytesPerMinute: 'bytes',
} as const
type LimitPerMinute = keyof typeof counts

export const limitsPerMinute = Object.keys(counts) as readonly LimitPerMinute[]

/** What an append adds: so many entries, and the refs that it makes. Its bytes are known when it is made. */
export function addedBy(
  entries: number,
  commits: number,
  moves: readonly (readonly [name: string, from: number | null, to: unknown])[],
): Omit<AddedAt, 'time' | 'bytes'> {
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

/** How the limits of grants hold for an append. */
export interface Rated {
  /** The moves that count it. */
  readonly moves: readonly Move[]
  readonly checkSize?: CheckSize | undefined
}

const unrated: Rated = { moves: [] }

/** Counts an append. Throws when it would exceed a limit of a grant; `checkSize` does so for limits of bytes. */
export function* ratedBy(
  accessor: Accessor,
  grants: readonly GrantRecord[],
  added: () => Omit<AddedAt, 'time' | 'bytes'>,
): Work<Rated> {
  if (!grants.some(({ limits }) => limits !== undefined)) return unrated
  const adding = added()
  const moves: Move[] = []
  const ofBytes: Counted[] = []
  for (const { id, limits = {} } of grants) {
    const given = limitsPerMinute.filter(name => limits[name] !== undefined)
    if (given.length === 0) continue
    const name = ratePrefix + id
    const { last, added: before } = yield* counted(accessor, name, limits.bytesPerMinute !== undefined)
    for (const limit of given) {
      const unit = counts[limit]
      const one = {
        grant: id,
        counted: unit,
        limit: limits[limit]!,
        before: before.reduce((sum, by) => sum + by[unit], 0),
      }
      if (unit === 'bytes') ofBytes.push(one)
      else yield* assertWithin(accessor, one, adding[unit])
    }
    moves.push({ name, expect: last, to: { entry: 0 } })
  }
  const perCommit = grants.flatMap(({ limits }) => limits?.bytesPerCommit ?? [])
  if (perCommit.length + ofBytes.length === 0) return { moves }
  const most = leastOf(perCommit)
  return {
    moves,
    *checkSize(size): Work<void> {
      if (size > most) throw storeError('commit-too-large', { what: 'size in bytes', size, limit: most })
      for (const one of ofBytes) yield* assertWithin(accessor, one, size)
    },
  }
}

/** What a limit counted in the last minute. */
interface Counted {
  readonly grant: string
  readonly counted: (typeof counts)[LimitPerMinute]
  readonly limit: number
  readonly before: number
}

function* assertWithin(accessor: Accessor, { before, ...told }: Counted, more: number): Work<void> {
  if (more === 0 || before + more <= told.limit) return
  throw yield* noteRefusal(
    accessor,
    accessError('rate-exceeded', { principal: principalOf(accessor.identity), ...told }),
  )
}

function* counted({ journal, shared }: Accessor, name: string, withBytes: boolean): Work<CountedUse> {
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
    const commits = record.commit === undefined ? 0 : 1
    const bytes = withBytes ? yield* bytesOfAppend(seq, entries) : 0
    newer.push({ time: record.time, bytes, ...addedBy(entries, commits, record.moves) })
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

/** What the entries of an append take: their texts, and the pack of a commit. */
function* bytesOfAppend(first: number, count: number): Work<number> {
  let bytes = yield* packBytes(first)
  for (const { text, commit } of yield* ask(log => log.entries(first, first + count - 1, ['text', 'commit']))) {
    bytes += utf8Length(text) + utf8Length(commit?.text ?? '')
  }
  return bytes
}
