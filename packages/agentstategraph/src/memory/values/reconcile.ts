/**
 * What leads from a stored form to a live value: path edits for the places that differ, and the new stored form.
 *
 * Only what differs is encoded; equal parts of the new form are the old ones themselves. Lists are followed through what
 * programs do to them in place: elements changed, added or removed in one run. Where more happened than that, the whole
 * list is written, and the tree finds out which elements moved.
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
import { isList, isOpen, isPlainList, isSame, type StoredMap } from './matches-stored.ts'

/** Where a comparison stands, and what it found. */
export interface Reconciling {
  readonly codec: Codec
  /** The path of the place that is being compared. */
  readonly at: string[]
  readonly edits: Edit[]
  readonly refused: Refusal[]
}

/** With more elements than this changed, a list is written as a whole and aligned. */
const MOST_CHANGED = 16

/** The stored form of a value, the old one itself when they are equal. */
export function reconcile(walk: Reconciling, value: unknown, old: Stored): Stored {
  if (typeof value === 'object' && value !== null && typeof old === 'object' && old !== null) {
    if (Array.isArray(value)) {
      if (isList(old) && isPlainList(value)) return reconcileList(walk, value, old)
    } else if (!isList(old) && !isTagged(old) && isPlainObject(value)) {
      const keys = Object.keys(value)
      if (isOpen(value, keys)) return reconcileMap(walk, value as Record<string, unknown>, keys, old as StoredMap)
    }
  }
  return isSame(walk.codec, value, old) ? old : replace(walk, value)
}

/** The stored form of a child that its container does not have yet. The key is judged with it. */
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

/** Collects what is refused, so that all of it can be told at once; then the stored form does not matter any more. */
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
  while (start < shorter && isSame(codec, value[start], old[start]!)) start++
  let tail = 0
  while (tail < shorter - start && isSame(codec, value[value.length - 1 - tail], old[old.length - 1 - tail]!)) tail++
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
    if (isSame(walk.codec, value[i], old[i]!)) continue
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
