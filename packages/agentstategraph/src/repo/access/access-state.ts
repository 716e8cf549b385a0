/**
 * The access state at one commit of `system/access`, read lazily.
 *
 * A landing is authorized by the cached state and guards the ref, so a stale state makes the append fail. Decoded values are
 * cached by path and content, so a later state decodes again only what changed.
 */

import { decode, deepFreeze } from '../../core/index.ts'
import { readCommit, type Work } from '../../store/index.ts'
import { contentOf, findEntry, valueOfChild } from '../../tree/index.ts'
import type { Accessor, AccessState } from '../records/accessor.ts'
import { accessRef, findRef } from '../records/ref-names.ts'

/** The cached access state; undefined when there is none. A caller that acts on it must guard the ref. */
export function* lastAccess(accessor: Accessor): Work<AccessState | undefined> {
  const { access } = accessor.shared
  return access.seq === undefined ? yield* currentAccess(accessor) : access.state
}

/** The access state at the ref's current head. */
export function* currentAccess({ journal, shared: { access } }: Accessor): Work<AccessState | undefined> {
  const seq = yield* findRef(accessRef)
  if (seq === access.seq) return access.state
  const values = access.state?.values ?? new Map()
  const state = seq === null ? undefined : { head: yield* readCommit(journal, seq), journal, values }
  access.seq = seq
  access.state = state
  return state
}

/** The time of a decision. A clock that was set back cannot revive what had expired when access last changed. */
export function accessTime({ head, journal }: AccessState): number {
  return Math.max(journal.now(), head.record.time)
}

/** The value at a path of the access state, or undefined. It is frozen, because callers share it. */
export function* accessValue<T>({ head, journal, values }: AccessState, path: readonly string[]): Work<T | undefined> {
  const entry = yield* findEntry(journal.context, head.tree, path)
  if (entry === undefined) return undefined
  const content = contentOf(entry.child)
  // Only the last segment can contain the separator, so with the length no two paths share a key.
  const key = `${path.length}\0${path.join('\0')}`
  const known = values.get(key)
  if (known?.content === content) return known.value as T
  const value = deepFreeze(decode(yield* valueOfChild(journal.context, entry.child)))
  if (values.size >= MAX_VALUES) values.clear()
  values.set(key, { content, value })
  return value as T
}

const MAX_VALUES = 4096
