/**
 * The access state at one commit of `system/access`, read as far as it is asked for.
 *
 * A landing is judged by the state last seen and guards the ref, so one that is out of date is found out by the append. Parts
 * that did not change from one commit to the next are not read again.
 */

import { decode, deepFreeze } from '../../core/index.ts'
import { type Journal, readCommit, type StoredCommit, type Work } from '../../store/index.ts'
import { contentOf, findEntry, valueOfChild } from '../../tree/index.ts'
import { findRef } from '../find-ref.ts'
import type { Identity } from './identity.ts'

export const accessRef = 'system/access'

/** What is remembered of `system/access` between landings. */
export interface AccessCache {
  /** Where the ref was last seen; null when it is not there, undefined before anybody looked. */
  seq: number | null | undefined
  state: AccessState | undefined
  /** Refusals of this minute, by principal and rule. */
  readonly refused: Map<string, CountedRefusal>
  /** Commits of the last minute under grants that limit them, by the ref that counts them. */
  readonly rates: Map<string, CountedCommits>
}

/** Refusals of one principal by one rule in one minute, counted and not yet written. */
export interface CountedRefusal {
  readonly principal: string
  readonly rule: string
  readonly minute: number
  count: number
}

/** The times of the commits under a grant in the last minute, oldest first, up to the last one counted. */
export interface CountedCommits {
  readonly last: number | null
  readonly times: readonly number[]
}

export function newAccessCache(): AccessCache {
  return { seq: undefined, state: undefined, refused: new Map(), rates: new Map() }
}

export interface AccessState {
  readonly head: StoredCommit
  readonly journal: Journal
  /** Values that were read, by place and content: a later state takes over what is the same. */
  readonly kept: Map<string, { readonly content: string; readonly value: unknown }>
  /** What was read of this state, by place: it never changes. */
  readonly read: Map<string, unknown>
}

/** What is asked of whoever makes a landing or an entry. Every handle is one. */
export interface Accessor {
  readonly journal: Journal
  readonly shared: { readonly access: AccessCache; readonly isReadOnly?: boolean }
  /** Whose handle it is; absent for the operator's. */
  readonly by?: Identity | undefined
  /** Whether every write becomes a proposal. */
  readonly proposes?: boolean | undefined
}

/** The access state as last seen: undefined when there is none. Whoever acts on it has to guard the ref. */
export function* lastAccess(accessor: Accessor): Work<AccessState | undefined> {
  const { access } = accessor.shared
  return access.seq === undefined ? yield* currentAccess(accessor) : access.state
}

/** The access state as it is now. */
export function* currentAccess({ journal, shared: { access } }: Accessor): Work<AccessState | undefined> {
  const seq = yield* findRef(accessRef)
  if (seq === access.seq) return access.state
  const state =
    seq === null
      ? undefined
      : { head: yield* readCommit(journal, seq), journal, kept: access.state?.kept ?? new Map(), read: new Map() }
  access.seq = seq
  access.state = state
  return state
}

/** The time that access is judged at: a clock that was set back does not bring back what was over when it last changed. */
export function accessTime({ head, journal }: AccessState): number {
  return Math.max(journal.now(), head.record.time)
}

/** The value at a place of the access state, or undefined. It is shared with other callers, and frozen. */
export function* accessValue<T>(state: AccessState, path: readonly string[]): Work<T | undefined> {
  const { read } = state
  // What leads to a record has no such character, and its id comes last.
  const place = `${path.length}\0${path.join('\0')}`
  if (read.has(place)) return read.get(place) as T | undefined
  const value = yield* valueAt(state, path, place)
  if (read.size >= MAX_KEPT) read.clear()
  read.set(place, value)
  return value as T | undefined
}

function* valueAt({ head, journal, kept }: AccessState, path: readonly string[], place: string): Work<unknown> {
  const entry = yield* findEntry(journal.context, head.tree, path)
  if (entry === undefined) return undefined
  const content = contentOf(entry.child)
  const known = kept.get(place)
  if (known?.content === content) return known.value
  const value = deepFreeze(decode(yield* valueOfChild(journal.context, entry.child)))
  if (kept.size >= MAX_KEPT) kept.clear()
  kept.set(place, { content, value })
  return value
}

const MAX_KEPT = 4096
