/**
 * Commits as the API returns them.
 *
 * Every commit that leaves the library is made here, for a reader: under a read scope it has the fields that are listed in
 * `readablePart`, and no others. Whether the commit is readable at all is decided before, by `isReadableCommit`.
 */

import { hexOfId, isStateError, parseKnownPath, type Stored } from '../../core/index.ts'
import { isoTime, type Journal, type StoredCommit, type Work } from '../../store/index.ts'
import { findEntry, valueOfChild } from '../../tree/index.ts'
import type { Handle } from '../handle.ts'
import { findKept } from '../records/find-kept.ts'
import {
  type AnsweredQuestion,
  type Approval,
  type Category,
  type Detail,
  type Expectation,
  readDetail,
  type StoredAlternative,
  type ToolCall,
} from '../records/info.ts'
import type { SchemaWarning } from '../records/violation.ts'
import { metaKey } from '../state/meta.ts'
import { type BranchScope, branchScopeOf, nothingReadable } from './read-scope.ts'
import { isReadableCommit } from './readable-commit.ts'
import { findShownHead } from './shown-head.ts'

/** A commit as callers see it: who, when, why, and what it came from. */
export interface Commit {
  readonly id: string
  readonly seq: number
  readonly parents: readonly string[]
  /** The id of the state; absent for those who may not read all of it, because a hash confirms a guess of what it hides. */
  readonly root?: string
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
  /** The id of the schemas in force, when there are any and they may be read. */
  readonly schema?: string
  /** What breaks a schema that only warns, among what this commit changed. */
  readonly warnings?: readonly SchemaWarning[]
  /** Who approved it, where it was a proposal. */
  readonly approval?: Approval
  /** Of a step of a graph: the questions that it waited for, who answered them, and why. */
  readonly answers?: readonly AnsweredQuestion[]
}

/** What a write gives back: the commit that holds it, which is the old head when nothing changed. */
export interface Written extends Commit {
  readonly changed: boolean
  /** The signed head whose last entry is this commit's, when the repository was opened with `receipts`. */
  readonly receipt?: string
}

type Building<T> = { -readonly [K in keyof T]: T[K] }

/** The part of a stored commit that is returned. Without its pack there is no detail. */
type CommitSource = Pick<StoredCommit, 'seq' | 'id' | 'record'> & Partial<Pick<StoredCommit, 'detail' | 'parents'>>

/** A commit for a reader: everything without a scope, else what the scope allows. */
export function* commitFrom(
  journal: Journal,
  stored: CommitSource,
  scope: BranchScope | undefined,
  isOwn = false,
): Work<Commit> {
  const commit = yield* wholeCommit(journal, stored)
  if (scope === undefined || scope.isWhole) return commit
  const parents = yield* readableParents(journal, stored, scope)
  return { ...readablePart(commit, scope, isOwn), parents: parents.map(({ id }) => hexOfId(id)) }
}

/** The parents of a commit that are readable. A parent is read under the names that its child is read under. */
export function* readableParents(
  journal: Journal,
  { parents = [], record }: Pick<CommitSource, 'parents' | 'record'>,
  scope: BranchScope | undefined,
): Work<readonly Pick<StoredCommit, 'seq' | 'id'>[]> {
  const all = parents.map((seq, i) => ({ seq, id: record.parents[i]! }))
  if (scope === undefined || scope.isWhole) return all
  const readable: typeof all = []
  for (const parent of all) {
    const commit = yield* findKept(journal, parent.seq)
    if (commit !== undefined && (yield* isReadableCommit(journal, commit, scope))) readable.push(parent)
  }
  return readable
}

/** The commit with its detail. Every write and listing makes these, so fields are set one by one for speed. */
function* wholeCommit(journal: Journal, stored: CommitSource): Work<Commit> {
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
    timestamp: isoTime(record.time),
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
  const answers = detail?.answers
  if (answers !== undefined) commit.answers = answers
  return commit
}

/**
 * What a limited reader sees of a commit that is readable, or its own. What was said of the commit is one text and shown whole;
 * what belongs to places is shown for readable places, and what belongs to the whole state to those who may read that.
 */
function readablePart(commit: Commit, scope: BranchScope, isOwn: boolean): Omit<Commit, 'parents'> {
  const isStateReadable = scope.readability([]) === 'all'
  const isShown = ({ path }: { readonly path: string }): boolean =>
    isOwn || scope.readability(parseKnownPath(path)) === 'all'
  const { reasoning, confidence, principal, session, trace, approval, warnings, root, attached, schema, answers } =
    commit
  return {
    id: commit.id,
    seq: commit.seq,
    ...(isStateReadable ? defined({ root }) : {}),
    timestamp: commit.timestamp,
    agent: commit.agent,
    authority: commit.authority,
    intent: commit.intent,
    alternatives: isStateReadable ? commit.alternatives : commit.alternatives.map(({ root: _, ...said }) => said),
    expects: commit.expects.filter(isShown),
    tools: isOwn || isStateReadable ? commit.tools : commit.tools.map(({ args: _, result: __, ...call }) => call),
    ...defined({ reasoning, confidence, principal, session, trace, approval }),
    ...(isOwn || isStateReadable ? defined({ attached }) : {}),
    ...defined({ answers: isOwn || isStateReadable ? answers : answers?.map(withoutContent) }),
    ...(scope.readability([metaKey]) === 'all' ? defined({ schema }) : {}),
    ...defined({ warnings: warnings?.filter(isShown) }),
  }
}

/** Question and answer may hold any part of the state. */
function withoutContent({ question: _, value: __, ...said }: AnsweredQuestion): AnsweredQuestion {
  return said
}

/** In place of a commit that is not readable: of an own one that it exists, of others nothing but the time of the answer. */
export function unreadableCommit(journal: Journal, own: CommitSource | undefined): Commit {
  return {
    id: own === undefined ? '' : hexOfId(own.id),
    seq: own?.seq ?? 0,
    parents: [],
    timestamp: new Date(own?.record.time ?? journal.now()).toISOString(),
    agent: '',
    authority: [],
    intent: { id: '', category: 'Refine', description: '', tags: [] },
    alternatives: [],
    expects: [],
    tools: [],
  }
}

/** The fields that have a value. */
function defined<T extends object>(fields: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never
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
  'answers',
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

/** The answer to a write that ended with this commit on the branch of the handle: the head as the writer knows it. */
export function* writtenFrom(handle: Handle, stored: StoredCommit, changed: boolean): Work<Written> {
  const { journal, identity } = handle
  if (identity === undefined) {
    const written = (yield* wholeCommit(journal, stored)) as Building<Written>
    written.changed = changed
    return written
  }
  const isOwn = stored.record.principal === identity.principal
  const scope = isOwn ? yield* scopeOfOwn(handle) : yield* branchScopeOf(handle)
  const shown = isOwn ? stored : yield* findShownHead(handle, stored, scope)
  const commit = shown ? yield* commitFrom(journal, shown, scope, isOwn) : unreadableCommit(journal, undefined)
  return { ...commit, changed }
}

/** An own commit is answered even when its principal lost its rights after it landed. */
function* scopeOfOwn(handle: Handle): Work<BranchScope | undefined> {
  try {
    return yield* branchScopeOf(handle)
  } catch (error) {
    if (!isStateError(error)) throw error
    return nothingReadable
  }
}
