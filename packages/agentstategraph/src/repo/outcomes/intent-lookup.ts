/**
 * Looks intents up: their first commit, their parent, their resolutions, and how they were delegated.
 *
 * An index answers for one intent at a time. Where there is none, the journal is scanned once for all of them.
 */

import {
  ask,
  type CommitRecord,
  type JournalEntry,
  parseCommit,
  pausePoint,
  readEntry,
  scanEntries,
  type Work,
} from '../../store/index.ts'
import { accessValue, currentAccess } from '../access/access-state.ts'
import type { Handle } from '../handle.ts'
import { indexUntil } from '../query/index-build.ts'
import { groups, intentTerm, saidOfIntent } from '../query/index-terms.ts'
import { isLanded } from '../query/landed.ts'
import { bodyOf } from '../records/entry-bodies.ts'
import { findKept } from '../records/find-kept.ts'
import type { Resolution } from '../records/observation.ts'
import type { IntentRecord } from '../records/session-record.ts'
import { branchScopeOfCommit } from '../visibility/names-of-commit.ts'
import { readScopeOf } from '../visibility/read-scope.ts'
import { isReadableCommit } from '../visibility/readable-commit.ts'
import { isReadableIntent } from '../visibility/readable-intent.ts'

/** A recorded resolution of an intent, with its agent and time. */
export interface ResolvedIntent extends Readonly<Resolution> {
  readonly agent: string
  readonly timestamp: string
}

/** What the readable commits of an intent say about it. */
export interface IntentOrigin {
  /** That of its first commit; undefined when it has none. */
  readonly description: string | undefined
  /** The principal of that commit. */
  readonly principal: string | undefined
  readonly parent: IntentLink | undefined
}

/** The parent of an intent, and the entry that named it first. */
export interface IntentLink {
  readonly id: string
  readonly seq: number
}

/** What the reader may know of intents. */
export interface IntentLookup {
  origin(id: string): Work<IntentOrigin>
  /**
   * Those of an intent with a readable record, or without a record and with a readable commit of another; else only own ones.
   * A commit of one's own does not count: it can name any intent.
   */
  resolutions(id: string): Work<readonly ResolvedIntent[]>
  /** Its record, when that is readable. */
  delegated(id: string): Work<IntentRecord | undefined>
}

/** Where entries about intents are listed. */
interface IntentEntries {
  /** Some entries of commits of an intent after another entry, oldest first; none when there are no more. */
  commits(id: string, after: number): Work<readonly number[]>
  resolutions(id: string): Work<readonly number[]>
  /** Whether an entry names a parent of the intent, other than itself. */
  hasParent(id: string): Work<boolean>
}

export function* intentLookup(handle: Handle): Work<IntentLookup> {
  const { seq: newest } = yield* ask(log => log.head())
  const entries = (yield* indexUntil(handle, newest)) ? indexedEntries(newest) : yield* scannedEntries(newest)
  const access = yield* currentAccess(handle)
  const scope = yield* readScopeOf(handle)
  const origins = new Map<string, IntentOrigin>()
  function* origin(id: string): Work<IntentOrigin> {
    const known = origins.get(id) ?? (yield* originOf(handle, entries, id))
    origins.set(id, known)
    return known
  }
  function* recordOf(id: string): Work<IntentRecord | undefined> {
    return access && (yield* accessValue<IntentRecord>(access, ['intents', id]))
  }
  function* delegated(id: string): Work<IntentRecord | undefined> {
    const record = yield* recordOf(id)
    return record !== undefined && (yield* isReadableIntent(handle, access!, record)) ? record : undefined
  }
  function* isKnown(id: string): Work<boolean> {
    if (scope === undefined || scope.isWhole) return true
    if ((yield* recordOf(id)) !== undefined) return (yield* delegated(id)) !== undefined
    const { description, principal } = yield* origin(id)
    return description !== undefined && principal !== scope.principal
  }
  return {
    origin,
    delegated,
    *resolutions(id): Work<readonly ResolvedIntent[]> {
      const found: ResolvedIntent[] = []
      for (const seq of yield* entries.resolutions(id)) found.push(resolutionIn(yield* readEntry(seq)))
      return (yield* isKnown(id)) ? found : found.filter(({ agent }) => agent === scope!.principal)
    },
  }
}

/** The readable intents that were proposed or delegated. */
export function* delegatedIntents(handle: Handle): Work<readonly IntentRecord[]> {
  const access = yield* currentAccess(handle)
  if (access === undefined) return []
  const records = yield* accessValue<Readonly<Record<string, IntentRecord>>>(access, ['intents'])
  const readable: IntentRecord[] = []
  for (const record of Object.values(records ?? {})) {
    yield pausePoint
    if (yield* isReadableIntent(handle, access, record)) readable.push(record)
  }
  return readable
}

function* originOf(handle: Handle, entries: IntentEntries, id: string): Work<IntentOrigin> {
  let description: string | undefined
  let hasParent: boolean | undefined
  let principal: string | undefined
  let seqs = yield* entries.commits(id, 0)
  while (seqs.length > 0) {
    for (const seq of seqs) {
      yield pausePoint
      const record = yield* readableCommit(handle, seq)
      if (record === undefined) continue
      if (description === undefined) principal = record.principal
      description ??= record.intent.description
      const { parent } = record.intent
      if (parent !== undefined && parent !== id) return { description, principal, parent: { id: parent, seq } }
      hasParent ??= yield* entries.hasParent(id)
      if (!hasParent) return { description, principal, parent: undefined }
    }
    seqs = yield* entries.commits(id, seqs.at(-1)!)
  }
  return { description, principal, parent: undefined }
}

function* readableCommit(handle: Handle, seq: number): Work<CommitRecord | undefined> {
  const commit = yield* findKept(handle.journal, seq)
  if (commit === undefined || !isLanded(commit.entry)) return undefined
  const view = yield* branchScopeOfCommit(handle, commit)
  return (yield* isReadableCommit(handle.journal, commit, view)) ? commit.record : undefined
}

const COMMITS_AT_ONCE = 8

function indexedEntries(newest: number): IntentEntries {
  const known = new Map<string, readonly string[]>()
  function* said(id: string, word: 'first' | 'parent' | 'resolved'): Work<readonly string[]> {
    const names = known.get(id) ?? (yield* ask(log => log.index!.counts([groups.intent(id)]))).map(({ name }) => name)
    known.set(id, names)
    return saidOfIntent(names, word)
  }
  function* seqsOf(id: string, word: 'first' | 'resolved'): Work<readonly number[]> {
    return (yield* said(id, word)).map(Number).sort((a, b) => a - b)
  }
  return {
    *commits(id, after): Work<readonly number[]> {
      // Nearly always the first commit of an intent says all.
      if (after === 0) return yield* seqsOf(id, 'first')
      const range = { from: after + 1, to: newest, order: 'oldest' as const, limit: COMMITS_AT_ONCE }
      return (yield* ask(log => log.index!.search({ ...range, all: [[intentTerm(id)]], none: [] }))).seqs
    },
    resolutions: id => seqsOf(id, 'resolved'),
    *hasParent(id): Work<boolean> {
      return (yield* said(id, 'parent')).some(parent => parent !== id)
    },
  }
}

function* scannedEntries(newest: number): Work<IntentEntries> {
  const commits = new Map<string, number[]>()
  const resolutions = new Map<string, number[]>()
  const children = new Set<string>()
  const add = (lists: Map<string, number[]>, id: string, seq: number): void => {
    const list = lists.get(id)
    if (list === undefined) lists.set(id, [seq])
    else list.push(seq)
  }
  yield* scanEntries(1, newest, ['text', 'commit'], ({ seq, record, row }) => {
    if (record.kind === 'resolve') add(resolutions, bodyOf(record, 'resolve').intent, seq)
    if (row.commit === undefined) return
    const { id, parent } = parseCommit(row.commit.text).intent
    add(commits, id, seq)
    if (parent !== undefined && parent !== id) children.add(id)
  })
  return {
    commits: (id, after) => ask(() => (after === 0 ? (commits.get(id) ?? []) : [])),
    resolutions: id => ask(() => resolutions.get(id) ?? []),
    hasParent: id => ask(() => children.has(id)),
  }
}

function resolutionIn({ record }: JournalEntry): ResolvedIntent {
  const { outcome, summary, deviations = [] } = bodyOf(record, 'resolve')
  const timestamp = new Date(record.time).toISOString()
  return { outcome, summary, deviations, agent: record.agent, timestamp }
}
