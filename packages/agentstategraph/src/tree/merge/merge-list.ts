/**
 * Three-way merge of lists: by index, or as sets of elements that are identified by their content or by a field.
 */

import { canonicalText, isTagged, type Stored } from '../../core/index.ts'
import { differingElements, elementsOf } from '../diff/compare.ts'
import { containerOfChild, findIn } from '../nodes/child.ts'
import type { TreeContext } from '../nodes/context.ts'
import {
  type ContainerNode,
  contentOf,
  countOf,
  type Entry,
  entryOf,
  isSameContent,
  listFamily,
} from '../nodes/node.ts'
import { containerOf, entriesOf, spliced } from '../nodes/sequence.ts'
import type { Walk } from '../nodes/walk.ts'
import { valueOfChild } from '../nodes/whole-value.ts'
import { type OnGap, planMerge } from './merge-plan.ts'
import type { Merging, Three, ThreeLists } from './merging.ts'
import type { Policy } from './policy.ts'

/** The merged list; undefined when the sides conflict, or the policy is not one for parts of lists. */
export function* mergeLists(
  merging: Merging,
  lists: ThreeLists,
  path: readonly string[],
  policy: Policy,
): Walk<ContainerNode | undefined> {
  if (policy === 'union') return yield* mergeAsSets(merging, lists, path, undefined)
  if (typeof policy === 'object') return yield* mergeAsSets(merging, lists, path, policy.unionBy)
  if (policy !== 'manual' && policy !== 'append') return undefined
  const onGap = policy === 'manual' ? 'conflict' : merging.later === 'theirs' ? 'ours-first' : 'theirs-first'
  return yield* mergeByPlace(merging, lists, path, onGap)
}

function* mergeByPlace(
  merging: Merging,
  lists: ThreeLists,
  path: readonly string[],
  onGap: OnGap,
): Walk<ContainerNode | undefined> {
  const { context } = merging
  const { base, ours, theirs } = lists
  const { start, end } = yield* sharedEnds(context, lists)
  const was = yield* elementsOf(context, base, start, countOf(base) - end)
  const mine = yield* elementsOf(context, ours, start, countOf(ours) - end)
  const yours = yield* elementsOf(context, theirs, start, countOf(theirs) - end)
  const plan = planMerge(was.map(content), mine.map(content), yours.map(content), onGap)
  if (plan === undefined) return undefined
  const items: Entry[] = []
  for (const step of plan) {
    if (step.kind === 'ours') items.push(mine[step.index]!)
    else if (step.kind === 'theirs') items.push(yours[step.index]!)
    else {
      const three = { base: was[step.base], ours: mine[step.ours], theirs: yours[step.theirs] }
      const merged = yield* merging.mergeEntry(merging, three, [...path, String(start + items.length)])
      if (merged !== undefined) items.push(entryOf('', merged.child, merged.writer))
    }
  }
  return yield* spliced(context, ours, [{ from: start, to: start + mine.length, items }])
}

/** How many elements all three lists share at the start and, of the rest, at the end. */
function* sharedEnds(context: TreeContext, { base, ours, theirs }: ThreeLists): Walk<{ start: number; end: number }> {
  const a = yield* differingElements(context, base, ours)
  const b = yield* differingElements(context, base, theirs)
  const start = Math.min(a.start, b.start)
  const shortest = Math.min(countOf(base), countOf(ours), countOf(theirs))
  const endOf = (difference: { start: number; before: readonly Entry[] }): number =>
    countOf(base) - difference.start - difference.before.length
  return { start, end: Math.min(endOf(a), endOf(b), shortest - start) }
}

/** The elements of the base that neither side removed, then those the earlier side added, then those the later added. */
function* mergeAsSets(
  merging: Merging,
  { base, ours, theirs }: ThreeLists,
  path: readonly string[],
  field: string | undefined,
): Walk<ContainerNode | undefined> {
  const { context } = merging
  const was = yield* keyed(context, base, field)
  const mine = yield* keyed(context, ours, field)
  const yours = yield* keyed(context, theirs, field)
  if (was === undefined || mine === undefined || yours === undefined) return undefined
  const [first, second] = merging.later === 'theirs' ? [mine, yours] : [yours, mine]
  const items: Entry[] = []
  let place = 0
  for (const key of new Set([...was.keys(), ...first.keys(), ...second.keys()])) {
    const three = { base: was.get(key), ours: mine.get(key), theirs: yours.get(key) }
    const merged = yield* merging.mergeEntry(merging, three, [...path, String(place)])
    if (merged !== undefined) items.push(entryOf('', merged.child, merged.writer))
    if (merged !== undefined || isContested(three)) place++
  }
  return containerOf(context, listFamily, items)
}

/** Whether one side removed what the other changed. The index is reserved, so later paths do not depend on the resolution. */
function isContested({ base, ours, theirs }: Three): boolean {
  const other = ours ?? theirs
  return base !== undefined && other !== undefined && !isSameContent(base.child, other.child)
}

/** The elements of a list by their field or their content; undefined when two elements have the same field value. */
function* keyed(
  context: TreeContext,
  list: ContainerNode,
  field: string | undefined,
): Walk<Map<string, Entry> | undefined> {
  const byKey = new Map<string, Entry>()
  for (const entry of yield* entriesOf(context, list)) {
    const key = field === undefined ? undefined : yield* fieldOf(context, entry, field)
    if (key !== undefined && byKey.has(`field ${key}`)) return undefined
    const name = key === undefined ? `content ${content(entry)}` : `field ${key}`
    if (!byKey.has(name)) byKey.set(name, entry)
  }
  return byKey
}

function* fieldOf(context: TreeContext, entry: Entry, field: string): Walk<string | undefined> {
  const map = yield* containerOfChild(context, entry.child)
  if (map === undefined || (map.kind !== 'map' && map.kind !== 'maps')) return undefined
  const found = yield* findIn(context, map, field)
  if (found === undefined) return undefined
  const value: Stored = yield* valueOfChild(context, found.child)
  return typeof value === 'object' && value !== null && !isTagged(value) ? undefined : canonicalText(value)
}

function content(entry: Entry): string {
  return contentOf(entry.child)
}
