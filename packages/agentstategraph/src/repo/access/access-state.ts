/**
 * The access state at one commit of `system/access`, read as far as it is asked for.
 *
 * A landing is judged by the state last seen and guards the ref, so one that is out of date is found out by the append. Parts
 * that did not change from one commit to the next are not read again.
 */

import { decode, deepFreeze } from '../../core/index.ts'
import { readCommit, type Work } from '../../store/index.ts'
import { contentOf, findEntry, valueOfChild } from '../../tree/index.ts'
import type { Accessor, AccessState } from '../records/accessor.ts'
import { accessRef, findRef } from '../records/ref-names.ts'

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
