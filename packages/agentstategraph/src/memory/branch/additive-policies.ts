/**
 * Changes that two made alike, and that count twice.
 *
 * A merge takes an equal change on both sides once, because two branches may have it from one place. A task's changes are
 * its own: when two tasks each add one to a counter, or the same line to a log, there were two. Where a policy adds (`sum`,
 * `append`, a function), it decides here over what the merge passed by.
 */

import { canonicalText, parseKnownPath, type Stored } from '../../core/index.ts'
import type { Handle } from '../../repo/index.ts'
import type { Work } from '../../store/index.ts'
import {
  type Decision,
  decide,
  diff,
  type Edit,
  edit,
  type Link,
  type Policy,
  type PolicyTable,
  policyAt,
} from '../../tree/index.ts'
import { isList } from '../values/matches-stored.ts'
import { encodeAt } from './workspace.ts'

export interface Sides {
  readonly base: Link
  readonly ours: Link
  readonly theirs: Link
}

/** A merged state with the equal additions of both sides in it. */
export function* withEqualAdditions(handle: Handle, table: PolicyTable, sides: Sides, merged: Link): Work<Link> {
  const { context } = handle.journal
  const places = new Map<string, readonly string[]>()
  for (const { path } of yield* diff(context, sides.base, sides.theirs)) {
    const place = placeOf(table, parseKnownPath(path))
    if (place !== undefined) places.set(canonicalText(place), place)
  }
  const edits: Edit[] = []
  for (const path of places.values()) {
    const decision = yield* added(handle, policyAt(table, path), sides, path)
    if (decision === undefined || 'side' in decision) continue
    const { value } = decision
    edits.push(value === undefined ? { op: 'delete', path } : { op: 'set', path, value })
  }
  return (yield* edit(context, merged, edits)).root
}

/** The place, at a path or above it, that a policy which adds is for. */
function placeOf(table: PolicyTable, path: readonly string[]): readonly string[] | undefined {
  for (let length = 1; length <= path.length; length++) {
    const policy = policyAt(table, path.slice(0, length))
    if (policy === 'sum' || policy === 'append' || typeof policy === 'function') return path.slice(0, length)
  }
  return undefined
}

function* added(handle: Handle, policy: Policy, sides: Sides, path: readonly string[]): Work<Decision> {
  const base = yield* encodeAt(handle, sides.base, path)
  const ours = yield* encodeAt(handle, sides.ours, path)
  const theirs = yield* encodeAt(handle, sides.theirs, path)
  if (ours === undefined || theirs === undefined || canonicalText(ours) !== canonicalText(theirs)) return undefined
  if (base !== undefined && canonicalText(base) === canonicalText(ours)) return undefined
  if (policy === 'append' && isList(theirs)) return appendedTwice(base ?? [], theirs)
  return decide(policy, { base, ours, theirs }, 'theirs', path, handle.journal.context.classes)
}

function appendedTwice(base: Stored, list: readonly Stored[]): Decision {
  if (!isList(base) || base.length > list.length) return undefined
  const isGrown = canonicalText(base) === canonicalText(list.slice(0, base.length))
  return isGrown ? { value: [...list, ...list.slice(base.length)] } : undefined
}
