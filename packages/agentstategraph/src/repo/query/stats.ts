/**
 * Numbers about a namespace.
 *
 * An index keeps the counts of commits and the bytes of texts. The bytes of packs change when packs are dropped or trimmed, so
 * the backend keeps their total; what it does not cover is added up.
 */

import { utf8Length } from '../../core/index.ts'
import { ask, pausePoint, type StoredEntry, scanEntries, type Work } from '../../store/index.ts'
import type { Handle } from '../handle.ts'
import { branchPrefix, listRefs } from '../records/ref-names.ts'
import { type Keep, readRetention } from '../write/retention.ts'
import { indexUntil } from './index-build.ts'
import { groups } from './index-terms.ts'
import { isLanded } from './landed.ts'
import { landedTally } from './landed-counts.ts'

/** How much a repository holds, and by which agents and categories. */
export interface Stats {
  /** Commits of all branches, without drafts. */
  readonly commits: number
  readonly branches: number
  /** Entries, commits and packs, without what a backend adds to them. */
  readonly storedBytes: number
  /** The rules of retention and what was trimmed so far; absent when there never were rules. */
  readonly retention?: RetentionStats
  readonly byAgent: Readonly<Record<string, number>>
  readonly byCategory: Readonly<Record<string, number>>
}

/** What retention keeps and has trimmed. */
export interface RetentionStats {
  /** Absent when the rules were taken back. */
  readonly keep?: Keep
  /** How many commits have lost their states. */
  readonly trimmedStates: number
  readonly trimmedBytes: number
}

/** What the entries up to one say. */
interface Counted {
  readonly byAgent: Readonly<Record<string, number>>
  readonly byCategory: Readonly<Record<string, number>>
  readonly textBytes: number
}

export function* stats(handle: Handle): Work<Stats> {
  const { seq: newest } = yield* ask(log => log.head())
  const hasIndex = yield* indexUntil(handle, newest)
  const { byAgent, byCategory, textBytes } = hasIndex ? yield* keptCounts() : yield* scannedCounts(newest)
  return {
    commits: Object.values(byAgent).reduce((sum, count) => sum + count, 0),
    branches: (yield* listRefs(branchPrefix)).length,
    storedBytes: textBytes + (yield* packBytes(newest)),
    ...(yield* retentionStats()),
    byAgent,
    byCategory,
  }
}

function* retentionStats(): Work<Pick<Stats, 'retention'>> {
  const { at, keep, states, bytes } = yield* readRetention()
  if (at === null) return {}
  return { retention: { ...(keep === undefined ? {} : { keep }), trimmedStates: states, trimmedBytes: bytes } }
}

function* keptCounts(): Work<Counted> {
  const byAgent = yield* countsOf(groups.agents)
  return {
    byAgent,
    byCategory: yield* countsOf(groups.categories),
    textBytes: (yield* countsOf(groups.textBytes))[''] ?? 0,
  }
}

function* countsOf(group: string): Work<Readonly<Record<string, number>>> {
  return Object.fromEntries((yield* ask(log => log.index!.counts([group]))).map(({ name, count }) => [name, count]))
}

function* scannedCounts(newest: number): Work<Counted> {
  const tally = landedTally()
  let textBytes = 0
  yield* scanEntries(1, newest, ['text', 'commit'], ({ record, row: { text, commit } }) => {
    textBytes += utf8Length(text) + utf8Length(commit?.text ?? '')
    if (isLanded(record) && commit !== undefined) tally.add(record.agent, commit.text)
  })
  return { byAgent: sorted(tally.agents), byCategory: sorted(tally.categories), textBytes }
}

function sorted(counts: ReadonlyMap<string, number>): Readonly<Record<string, number>> {
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Of so many entries the packs are added up in one call, or read. */
const ADDED_ENTRIES = 2048
const READ_ENTRIES = 256

function* packBytes(newest: number): Work<number> {
  const isKnown = yield* ask(log => log.packBytes !== undefined)
  const count = isKnown ? ADDED_ENTRIES : READ_ENTRIES
  const total = (yield* ask(log => log.packTotal?.())) ?? { to: 0, bytes: 0 }
  let { bytes } = total
  for (let from = total.to + 1; from <= newest; from += count) {
    yield pausePoint
    const to = Math.min(newest, from + count - 1)
    bytes += isKnown ? yield* ask(log => log.packBytes!(from, to)) : yield* readPackBytes(from, to)
  }
  return bytes
}

function* readPackBytes(from: number, to: number): Work<number> {
  const rows = yield* ask(log => log.entries(from, to, ['part']))
  return yield* partBytes(rows.filter(({ part }) => part !== undefined))
}

/** A pointer past a pack's end leads to its last part, and one before a part's first node to the part before it. */
function* partBytes(rows: readonly StoredEntry[]): Work<number> {
  let bytes = 0
  let pointers = rows.map(({ seq }) => ({ seq, index: Number.MAX_SAFE_INTEGER }))
  while (pointers.length > 0) {
    const asked = pointers
    const parts = yield* ask(log => log.parts(asked))
    pointers = []
    for (const part of parts) {
      if (part === undefined) continue
      bytes += part.bytes.length
      if (part.first > 0) pointers.push({ seq: part.seq, index: part.first - 1 })
    }
  }
  return bytes
}
