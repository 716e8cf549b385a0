/**
 * Three-way merge of lists: by place, or as sets of elements known by their content or by a field.
 */

import { canonicalText, isTagged, type Stored } from '../../core/index.ts'
import { differingElements, elementsOf } from '../diff/compare.ts'
import type { TreeContext } from '../nodes/context.ts'
import { type ContainerNode, contentOf, countOf, type Entry, isSameContent, listFamily } from '../nodes/node.ts'
import { containerOfChild, findIn, valueOfChild } from '../nodes/read.ts'
import { containerOf, entriesOf, spliced } from '../nodes/sequence.ts'
import type { Walk } from '../nodes/walk.ts'
import { type OnGap, planMerge } from './merge-plan.ts'
import type { Merging, Three } from './merging.ts'
import type { Policy } from './policy.ts'

/** The merge of one entry, handed in because it merges lists in turn. */
export type MergeEntry = (merging: Merging, three: Three, path: readonly string[]) => Walk<Entry | undefined>

/** The merged list; undefined when the sides cannot be brought together, or the policy is not one for parts of lists. */
export function* mergeLists(
  merging: Merging,
  base: ContainerNode | undefined,
  ours: ContainerNode,
  theirs: ContainerNode,
  path: readonly string[],
  policy: Policy,
  mergeEntry: MergeEntry,
): Walk<ContainerNode | undefined> {
  const from = base ?? containerOf(merging.context, listFamily, [])
  if (policy === 'union') return yield* mergeAsSets(merging, from, ours, theirs, path, undefined, mergeEntry)
  if (typeof policy === 'object')
    return yield* mergeAsSets(merging, from, ours, theirs, path, policy.unionBy, mergeEntry)
  if (policy !== 'manual' && policy !== 'append') return undefined
  const onGap = policy === 'manual' ? 'conflict' : merging.later === 'theirs' ? 'ours-first' : 'theirs-first'
  return yield* mergeByPlace(merging, from, ours, theirs, path, onGap, mergeEntry)
}

function* mergeByPlace(
  merging: Merging,
  base: ContainerNode,
  ours: ContainerNode,
  theirs: ContainerNode,
  path: readonly string[],
  onGap: OnGap,
  mergeEntry: MergeEntry,
): Walk<ContainerNode | undefined> {
  const { context } = merging
  const { start, end } = yield* sharedEnds(context, base, ours, theirs)
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
      const merged = yield* mergeEntry(merging, three, [...path, String(start + items.length)])
      if (merged !== undefined) items.push({ key: '', child: merged.child, writer: merged.writer })
    }
  }
  return yield* spliced(context, ours, [{ from: start, to: start + mine.length, items }])
}

/** How many elements all three share at the start and, after that, at the end. */
function* sharedEnds(
  context: TreeContext,
  base: ContainerNode,
  ours: ContainerNode,
  theirs: ContainerNode,
): Walk<{ start: number; end: number }> {
  const a = yield* differingElements(context, base, ours)
  const b = yield* differingElements(context, base, theirs)
  const start = Math.min(a.start, b.start)
  const shortest = Math.min(countOf(base), countOf(ours), countOf(theirs))
  const endOf = (difference: { start: number; before: readonly Entry[] }): number =>
    countOf(base) - difference.start - difference.before.length
  return { start, end: Math.min(endOf(a), endOf(b), shortest - start) }
}

/** Elements of the base that nobody removed, then what the earlier side added, then what the later one did. */
function* mergeAsSets(
  merging: Merging,
  base: ContainerNode,
  ours: ContainerNode,
  theirs: ContainerNode,
  path: readonly string[],
  field: string | undefined,
  mergeEntry: MergeEntry,
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
    const merged = yield* mergeEntry(merging, three, [...path, String(place)])
    if (merged !== undefined) items.push({ key: '', child: merged.child, writer: merged.writer })
    if (merged !== undefined || isContested(three)) place++
  }
  return containerOf(context, listFamily, items)
}

/** Whether one side removed what the other changed: it keeps a place, so that later paths do not hang on the decision. */
function isContested({ base, ours, theirs }: Three): boolean {
  const other = ours ?? theirs
  return base !== undefined && other !== undefined && !isSameContent(base.child, other.child)
}

/** The elements of a list by what they are known by; undefined when a field has the same value in two of them. */
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
