/**
 * Computes the path edits that lead from a stored form to a live value, and the new stored form.
 *
 * Only what differs is encoded; equal parts of the old form are reused. Lists are edited in place if elements were changed,
 * or one run of elements was added or removed. For anything else the whole list is written, and the tree finds out which
 * elements moved.
 */

import {
  isPlainObject,
  isStateError,
  isTagged,
  type Refusal,
  type Stored,
  setOwn,
  storedKey,
  userKey,
} from '../../core/index.ts'
import type { Edit } from '../../tree/index.ts'
import type { Codec } from './codec.ts'
import { hasNoHidden, isList, isPlainList, matchesStored, type StoredMap } from './matches-stored.ts'

/** The state of a comparison: its current path, and what it found. */
export interface Reconciling {
  readonly codec: Codec
  /** The path that is being compared. */
  readonly at: string[]
  readonly edits: Edit[]
  readonly refused: Refusal[]
}

/** If more elements changed than this, the whole list is written and aligned. */
const MOST_CHANGED = 16

/** The stored form of a value; the old form itself when they are equal. */
export function reconcile(walk: Reconciling, value: unknown, old: Stored): Stored {
  if (typeof value === 'object' && value !== null && typeof old === 'object' && old !== null) {
    if (Array.isArray(value)) {
      if (isList(old) && isPlainList(value)) return reconcileList(walk, value, old)
    } else if (!isList(old) && !isTagged(old) && isPlainObject(value)) {
      const keys = Object.keys(value)
      if (hasNoHidden(value, keys)) return reconcileMap(walk, value as Record<string, unknown>, keys, old)
    }
  }
  return matchesStored(walk.codec, value, old) ? old : replace(walk, value)
}

/** The stored form of a child that its container does not have yet. The key is checked too. */
export function encodeChild({ codec, at, refused }: Reconciling, key: string, value: unknown): Stored | undefined {
  const container: { [key: string]: unknown } = {}
  setOwn(container, key, value)
  const stored = attempt(refused, () => codec.encode(container, at)) as StoredMap | undefined
  return stored?.[storedKey(key)]
}

function replace(walk: Reconciling, value: unknown): Stored {
  const { codec, at, edits, refused } = walk
  const stored = attempt(refused, () => codec.encode(value, at))
  if (stored === undefined) return null
  edits.push({ op: 'set', path: [...at], value: stored })
  return stored
}

/** Collects refusals, so that all of them are reported together. The stored form is not used after a refusal. */
function attempt(refused: Refusal[], encode: () => Stored): Stored | undefined {
  try {
    return encode()
  } catch (error) {
    if (!isStateError(error, 'value-refused')) throw error
    for (const one of (error.data as { readonly refused: readonly Refusal[] }).refused) refused.push(one)
    return undefined
  }
}

function reconcileMap(
  walk: Reconciling,
  value: Record<string, unknown>,
  keys: readonly string[],
  old: StoredMap,
): Stored {
  const { at, edits } = walk
  let next: { [key: string]: Stored } | undefined
  let kept = 0
  for (const key of keys) {
    const inside = storedKey(key)
    const isNew = !Object.hasOwn(old, inside)
    let stored: Stored
    if (isNew) {
      stored = encodeChild(walk, key, value[key]) ?? null
      edits.push({ op: 'set', path: [...at, key], value: stored })
    } else {
      kept++
      at.push(key)
      stored = reconcile(walk, value[key], old[inside]!)
      at.pop()
    }
    if (!isNew && stored === old[inside]) continue
    next ??= copyOf(old)
    setOwn(next, inside, stored)
  }
  const before = Object.keys(old)
  if (kept === before.length) return next ?? old
  const gone = new Set(before)
  for (const key of keys) gone.delete(storedKey(key))
  next ??= copyOf(old)
  for (const inside of gone) {
    edits.push({ op: 'delete', path: [...at, userKey(inside)] })
    delete next[inside]
  }
  return next
}

function copyOf(map: StoredMap): { [key: string]: Stored } {
  return { ...map }
}

function reconcileList(walk: Reconciling, value: readonly unknown[], old: readonly Stored[]): Stored {
  if (value.length === old.length) return reconcileElements(walk, value, old)
  const { codec, at, edits } = walk
  const shorter = Math.min(value.length, old.length)
  let start = 0
  while (start < shorter && matchesStored(codec, value[start], old[start]!)) start++
  let tail = 0
  while (tail < shorter - start && matchesStored(codec, value[value.length - 1 - tail], old[old.length - 1 - tail]!))
    tail++
  const removed = old.length - start - tail
  if (removed > 0 && start + tail < value.length) return replace(walk, value)
  if (removed > 0) {
    const path = [...at, String(start)]
    for (let i = 0; i < removed; i++) edits.push({ op: 'delete', path })
    return old.toSpliced(start, removed)
  }
  const added: Stored[] = []
  for (let i = start; i < value.length - tail; i++) {
    at.push(String(i))
    const stored = attempt(walk.refused, () => codec.encode(value[i], at)) ?? null
    edits.push({ op: 'insert', path: [...at], value: stored })
    at.pop()
    added.push(stored)
  }
  return [...old.slice(0, start), ...added, ...old.slice(start)]
}

function reconcileElements(walk: Reconciling, value: readonly unknown[], old: readonly Stored[]): Stored {
  const changed: number[] = []
  for (let i = 0; i < value.length; i++) {
    if (matchesStored(walk.codec, value[i], old[i]!)) continue
    if (changed.length === MOST_CHANGED) return replace(walk, value)
    changed.push(i)
  }
  if (changed.length === 0) return old
  const next = [...old]
  for (const i of changed) {
    walk.at.push(String(i))
    next[i] = reconcile(walk, value[i], old[i]!)
    walk.at.pop()
  }
  return next
}
