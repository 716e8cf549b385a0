/** Commits as the API returns them. */

import { hexOfId, type Stored } from '../../core/index.ts'
import type { Journal, StoredCommit, Work } from '../../store/index.ts'
import { findEntry, valueOfChild } from '../../tree/index.ts'
import {
  type Approval,
  type Category,
  type Detail,
  type Expectation,
  readDetail,
  type StoredAlternative,
  type ToolCall,
} from '../records/info.ts'
import type { SchemaWarning } from '../records/violation.ts'

/** A commit as callers see it: who, when, why, and what it came from. */
export interface Commit {
  readonly id: string
  readonly seq: number
  readonly parents: readonly string[]
  /** The id of the state. */
  readonly root: string
  readonly timestamp: string
  readonly agent: string
  readonly principal?: string
  readonly authority: readonly string[]
  readonly session?: string
  readonly intent: {
    readonly id: string
    readonly parent?: string
    readonly category: Category
    readonly description: string
    readonly tags: readonly string[]
  }
  readonly reasoning?: string
  readonly confidence?: number
  readonly alternatives: readonly { readonly label: string; readonly whyNot?: string; readonly root?: string }[]
  readonly expects: readonly Expectation[]
  readonly tools: readonly ToolCall[]
  /** What else goes with it, by name. */
  readonly attached?: Readonly<Record<string, unknown>>
  readonly trace?: string
  /** The id of the schemas in force, when there are any. */
  readonly schema?: string
  /** What breaks a schema that only warns, among what this commit changed. */
  readonly warnings?: readonly SchemaWarning[]
  /** Who approved it, where it was a proposal. */
  readonly approval?: Approval
}

/** What a write gives back: the commit that holds it, which is the old head when nothing changed. */
export interface Written extends Commit {
  readonly changed: boolean
  /** The signed head whose last entry is this commit's, when the repository was opened with `receipts`. */
  readonly receipt?: string
}

type Building<T> = { -readonly [K in keyof T]: T[K] }

/** The part of a stored commit that is returned. Without its pack there is no detail. */
type CommitSource = Pick<StoredCommit, 'seq' | 'id' | 'record'> & Partial<Pick<StoredCommit, 'detail'>>

/** The commit with its detail. Every write and listing makes these, so fields are set one by one for speed. */
export function* commitFrom(journal: Journal, stored: CommitSource): Work<Commit> {
  const detail = stored.detail === undefined ? undefined : yield* detailOf(journal, { detail: stored.detail })
  const { record } = stored
  const intent: Building<Commit['intent']> = {
    id: record.intent.id,
    category: record.intent.category,
    description: record.intent.description,
    // A copy, because the record is cached.
    tags: [...(record.intent.tags ?? [])],
  }
  if (record.intent.parent !== undefined) intent.parent = record.intent.parent
  const commit: Building<Commit> = {
    id: hexOfId(stored.id),
    seq: stored.seq,
    parents: record.parents.map(hexOfId),
    root: hexOfId(record.tree),
    timestamp: new Date(record.time).toISOString(),
    agent: record.agent,
    authority: [...(record.authority ?? [])],
    intent,
    alternatives: (detail?.alternatives ?? []).map(alternativeFrom),
    expects: detail?.expects ?? [],
    tools: detail?.tools ?? [],
  }
  const reasoning = record.reasoning ?? detail?.reasoning
  if (reasoning !== undefined) commit.reasoning = reasoning
  if (record.confidence !== undefined) commit.confidence = record.confidence / 1_000_000
  if (record.principal !== undefined) commit.principal = record.principal
  if (record.session !== undefined) commit.session = record.session
  if (record.trace !== undefined) commit.trace = record.trace
  if (record.schema !== undefined) commit.schema = hexOfId(record.schema)
  const attached = detail?.attached
  if (attached !== undefined) commit.attached = attached
  if (detail?.warnings !== undefined) commit.warnings = detail.warnings
  if (detail?.approval !== undefined) commit.approval = detail.approval
  return commit
}

function alternativeFrom({ label, whyNot, root }: StoredAlternative): Commit['alternatives'][number] {
  const alternative: Building<Commit['alternatives'][number]> = { label }
  if (whyNot !== undefined) alternative.whyNot = whyNot
  if (root !== undefined) alternative.root = root
  return alternative
}

/** The detail fields of a commit. Other fields belong to the layers that wrote them, and may be long. */
const detailFields: readonly (keyof Detail)[] = [
  'reasoning',
  'alternatives',
  'expects',
  'tools',
  'attached',
  'warnings',
  'approval',
]

export function* detailOf({ context }: Journal, { detail }: Pick<StoredCommit, 'detail'>): Work<Detail> {
  if (detail === undefined) return {}
  const known: { [field: string]: Stored } = {}
  for (const field of detailFields) {
    const entry = yield* findEntry(context, detail, [field])
    if (entry !== undefined) known[field] = yield* valueOfChild(context, entry.child)
  }
  return readDetail(context, known)
}

export function* writtenFrom(journal: Journal, stored: StoredCommit, changed: boolean): Work<Written> {
  return Object.assign(yield* commitFrom(journal, stored), { changed })
}
