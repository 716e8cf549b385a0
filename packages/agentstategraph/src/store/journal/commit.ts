/**
 * Commits and their texts. The id of a commit is the hash of its text.
 *
 * The numbers in a text are integers: confidence is in millionths, and time is 24 characters of ISO 8601. Absent and empty
 * fields are left out. Ids are base64url.
 */

import { canonicalText, coreError, hashText, quote, type Stored } from '../../core/index.ts'
import type { Link } from '../../tree/index.ts'
import { storeError } from '../errors.ts'
import { type EntryRecord, isoTime, limited } from './entry.ts'

export interface Intent {
  readonly id: string
  readonly parent?: string | undefined
  readonly category: string
  readonly description: string
  readonly tags?: readonly string[] | undefined
}

/** The fields of a commit other than its trees, parents and time. */
export interface CommitInfo {
  readonly agent: string
  readonly intent: Intent
  readonly principal?: string | undefined
  /** In a delegated session: the principals from the one that delegated first to `principal`. */
  readonly actors?: readonly string[] | undefined
  /** The grants this was done under, root first. */
  readonly authority?: readonly string[] | undefined
  readonly session?: string | undefined
  readonly reasoning?: string | undefined
  /** Millionths, 0 to 1,000,000. */
  readonly confidence?: number | undefined
  readonly schema?: string | undefined
  readonly trace?: string | undefined
  readonly merge?: Stored | undefined
}

export interface CommitRecord extends CommitInfo {
  /** The roots of the state and of the system tree beside it. */
  readonly tree: string
  readonly system: string
  readonly parents: readonly string[]
  /** The commits that were landed as this one. */
  readonly drafts?: readonly string[] | undefined
  /** Alternatives, expectations, tool calls, read paths, long texts: the root of one more tree. */
  readonly detail?: string | undefined
  /** Milliseconds since 1970. */
  readonly time: number
  /** Random text, so that the id does not let anybody test guesses of a state. */
  readonly salt: string
}

/** A commit in a journal, with its entry and links to the roots of its trees. */
export interface StoredCommit {
  readonly seq: number
  /** The commit's id in base64url. */
  readonly id: string
  readonly record: CommitRecord
  readonly entry: EntryRecord
  /** The entries of the parents, in the order in which the record names them. */
  readonly parents: readonly number[]
  readonly tree: Link
  readonly system: Link
  readonly detail: Link | undefined
}

const VERSION = 2

/** The text of a commit, with its fields in canonical order. */
export function commitText(record: CommitRecord): string {
  const { confidence, intent } = record
  if (confidence !== undefined && !(Number.isInteger(confidence) && confidence >= 0 && confidence <= 1_000_000)) {
    throw coreError('option-invalid', { field: 'confidence', reason: 'it is not between 0 and 1' })
  }
  const actors = list('actors', record.actors)
  const text = [
    actors === '' ? '{' : `{${actors.slice(1)},`,
    `"agent":${quote(record.agent)}`,
    list('authority', record.authority),
    confidence === undefined ? '' : `,"confidence":${confidence}`,
    word('detail', record.detail),
    list('drafts', record.drafts),
    `,"intent":${intentText(intent)}`,
    record.merge === undefined ? '' : `,"merge":${canonicalText(record.merge)}`,
    `,"parents":${canonicalText(record.parents)}`,
    word('principal', record.principal),
    word('reasoning', record.reasoning),
    word('salt', record.salt),
    word('schema', record.schema),
    word('session', record.session),
    `,"system":"${record.system}","time":"${isoTime(record.time)}"`,
    word('trace', record.trace),
    `,"tree":"${record.tree}","v":${VERSION}}`,
  ]
  return limited('text', text.join(''))
}

function intentText({ category, description, id, parent, tags }: Intent): string {
  const head = `{"category":${quote(category)},"description":${quote(description)},"id":${quote(id)}`
  return `${head}${word('parent', parent)}${list('tags', tags)}}`
}

function word(name: string, value: string | undefined): string {
  return value === undefined ? '' : `,"${name}":${quote(value)}`
}

function list(name: string, values: readonly string[] | undefined): string {
  return values === undefined || values.length === 0 ? '' : `,"${name}":[${values.map(quote).join(',')}]`
}

/** The id of a commit text. */
export function commitId(text: string): string {
  return hashText(text)
}

export function parseCommit(text: string): CommitRecord {
  const fields = JSON.parse(text) as Omit<CommitRecord, 'time'> & { readonly v: number; readonly time: string }
  if (fields.v !== VERSION) throw storeError('format-unsupported', { found: fields.v, supported: VERSION })
  // Field by field: leaving `v` out with a rest pattern takes longer than parsing the text.
  return {
    agent: fields.agent,
    intent: fields.intent,
    principal: fields.principal,
    actors: fields.actors,
    authority: fields.authority,
    session: fields.session,
    reasoning: fields.reasoning,
    confidence: fields.confidence,
    schema: fields.schema,
    trace: fields.trace,
    merge: fields.merge,
    tree: fields.tree,
    system: fields.system,
    parents: fields.parents,
    drafts: fields.drafts,
    detail: fields.detail,
    time: Date.parse(fields.time),
    salt: fields.salt,
  }
}

const RECENT_COMMITS = 256

/** Caches a commit that was read or written, because heads are read again and again. */
export function remember({ recent }: { readonly recent: Map<number, StoredCommit> }, commit: StoredCommit): void {
  recent.delete(commit.seq)
  recent.set(commit.seq, commit)
  if (recent.size > RECENT_COMMITS) recent.delete(recent.keys().next().value!)
}
