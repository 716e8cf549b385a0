/**
 * Counts equal changes of two tasks twice where a policy adds.
 *
 * A merge takes an equal change of both sides once, because two branches may have it from the same commit. The changes of a
 * task are its own: when two tasks each add one to a counter, or the same line to a log, two were added. So at paths with
 * an additive policy (`sum`, `append`, a function), the policy decides again about changes that the merge took as equal.
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
import { storedAt } from './workspace.ts'

export interface Sides {
  readonly base: Link
  readonly ours: Link
  readonly theirs: Link
}

/** The merged state with equal additions of both sides counted twice. */
export function* applyAdditivePolicies(handle: Handle, table: PolicyTable, sides: Sides, merged: Link): Work<Link> {
  const { context } = handle.journal
  const paths = new Map<string, readonly string[]>()
  for (const { path } of yield* diff(context, sides.base, sides.theirs)) {
    const additive = additivePathOf(table, parseKnownPath(path))
    if (additive !== undefined) paths.set(canonicalText(additive), additive)
  }
  const edits: Edit[] = []
  for (const path of paths.values()) {
    const decision = yield* decideAddition(handle, policyAt(table, path), sides, path)
    if (decision === undefined || 'side' in decision) continue
    const { value } = decision
    edits.push(value === undefined ? { op: 'delete', path } : { op: 'set', path, value })
  }
  return (yield* edit(context, merged, edits)).root
}

/** The path of the nearest additive policy, at a path or above it. */
function additivePathOf(table: PolicyTable, path: readonly string[]): readonly string[] | undefined {
  for (let length = 1; length <= path.length; length++) {
    const policy = policyAt(table, path.slice(0, length))
    if (policy === 'sum' || policy === 'append' || typeof policy === 'function') return path.slice(0, length)
  }
  return undefined
}

function* decideAddition(handle: Handle, policy: Policy, sides: Sides, path: readonly string[]): Work<Decision> {
  const base = yield* storedAt(handle, sides.base, path)
  const ours = yield* storedAt(handle, sides.ours, path)
  const theirs = yield* storedAt(handle, sides.theirs, path)
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
