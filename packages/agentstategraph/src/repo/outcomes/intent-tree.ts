/**
 * Intents as a tree: what was wanted, what was done for it, and how it ended.
 *
 * Each intent is there once, below the first one that it named as its parent, so that what came of a request can be read
 * from the top. A link that would close a circle is left out.
 */

import { appendAll } from '../../core/index.ts'
import { ask, type JournalEntry, readEntries, type Work } from '../../store/index.ts'
import { accessValue, currentAccess } from '../access/access-state.ts'
import type { Handle } from '../handle.ts'
import { indexUntil } from '../query/index-build.ts'
import { resolvedTerm } from '../query/index-terms.ts'
import { query } from '../query/query.ts'
import { bodyOf } from '../records/entry-bodies.ts'
import type { Resolution } from '../records/observation.ts'
import type { IntentRecord, IntentStatus } from '../records/session-record.ts'
import { type Commit, commitFrom } from '../visibility/commit.ts'
import { branchScopeOfCommit } from '../visibility/names-of-commit.ts'
import { readScopeOf } from '../visibility/read-scope.ts'
import { redactCommit } from '../visibility/redact-commit.ts'

/** A recorded resolution of an intent, with its agent and time. */
export interface ResolvedIntent extends Readonly<Resolution> {
  readonly agent: string
  readonly timestamp: string
}

/** An intent with its commits and the intents below it. */
export interface IntentNode {
  readonly id: string
  /** What its first commit says; absent when it was only named as a parent or resolved. */
  readonly description?: string
  /** Where it is, when it was proposed or delegated. */
  readonly status?: IntentStatus
  /** The session that works on it, or did last, and its agent. */
  readonly session?: string
  readonly agent?: string
  /** Oldest first. */
  readonly commits: readonly Commit[]
  readonly resolutions: readonly ResolvedIntent[]
  readonly children: readonly IntentNode[]
}

/** A node in the making. */
interface Draft {
  readonly id: string
  description?: string
  status?: IntentStatus
  session?: string
  agent?: string
  readonly commits: Commit[]
  readonly resolutions: ResolvedIntent[]
  readonly children: Draft[]
}

/** The intent asked for with all below it, or every intent that is below no other. */
export function* intentTree(handle: Handle, intent?: string): Work<readonly IntentNode[]> {
  const nodes = new Map<string, Draft>()
  const parents = new Map<string, string>()
  if (intent !== undefined) nodeOf(nodes, intent)
  const commits = yield* query(handle, intent === undefined ? { order: 'oldest' } : { intent, order: 'oldest' })
  for (let stored = yield* commits.next(); stored !== undefined; stored = yield* commits.next()) {
    const view = yield* branchScopeOfCommit(handle, stored)
    const commit = redactCommit(yield* commitFrom(handle.journal, stored), view)
    const node = nodeOf(nodes, commit.intent.id)
    node.description ??= commit.intent.description
    node.commits.push(commit)
    if (commit.intent.id !== intent) addLink(nodes, parents, commit.intent.id, commit.intent.parent)
  }
  yield* addDelegated(handle, nodes, parents, intent)
  // Under a read scope, only intents with a readable commit, or with a part of the principal, are shown.
  const isWhole = (yield* readScopeOf(handle))?.isWhole !== false
  for (const entry of yield* resolveEntries(handle)) {
    const { id, resolution } = resolutionIn(entry)
    if ((intent === undefined && isWhole) || nodes.has(id)) nodeOf(nodes, id).resolutions.push(resolution)
  }
  return intent === undefined ? [...nodes.values()].filter(({ id }) => !parents.has(id)) : [nodes.get(intent)!]
}

/** Adds what is known of intents that were delegated: also of those for which nothing was committed yet. */
function* addDelegated(
  handle: Handle,
  nodes: Map<string, Draft>,
  parents: Map<string, string>,
  root: string | undefined,
): Work<void> {
  const state = yield* currentAccess(handle)
  if (state === undefined) return
  const records = yield* accessValue<Readonly<Record<string, IntentRecord>>>(state, ['intents'])
  const delegated = new Map(Object.values(records ?? {}).map(record => [record.id, record]))
  const scope = yield* readScopeOf(handle)
  const isWhole = scope === undefined || scope.isWhole
  for (const { id, parent, description, status, session, agent, by } of delegated.values()) {
    const isLinked = nodes.has(id) || isBelow(delegated, id, nodes)
    if (!isLinked && (root !== undefined || !(isWhole || by === scope!.principal || agent === scope!.principal)))
      continue
    const node = nodeOf(nodes, id)
    if (description !== undefined) node.description = description
    node.status = status
    if (session !== undefined) node.session = session
    if (agent !== undefined) node.agent = agent
    if (id !== root) addLink(nodes, parents, id, parent)
  }
}

/** Whether an intent was delegated from one that is in the tree. */
function isBelow(delegated: ReadonlyMap<string, IntentRecord>, id: string, nodes: ReadonlyMap<string, Draft>): boolean {
  const seen = new Set<string>()
  for (let at = delegated.get(id)?.parent; at !== undefined && !seen.has(at); at = delegated.get(at)?.parent) {
    if (nodes.has(at)) return true
    seen.add(at)
  }
  return false
}

function nodeOf(nodes: Map<string, Draft>, id: string): Draft {
  const found = nodes.get(id)
  if (found !== undefined) return found
  const made: Draft = { id, commits: [], resolutions: [], children: [] }
  nodes.set(id, made)
  return made
}

function addLink(
  nodes: Map<string, Draft>,
  parents: Map<string, string>,
  id: string,
  parent: string | undefined,
): void {
  if (parent === undefined || parents.has(id)) return
  for (let above: string | undefined = parent; above !== undefined; above = parents.get(above)) if (above === id) return
  parents.set(id, parent)
  nodeOf(nodes, parent).children.push(nodeOf(nodes, id))
}

const SCANNED_ENTRIES = 256

function* resolveEntries(handle: Handle): Work<readonly JournalEntry[]> {
  const { seq: newest } = yield* ask(log => log.head())
  const found: JournalEntry[] = []
  if (yield* indexUntil(handle, newest)) {
    const range = { from: 1, to: newest, order: 'oldest' as const, limit: newest }
    const { seqs } = yield* ask(log => log.index!.search({ ...range, all: [[resolvedTerm]], none: [] }))
    for (const seq of seqs) appendAll(found, yield* readEntries(seq, seq, ['text']))
    return found
  }
  for (let from = 1; from <= newest; from += SCANNED_ENTRIES) {
    const entries = yield* readEntries(from, Math.min(newest, from + SCANNED_ENTRIES - 1), ['text'])
    appendAll(
      found,
      entries.filter(({ record }) => record.kind === 'resolve'),
    )
  }
  return found
}

function resolutionIn({ record }: JournalEntry): { readonly id: string; readonly resolution: ResolvedIntent } {
  const { intent, outcome, summary, deviations = [] } = bodyOf(record, 'resolve')
  const timestamp = new Date(record.time).toISOString()
  return { id: intent, resolution: { outcome, summary, deviations, agent: record.agent, timestamp } }
}
