/**
 * The states of commits that follow one another: what two of them have in common is read and decoded once.
 *
 * States are frozen, so the same part can stand in both. What cannot be frozen is never shared: what holds an error or an
 * instance of a class is decoded anew, and dates, maps and the like are for the caller to copy. Long lists and maps are put
 * together from their parts when they are asked for. Only the last state is kept.
 */

import { canonicalText, decode, isTag, type Stored, setOwn, userKey } from '../../../core/index.ts'
import type { StoredCommit, Work } from '../../../store/index.ts'
import {
  type ContainerNode,
  decrypted,
  type Entry,
  entriesOf,
  familyOf,
  type Item,
  isContainer,
  type Link,
  nodeOf,
  type TreeContext,
  valueOfChild,
} from '../../../tree/index.ts'
import type { State } from '../../model/compiled-plan.ts'
import { frozen, frozenJoin } from '../../state/frozen.ts'

/** The state of a commit, read. */
export interface StateVersion {
  readonly fields: ReadonlySet<string>
  /** Parts of it may stand in other states: `forTask` makes of it what a caller may have. */
  state(): State
}

/** Reads the state of a commit. */
export type StateVersions = (commit: StoredCommit) => Work<StateVersion>

interface Decoded {
  value(): unknown
  /** Whether it may stand in several states. */
  readonly isShared: boolean
}

/** A decoded node, with those of the nodes right below it, by their ids. */
interface Version extends Decoded {
  readonly parts: Versions
}

/** Where a node is: the path of its container, and for a node of a long list the index that it begins at. */
interface Place {
  readonly path: readonly string[]
  readonly start: number
}

type Versions = ReadonlyMap<string, Version>

/** What the last state had where a node is: the same node, or what was below those that are gone from there. */
interface Before {
  readonly same: Version | undefined
  below(): Versions
}

const none: Versions = new Map()

export function stateVersions(context: TreeContext): StateVersions {
  let last: { readonly id: string; readonly version: Version } | undefined
  return function* ({ tree }): Work<StateVersion> {
    const same = last?.id === tree.id ? last.version : undefined
    const below = last?.version.parts ?? none
    const version = yield* versionOf(context, tree, { path: [], start: 0 }, { same, below: () => below })
    last = { id: tree.id, version }
    const entries = yield* entriesOf(context, (yield* nodeOf(context.nodes, tree)) as ContainerNode)
    return { fields: new Set(entries.map(({ key }) => userKey(key))), state: version.value as () => State }
  }
}

function* versionOf(context: TreeContext, link: Link, place: Place, { same, below }: Before): Work<Version> {
  if (same?.isShared === true) return same
  const node = yield* nodeOf(context.nodes, link)
  if (!isContainer(node) || ('entries' in node && node.entries.some(({ key }) => isTag(key)))) {
    return { ...decodedValue(context, yield* valueOfChild(context, link), place.path), parts: none }
  }
  const children = 'items' in node ? node.items.map(item => item.link) : linksOf(node.entries)
  const before = beforeEach(same?.parts ?? below(), children)
  const isMap = familyOf(node).leaf === 'map'
  return 'items' in node
    ? yield* ofItems(context, node.items, isMap, place, before)
    : yield* ofEntries(context, node.entries, isMap, place, before)
}

function linksOf(entries: readonly Entry[]): readonly Link[] {
  return entries.flatMap(({ child }) => (child.kind === 'link' ? [child] : []))
}

/** For each of a node's links, what the last state had there, if these are the versions that it had there. */
function beforeEach(versions: Versions, links: readonly Link[]): (link: Link) => Before {
  const below = once((): Versions => {
    const ids = new Set(links.map(({ id }) => id))
    const gone = [...versions].filter(([id]) => !ids.has(id))
    return gone.length === 1 ? gone[0]![1].parts : new Map(gone.flatMap(([, { parts }]) => [...parts]))
  })
  return ({ id }) => ({ same: versions.get(id), below })
}

/** A node over others: the list, or the map, that they make together. */
function* ofItems(
  context: TreeContext,
  items: readonly Item[],
  isMap: boolean,
  { path, start }: Place,
  before: (link: Link) => Before,
): Work<Version> {
  const parts = new Map<string, Version>()
  const all: Version[] = []
  let at = start
  for (const { link, count } of items) {
    const version = yield* versionOf(context, link, { path, start: at }, before(link))
    parts.set(link.id, version)
    all.push(version)
    at += count
  }
  const value = once(() => {
    const values = all.map(one => one.value())
    return isMap ? frozen(joinedMap(values as State[])) : frozenJoin(values as (readonly unknown[])[])
  })
  return { value, isShared: areShared(all), parts }
}

function* ofEntries(
  context: TreeContext,
  entries: readonly Entry[],
  isMap: boolean,
  { path, start }: Place,
  before: (link: Link) => Before,
): Work<Version> {
  const parts = new Map<string, Version>()
  const all: Decoded[] = []
  for (const [i, { key, child }] of entries.entries()) {
    const at = [...path, isMap ? userKey(key) : String(start + i)]
    if (child.kind !== 'link') {
      all.push(decodedValue(context, yield* valueOfChild(context, child), at))
      continue
    }
    const version = yield* versionOf(context, child, { path: at, start: 0 }, before(child))
    parts.set(child.id, version)
    all.push(version)
  }
  const value = once(() => frozen(isMap ? mapOf(entries, all) : all.map(one => one.value())))
  return { value, isShared: areShared(all), parts }
}

function mapOf(entries: readonly Entry[], all: readonly Decoded[]): object {
  const map: { [key: string]: unknown } = {}
  for (const [i, { key }] of entries.entries()) setOwn(map, userKey(key), all[i]!.value())
  return map
}

function joinedMap(maps: readonly State[]): object {
  const joined: { [key: string]: unknown } = {}
  for (const map of maps) for (const key of Object.keys(map)) setOwn(joined, key, map[key])
  return joined
}

function areShared(all: readonly Decoded[]): boolean {
  return all.every(one => one.isShared)
}

/** What is decoded to something that can be neither frozen nor copied. */
const unshared = /"\$(class|error|sealed)"/

function decodedValue({ encryption, classes }: TreeContext, stored: Stored, at: readonly string[]): Decoded {
  const plain = decrypted(encryption, stored)
  if (typeof plain !== 'object' || plain === null) return { value: () => plain, isShared: true }
  const value = frozen(decode(plain, classes, { at }))
  return { value: () => value, isShared: !unshared.test(canonicalText(plain)) }
}

/** A function that makes its value once. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
