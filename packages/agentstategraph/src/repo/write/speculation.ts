/**
 * Speculations: private copies of a branch, as the journal has them.
 *
 * Making one adds an entry that says where it began, and a ref `draft/<id>` to that entry: nothing of the state or the
 * history is looked at. What is written in it are commits on that ref, whose entries repeat where it began. So the ref
 * alone is enough for any process to go on with it. How it is written, landed and compared is told elsewhere.
 */

import { coreError, hexOfId, lastMoment } from '../../core/index.ts'
import {
  ask,
  type EntryRecord,
  pausePoint,
  type Recorded,
  readCommit,
  readEntries,
  readEntriesAt,
  readEntry,
  type StoredCommit,
  type Work,
} from '../../store/index.ts'
import { repoError } from '../errors.ts'
import type { Handle } from '../handle.ts'
import type { AccessRequest } from '../records/capability.ts'
import { findBody, type SpeculationBody, type SpeculationEnd } from '../records/entry-bodies.ts'
import { checkedText, type SpeculationRef } from '../records/info.ts'
import { draftPrefix, findRef, listRefs } from '../records/ref-names.ts'
import { readScopeOf } from '../visibility/read-scope.ts'
import { findShownId } from '../visibility/shown-head.ts'
import { recordEntries } from './record-entries.ts'
import { atHead } from './refs.ts'

/** A speculation as listings show it. */
export interface SpeculationInfo {
  readonly id: string
  readonly label?: string
  /** The commit it began at; absent for those who may not read that. */
  readonly base?: string
  readonly branchName: string
  readonly expires?: string
}

/** Why a speculation is no longer open. */
export interface OpenSpeculation {
  readonly id: string
  readonly body: SpeculationBody
  /** The entry that its ref points to. */
  readonly at: number
  readonly base: StoredCommit
  /** The last commit made in it, and before the first its base. */
  readonly head: StoredCommit
}

const MAX_LABEL_BYTES = 256
const SCANNED_ENTRIES = 256
/** How far back the end of a speculation is looked for. */
const MAX_SCANNED_ENTRIES = 4096

export function draftRef(id: string): string {
  return draftPrefix + id
}

export function idOfSpeculation(speculation: SpeculationRef): string {
  return typeof speculation === 'string' ? speculation : speculation.id
}

/** A speculation for a reader. */
export function* speculationInfo(
  handle: Handle,
  open: Pick<OpenSpeculation, 'id' | 'body' | 'base'>,
): Work<SpeculationInfo> {
  const view = (yield* readScopeOf(handle))?.on([open.body.branch])
  return infoOf(open, yield* findShownId(handle, open.base, view))
}

function infoOf({ id, body }: Pick<OpenSpeculation, 'id' | 'body'>, base: string | undefined): SpeculationInfo {
  return {
    id,
    ...(body.label === undefined ? {} : { label: body.label }),
    ...(base === undefined ? {} : { base }),
    branchName: body.branch,
    ...(body.expires === undefined ? {} : { expires: body.expires }),
  }
}

/** Begins a speculation where the handle's branch is. */
export function* speculate(
  handle: Handle,
  options: { readonly label?: string | undefined; readonly ttlMs?: number | undefined },
): Work<OpenSpeculation> {
  const { journal, who, branch } = handle
  const label = checkedText('label', options.label, MAX_LABEL_BYTES)
  const expires = expiryOf(journal.now(), options.ttlMs)
  const id = journal.ids()
  return yield* atHead(handle, function* (base, guard): Work<OpenSpeculation | undefined> {
    const body: SpeculationBody = {
      ...(label === undefined ? {} : { label }),
      base: base.seq,
      branch,
      ...(expires === undefined ? {} : { expires }),
    }
    const record = { kind: 'ref', agent: who.agent, body: { speculation: body } }
    const outcome = yield* recordEntries(handle, [{ capability: 'commit', branch }], [record], {
      moves: [{ name: draftRef(id), expect: null, to: { entry: 0 } }, guard],
      needs: [base.seq],
    })
    if (outcome.kind === 'done') return { id, body, at: outcome.first, base, head: base }
    if (outcome.kind === 'moved' && outcome.name === guard.name) return undefined
    throw repoError('ref-exists', { ref: draftRef(id) })
  })
}

/** The open speculation of an id, or an error that says how it ended. */
export function* getSpeculation(handle: Handle, id: string): Work<OpenSpeculation> {
  const open = yield* readSpeculation(handle, id)
  if (open === undefined) throw repoError('speculation-gone', { id, status: yield* endOf(handle, id) })
  if (!isExpired(handle, open)) return open
  yield* dropExpired(handle, open)
  throw repoError('speculation-gone', { id, status: 'expired' })
}

/** The same for an id from a caller: a speculation of an unreadable branch is reported like one that does not exist. */
export function* getKnownSpeculation(handle: Handle, id: string): Work<OpenSpeculation> {
  const open = yield* getSpeculation(handle, id)
  if (yield* isKnownSpeculation(handle, open)) return open
  throw repoError('speculation-gone', { id, status: 'discarded' })
}

function* isKnownSpeculation(handle: Handle, { body }: Pick<OpenSpeculation, 'body'>): Work<boolean> {
  return (yield* readScopeOf(handle))?.on([body.branch]).isBlank !== true
}

/** Open speculations, in the order of their ids, and the last id that was looked at. */
export interface SpeculationRange {
  readonly found: readonly SpeculationInfo[]
  /** Undefined when there are no more. */
  readonly next: string | undefined
}

/** Those of the next `count` speculations after an id that are open and may be known. */
export function* listSpeculations(handle: Handle, after: string, count: number): Work<SpeculationRange> {
  const scope = yield* readScopeOf(handle)
  const cells = yield* listRefs(draftPrefix, { after: draftPrefix + after, limit: count })
  const entries = yield* readEntriesAt(cells.map(({ seq }) => seq))
  const drafts = cells.flatMap(({ name, seq: at }) => {
    const body = speculationIn(entries.get(at)!.record)
    return body === undefined ? [] : { id: name.slice(draftPrefix.length), at, body }
  })
  const bases = scope === undefined ? yield* readEntriesAt(drafts.map(({ body }) => body.base)) : undefined
  const found: SpeculationInfo[] = []
  for (const draft of drafts) {
    if (isExpired(handle, draft)) yield* dropExpired(handle, draft)
    else if (scope?.on([draft.body.branch]).isBlank !== true)
      found.push(
        bases === undefined
          ? yield* speculationInfo(handle, { ...draft, base: yield* readCommit(handle.journal, draft.body.base) })
          : infoOf(draft, hexOfId(bases.get(draft.body.base)!.record.commit!)),
      )
  }
  return { found, next: cells.length === count ? cells.at(-1)!.name.slice(draftPrefix.length) : undefined }
}

/** Discards an open speculation. With `at`, where its ref was last seen, nothing is read while the ref is still there. */
export function* discardSpeculation(handle: Handle, id: string, at?: number | undefined): Work<void> {
  if (at !== undefined && (yield* dropSpeculationAt(handle, id, at, 'discarded'))) return
  const { body } = yield* getSpeculation(handle, id)
  if (yield* dropSpeculation({ ...handle, branch: body.branch }, id, 'discarded')) return
  throw repoError('speculation-gone', { id, status: yield* endOf(handle, id) })
}

/** Deletes the ref of a speculation, wherever it is by now; false when there was none. */
export function* dropSpeculation(
  handle: Handle,
  id: string,
  status: SpeculationEnd,
  lastSeen?: number | undefined,
): Work<boolean> {
  for (let known = lastSeen; ; known = undefined) {
    const at = known ?? (yield* findRef(draftRef(id)))
    if (at === null) return false
    if (yield* dropSpeculationAt(handle, id, at, status)) return true
  }
}

/** Deletes the ref if it has not moved meanwhile. The entry says how the speculation ended. */
export function* dropSpeculationAt(
  handle: Handle,
  id: string,
  at: number,
  status: SpeculationEnd,
  asked?: readonly AccessRequest[],
): Work<boolean> {
  return (yield* appendEnd(handle, id, at, status, asked)).kind === 'done'
}

export function* appendEnd(
  handle: Handle,
  id: string,
  at: number,
  status: SpeculationEnd,
  asked: readonly AccessRequest[] = [{ capability: 'commit', branch: handle.branch }],
): Work<Recorded> {
  const { who } = handle
  const record = { kind: 'ref', agent: who.agent, body: { speculation: { status } } }
  return yield* recordEntries(handle, asked, [record], { moves: [{ name: draftRef(id), expect: at, to: null }] })
}

function* readSpeculation({ journal }: Handle, id: string): Work<OpenSpeculation | undefined> {
  const at = yield* findRef(draftRef(id))
  if (at === null) return undefined
  const entry = journal.recent.get(at)?.entry ?? (yield* readEntry(at)).record
  const body = speculationIn(entry)
  if (body === undefined) return undefined
  const base = yield* readCommit(journal, body.base)
  return { id, body, at, base, head: entry.commit === undefined ? base : yield* readCommit(journal, at) }
}

function isExpired({ journal }: Handle, { body }: Pick<OpenSpeculation, 'body'>): boolean {
  return body.expires !== undefined && Date.parse(body.expires) <= journal.now()
}

/** Deletes an expired speculation. This needs no authorization, because its creator set the expiry. */
function* dropExpired(handle: Handle, { id, at }: Pick<OpenSpeculation, 'id' | 'at'>): Work<void> {
  if (!handle.shared.isReadOnly) yield* dropSpeculationAt({ ...handle, identity: undefined }, id, at, 'expired', [])
}

/**
 * How a speculation ended: told by the entry that deleted its ref.
 *
 * It is looked for among the newest entries only. An id that ended longer ago, that never was, or that was of a branch which may
 * not be read counts as discarded.
 */
function* endOf(handle: Handle, id: string): Work<SpeculationEnd> {
  const ref = draftRef(id)
  const { seq: newest } = yield* ask(log => log.head())
  const oldest = Math.max(1, newest - MAX_SCANNED_ENTRIES + 1)
  for (let to = newest; to >= oldest; to -= SCANNED_ENTRIES) {
    const entries = yield* readEntries(Math.max(oldest, to - SCANNED_ENTRIES + 1), to, ['text'])
    const record = entries.findLast(entry => entry.record.moves.some(([name]) => name === ref))?.record
    yield pausePoint
    if (record === undefined) continue
    const before = record.moves.find(([name]) => name === ref)![1]
    const body = before === null ? undefined : speculationIn((yield* readEntry(before)).record)
    if (body === undefined || !(yield* isKnownSpeculation(handle, { body }))) return 'discarded'
    if (record.kind === 'commit') return 'committed'
    const end = findBody(record, 'ref')?.speculation
    return end !== undefined && 'status' in end ? end.status : 'discarded'
  }
  return 'discarded'
}

/** How the speculation of an entry began; undefined when the entry is of none, or ends one. */
export function speculationIn(record: EntryRecord): SpeculationBody | undefined {
  const speculation = findBody(record, 'commit', 'ref')?.speculation
  return speculation === undefined || 'status' in speculation ? undefined : speculation
}

function expiryOf(now: number, ttlMs: number | undefined): string | undefined {
  if (ttlMs === undefined) return undefined
  if (!(ttlMs > 0 && now + ttlMs <= lastMoment)) {
    throw coreError('option-invalid', { field: 'ttlMs', reason: `${ttlMs} is not a number of milliseconds from now` })
  }
  return new Date(now + ttlMs).toISOString()
}
