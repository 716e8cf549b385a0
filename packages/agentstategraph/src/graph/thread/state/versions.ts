/**
 * The states of consecutive commits: what two of them have in common is read and decoded once.
 *
 * States are frozen, so they can share parts. What cannot be frozen is not shared: values with an error or an instance of a
 * class are decoded anew, and the caller copies dates, maps and the like. Long lists and maps are assembled from their
 * parts on demand. Only the last state is cached.
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
  /** It may share parts with other states; `forTask` makes the copy for a caller. */
  state(): State
}

/** Reads the state of a commit. */
export type StateVersions = (commit: StoredCommit) => Work<StateVersion>

interface Decoded {
  value(): unknown
  /** Whether several states may share it. */
  readonly isShared: boolean
}

/** A decoded node, with the nodes directly below it, by id. */
interface Version extends Decoded {
  readonly parts: Versions
}

/** Where a node is: the path of its container, and for a node of a long list the index that it begins at. */
interface NodePosition {
  readonly path: readonly string[]
  readonly start: number
}

type Versions = ReadonlyMap<string, Version>

/** What the last state had at the position of a node: the same node, or the parts of the nodes that are gone. */
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

function* versionOf(context: TreeContext, link: Link, place: NodePosition, { same, below }: Before): Work<Version> {
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

/** For each link of a node, what the last state had there; `versions` are those of the last state at this node. */
function beforeEach(versions: Versions, links: readonly Link[]): (link: Link) => Before {
  const below = once((): Versions => {
    const ids = new Set(links.map(({ id }) => id))
    const gone = [...versions].filter(([id]) => !ids.has(id))
    return gone.length === 1 ? gone[0]![1].parts : new Map(gone.flatMap(([, { parts }]) => [...parts]))
  })
  return ({ id }) => ({ same: versions.get(id), below })
}

/** An inner node: the list or map that its parts make together. */
function* ofItems(
  context: TreeContext,
  items: readonly Item[],
  isMap: boolean,
  { path, start }: NodePosition,
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
  { path, start }: NodePosition,
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

/** Tags of values that can be neither frozen nor copied. */
const unshared = /"\$(class|error|sealed)"/

function decodedValue({ encryption, classes }: TreeContext, stored: Stored, at: readonly string[]): Decoded {
  const plain = decrypted(encryption, stored)
  if (typeof plain !== 'object' || plain === null) return { value: () => plain, isShared: true }
  const value = frozen(decode(plain, classes, { at }))
  return { value: () => value, isShared: !unshared.test(canonicalText(plain)) }
}

/** A function that computes its value once. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
