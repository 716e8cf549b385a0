/**
 * Journal entries and their canonical texts, which are stored and are the leaves of the Merkle log.
 *
 * All kinds share one envelope; `body` holds what is specific to a kind. Entries of unknown kinds are kept and shown. Ids in
 * a text are base64url. In a move, seq 0 is the entry itself.
 */

import { canonicalText, coreError, lastMoment, leafId, quote, type Stored, utf8Length } from '../../core/index.ts'
import type { Move } from '../contract/backend.ts'
import { storeError } from '../errors.ts'

/** The kinds that the format defines; `EntryKind` also has those of later versions. */
export type KnownEntryKind =
  | 'genesis'
  | 'commit'
  | 'task'
  | 'event'
  | 'ref'
  | 'observe'
  | 'resolve'
  | 'epoch'
  | 'key'
  | 'session'
  | 'grant'
  | 'revoke'
  | 'taint'
  | 'erase'
  | 'prune'
  | 'refusal'
  | 'proposal'
  | 'note'

export type EntryKind = KnownEntryKind | (string & {})

/** A moved ref: `from` is null when it was created, `to` is null when it was deleted and 0 for this entry. */
export type EntryMove = readonly [name: string, from: number | null, to: number | null]

export interface EntryRecord {
  readonly kind: EntryKind
  /** Milliseconds since 1970. In the text: 24 characters of ISO 8601. */
  readonly time: number
  readonly agent: string
  readonly moves: readonly EntryMove[]
  readonly commit?: string | undefined
  /** The digest of the pack. */
  readonly pack?: string | undefined
  /** The changed paths, sorted, folded to at most 64. */
  readonly changed?: readonly string[] | undefined
  readonly body?: Stored | undefined
  /** A unique name by which the entry is found, like one with an idempotency key. */
  readonly name?: string | undefined
  /** The idempotent request that wrote the entry. */
  readonly request?: EntryRequest | undefined
}

/** The stored form of an idempotency key, and the digest of the request that used it. */
export interface EntryRequest {
  readonly key: string
  readonly digest: string
}

/** The most bytes an entry or commit text may have. */
export const maxTextBytes: number = 64 * 1024

const VERSION = 2

/** The text of an entry, with its fields in canonical order. */
export function entryText(record: EntryRecord): string {
  const { kind, time, agent, moves, name, commit, pack, changed, body, request } = record
  const text = [
    `{"agent":${quote(agent)}`,
    body === undefined ? '' : `,"body":${canonicalText(body)}`,
    changed === undefined ? '' : `,"changed":${canonicalText(changed)}`,
    commit === undefined ? '' : `,"commit":"${commit}"`,
    `,"kind":${quote(kind)},"moves":${canonicalText(moves)}`,
    name === undefined ? '' : `,"name":${quote(name)}`,
    pack === undefined ? '' : `,"pack":"${pack}"`,
    request === undefined ? '' : `,"request":{"digest":"${request.digest}","key":"${request.key}"}`,
    `,"time":"${isoTime(time)}","v":${VERSION}}`,
  ]
  return limited('journal entry', text.join(''))
}

/** Reads an entry's text. */
export function parseEntry(text: string): EntryRecord {
  const fields = JSON.parse(text) as Omit<EntryRecord, 'time'> & { readonly v: number; readonly time: string }
  if (fields.v !== VERSION) throw storeError('format-unsupported', { found: fields.v, supported: VERSION })
  const { kind, time, agent, moves, name, commit, pack, changed, body, request } = fields
  return { kind, time: Date.parse(time), agent, moves, name, commit, pack, changed, body, request }
}

/** The keys by which an entry is found. */
export function keysOfEntry({ request, name }: Pick<EntryRecord, 'request' | 'name'>): string[] {
  return [request?.key, name].filter(key => key !== undefined)
}

/** The moves of an append that its entry at `place` records. Guards are left out. */
export function entryMoves(moves: readonly Move[], place: number): EntryMove[] {
  const recorded: EntryMove[] = []
  for (const { name, expect, to } of moves) {
    if (typeof to === 'object' && to !== null) {
      if (to.entry === place) recorded.push([name, expect, 0])
    } else if (to !== expect) {
      recorded.push([name, expect, to])
    }
  }
  return recorded
}

export function limited(what: string, text: string): string {
  if (text.length * 3 <= maxTextBytes) return text
  const size = utf8Length(text)
  if (size > maxTextBytes) throw storeError('commit-too-large', { what: `${what} in bytes`, size, limit: maxTextBytes })
  return text
}

/** The last time is cached, because commit and entry, and often many commits, have the same millisecond. */
let lastTime = 0
let lastIso: string = new Date(0).toISOString()

export function isoTime(time: number): string {
  if (time !== lastTime) {
    if (!(time >= 0 && time <= lastMoment)) throw coreError('clock-invalid', { time })
    lastIso = new Date(time).toISOString()
    lastTime = time
  }
  return lastIso
}

/** The leaf of an entry in the Merkle log: SHA-256 of a zero byte and the text. */
export const leafOfEntry: (text: string) => string = leafId
