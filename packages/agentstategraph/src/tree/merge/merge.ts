/**
 * Three-way merge.
 *
 * Laws: with one side unchanged the result is the other; an equal change on both sides is no conflict; swapping the sides
 * (and `later`) changes only names. Conflicts are values: each carries its path and the full sides, and the merged root
 * holds ours there until the conflict is resolved.
 *
 * A merged entry keeps the writer of the first parent with an equal value; when neither is equal, the merge is the writer.
 */

import { formatPath, type Stored, userKey } from '../../core/index.ts'
import { differingKeys } from '../diff/compare.ts'
import { graft, type OnChanged } from '../edit/graft.ts'
import { type StoredConflict, treeError, typeInWords } from '../errors.ts'
import { childOf, containerOfChild, type MapRoot, placeOfKey, settled } from '../nodes/child.ts'
import type { TreeContext } from '../nodes/context.ts'
import { decrypted, encryptedAt } from '../nodes/encryption.ts'
import {
  type Child,
  type ContainerNode,
  type Entry,
  entryOf,
  familyOf,
  isSameContent,
  type Link,
  listFamily,
  mapFamily,
} from '../nodes/node.ts'
import { freshLink } from '../nodes/node-text.ts'
import { containerOf, type Splice, spliced } from '../nodes/sequence.ts'
import type { Walk } from '../nodes/walk.ts'
import { valueOfChild } from '../nodes/whole-value.ts'
import { mergeLists } from './merge-list.ts'
import type { MergeOptions, Merging, Three } from './merging.ts'
import { type Decision, decide, decidesMaps, type Policy, policyAt } from './policy.ts'

/** What `merge` did, and the commit that the branch has now. */
export interface Merged {
  readonly root: Link
  readonly conflicts: readonly StoredConflict[]
}

export function* merge(
  context: TreeContext,
  base: Link,
  ours: Link,
  theirs: Link,
  options: MergeOptions,
): Walk<Merged> {
  const conflicts: StoredConflict[] = []
  const merging: Merging = { ...options, context, conflicts, mergeEntry }
  const three = { base: rootEntry(base), ours: rootEntry(ours), theirs: rootEntry(theirs) }
  const child = (yield* mergeEntry(merging, three, []))?.child
  const map = child === undefined ? undefined : yield* containerOfChild(context, child)
  if (child === undefined || map === undefined || familyOf(map) !== mapFamily) {
    const type = child === undefined ? 'nothing' : typeInWords(yield* valueOfChild(context, child))
    throw treeError('root-not-a-map', { type })
  }
  return { root: child.kind === 'link' ? child : freshLink(map), conflicts }
}

function rootEntry(child: Link): Entry {
  return entryOf('', child, 0)
}

function* mergeEntry(merging: Merging, three: Three, path: readonly string[]): Walk<Entry | undefined> {
  const { base, ours, theirs } = three
  if (isSame(ours, theirs) || isSame(base, theirs)) return ours
  if (isSame(base, ours)) return yield* taken(merging, theirs, three, path)
  const policy = policyAt(merging.policies, path)
  const inside = yield* mergeInside(merging, three, path, policy)
  if (inside !== undefined) return inside
  if (policy !== 'manual') {
    const decision = yield* decided(merging, three, path, policy)
    if (decision !== undefined) return yield* carriedOut(merging, decision, three, path)
  }
  return yield* conflicting(merging, three, path)
}

/** Merges two containers of one kind part by part; undefined for other values, or when the policy decides the whole. */
function* mergeInside(
  merging: Merging,
  { base, ours, theirs }: Three,
  path: readonly string[],
  policy: Policy,
): Walk<Entry | undefined> {
  if (ours === undefined || theirs === undefined) return undefined
  const mine = yield* containerOfChild(merging.context, ours.child)
  const yours = yield* containerOfChild(merging.context, theirs.child)
  if (mine === undefined || yours === undefined || familyOf(mine) !== familyOf(yours)) return undefined
  const was = base === undefined ? undefined : yield* containerOfChild(merging.context, base.child)
  const common = was !== undefined && familyOf(was) === familyOf(mine) ? was : undefined
  let merged: ContainerNode | undefined
  if (familyOf(mine) === mapFamily) {
    if (decidesMaps(merging.policies, path)) return undefined
    merged = yield* mergeMaps(merging, common, mine, yours, path)
  } else {
    const lists = { base: common ?? containerOf(merging.context, listFamily, []), ours: mine, theirs: yours }
    merged = yield* mergeLists(merging, lists, path, policy)
    if (merged === undefined) return undefined
  }
  return entryWith(path.length === 0 ? freshLink(merged) : settled(merging.context, merged), ours, theirs)
}

function* mergeMaps(
  merging: Merging,
  base: ContainerNode | undefined,
  ours: ContainerNode,
  theirs: ContainerNode,
  path: readonly string[],
): Walk<ContainerNode> {
  const { context } = merging
  const splices: Splice[] = []
  for (const { key, index, before, after } of yield* differingKeys(context, ours, theirs)) {
    const was = base === undefined ? undefined : (yield* placeOfKey(context, base as MapRoot, key)).entry
    const three = { base: was, ours: before, theirs: after }
    const merged = yield* mergeEntry(merging, three, [...path, userKey(key)])
    if (merged === before) continue
    const items = merged === undefined ? [] : [entryOf(key, merged.child, merged.writer)]
    splices.push({ from: index, to: before === undefined ? index : index + 1, items })
  }
  return splices.length === 0 ? ours : yield* spliced(context, ours, splices)
}

function* decided(merging: Merging, three: Three, path: readonly string[], policy: Policy): Walk<Decision> {
  const sides = {
    base: yield* decryptedEntry(merging, three.base),
    ours: yield* decryptedEntry(merging, three.ours),
    theirs: yield* decryptedEntry(merging, three.theirs),
  }
  return decide(policy, sides, merging.later, path, merging.context.classes)
}

function* conflicting(merging: Merging, three: Three, path: readonly string[]): Walk<Entry | undefined> {
  const at = formatPath(path)
  const resolution = merging.resolutions?.get(at)
  if (resolution !== undefined) {
    if (resolution !== 'base') {
      return yield* carriedOut(merging, typeof resolution === 'string' ? { side: resolution } : resolution, three, path)
    }
    // By value, because the nodes of the base may be gone: the merge writes them again.
    const value = yield* valueOfEntry(merging, three.base)
    return value === undefined ? undefined : yield* carriedOut(merging, { value }, three, path)
  }
  const sides: { base?: Stored; ours?: Stored; theirs?: Stored } = {}
  for (const side of ['base', 'ours', 'theirs'] as const) {
    const value = yield* valueOfEntry(merging, three[side])
    if (value !== undefined) sides[side] = value
  }
  merging.conflicts.push({ path: at, ...sides })
  return three.ours
}

function* carriedOut(
  merging: Merging,
  decision: NonNullable<Decision>,
  three: Three,
  path: readonly string[],
): Walk<Entry | undefined> {
  if ('side' in decision)
    return decision.side === 'ours' ? three.ours : yield* taken(merging, three.theirs, three, path)
  if (decision.value === undefined) return undefined
  const value = encryptedAt(merging.context.encryption, path, decision.value)
  const fresh = entryOf('', childOf(merging.context, value, 0), 0)
  return yield* taken(merging, fresh, three, path)
}

/** Grafts an entry onto theirs and then onto ours, so that parts equal to either keep their nodes and writers. */
function* taken(
  { context }: Merging,
  entry: Entry | undefined,
  { ours, theirs }: Three,
  path: readonly string[],
): Walk<Entry | undefined> {
  if (entry === undefined) return undefined
  const overTheirs = theirs === undefined ? entry.child : yield* graft(context, theirs.child, entry.child, path, ignore)
  const overOurs = ours === undefined ? overTheirs : yield* graft(context, ours.child, overTheirs, path, ignore)
  return entryWith(overOurs, ours, theirs)
}

const ignore: OnChanged = () => {}

/** A merged child with the writer of the first parent whose value is equal, else 0, the merge. */
function entryWith(child: Child, ours: Entry | undefined, theirs: Entry | undefined): Entry {
  if (ours !== undefined && isSameContent(child, ours.child)) return ours
  if (theirs !== undefined && isSameContent(child, theirs.child)) return entryOf(theirs.key, child, theirs.writer)
  return entryOf('', child, 0)
}

function isSame(a: Entry | undefined, b: Entry | undefined): boolean {
  return a === undefined || b === undefined ? a === b : isSameContent(a.child, b.child)
}

function* decryptedEntry(merging: Merging, entry: Entry | undefined): Walk<Stored | undefined> {
  const value = yield* valueOfEntry(merging, entry)
  return value === undefined ? undefined : decrypted(merging.context.encryption, value)
}

function* valueOfEntry({ context }: Merging, entry: Entry | undefined): Walk<Stored | undefined> {
  return entry === undefined ? undefined : yield* valueOfChild(context, entry.child)
}
