/** Numbers about a namespace. What an index has counted is not counted again; bytes are, because packs can be dropped. */

import { utf8Length } from '../../core/index.ts'
import { ask, type IndexCount, pausePoint, type StoredEntry, scanEntries, type Work } from '../../store/index.ts'
import type { Handle } from '../handle.ts'
import { branchPrefix, listRefs } from '../records/ref-names.ts'
import { type Keep, readRetention } from '../write/retention.ts'
import { indexUntil } from './index-build.ts'
import { groups } from './index-terms.ts'
import { isLanded } from './landed.ts'

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

type Counts = readonly Pick<IndexCount, 'name' | 'count'>[]

const SCANNED_ENTRIES = 256

export function* stats(handle: Handle): Work<Stats> {
  const { seq: newest } = yield* ask(log => log.head())
  const hasIndex = yield* indexUntil(handle, newest)
  const { agents, categories } = hasIndex ? yield* indexedCounts() : yield* scannedCounts(newest)
  return {
    commits: agents.reduce((sum, { count }) => sum + count, 0),
    branches: (yield* listRefs(branchPrefix)).length,
    storedBytes: yield* storedBytes(newest),
    ...(yield* retentionStats()),
    byAgent: recordOf(agents),
    byCategory: recordOf(categories),
  }
}

function* retentionStats(): Work<Pick<Stats, 'retention'>> {
  const { at, keep, states, bytes } = yield* readRetention()
  if (at === null) return {}
  return { retention: { ...(keep === undefined ? {} : { keep }), trimmedStates: states, trimmedBytes: bytes } }
}

function recordOf(counts: Counts): Record<string, number> {
  return Object.fromEntries(counts.map(({ name, count }) => [name, count]))
}

function* indexedCounts(): Work<{ readonly agents: Counts; readonly categories: Counts }> {
  const agents = yield* ask(log => log.index!.counts(groups.agents))
  return { agents, categories: yield* ask(log => log.index!.counts(groups.categories)) }
}

function* scannedCounts(newest: number): Work<{ readonly agents: Counts; readonly categories: Counts }> {
  const agents = new Map<string, number>()
  const categories = new Map<string, number>()
  yield* scanEntries(1, newest, ['text', 'commit'], ({ record, row }) => {
    if (!isLanded(record) || row.commit === undefined) return
    const { agent, intent } = JSON.parse(row.commit.text) as { agent: string; intent: { category: string } }
    agents.set(agent, (agents.get(agent) ?? 0) + 1)
    categories.set(intent.category, (categories.get(intent.category) ?? 0) + 1)
  })
  return { agents: sorted(agents), categories: sorted(categories) }
}

function sorted(counts: ReadonlyMap<string, number>): Counts {
  return [...counts].map(([name, count]) => ({ name, count })).sort((a, b) => (a.name < b.name ? -1 : 1))
}

function* storedBytes(newest: number): Work<number> {
  let bytes = 0
  for (let from = 1; from <= newest; from += SCANNED_ENTRIES) {
    yield pausePoint
    const to = Math.min(newest, from + SCANNED_ENTRIES - 1)
    const rows = yield* ask(log => log.entries(from, to, ['text', 'commit', 'part']))
    for (const { text, commit } of rows) bytes += utf8Length(text) + utf8Length(commit?.text ?? '')
    bytes += yield* packBytes(rows.filter(({ part }) => part !== undefined))
  }
  return bytes
}

/** A pointer past a pack's end leads to its last part, and one before a part's first node to the part before it. */
function* packBytes(rows: readonly StoredEntry[]): Work<number> {
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
