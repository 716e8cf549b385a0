/**
 * The nodes of one namespace: read from packs, checked against their ids, and cached up to a limit in bytes.
 *
 * Whenever a node is read from the backend, its stored text is hashed again, so damaged data is never returned.
 */

import { hashBytes } from '../../core/index.ts'
import {
  type Child,
  indexOfPointer,
  isWholeText,
  type Link,
  type Loader,
  type MapNode,
  type Node,
  type Nodes,
  type Patch,
  type Pointer,
  parseNode,
  pointerOf,
  replaceWriters,
  type SyncLoader,
  seqOfPointer,
  seqOfWriter,
  type Writer,
} from '../../tree/index.ts'
import type { Log, StoredPart } from '../contract/backend.ts'
import { type Cache, supersededKeys } from '../contract/cache.ts'
import { work, workSync } from '../contract/work.ts'
import { storeError } from '../errors.ts'
import { type PackLinks, type PendingNodes, pendingNodes } from './pending-nodes.ts'
import {
  findWholeText,
  indexPart,
  type PartIndex,
  provenanceReader,
  type TextRecord,
  textRecordAt,
} from './read-pack.ts'
import { damagedAt, type FindNode, type RecordText, recordText, wholeText } from './record-text.ts'

/** The rough memory of one entry of a node, beyond the text. */
const BYTES_PER_ENTRY = 160

/** Recent parts are cached, because the next node is often in one of them. */
const RECENT_PARTS = 16

/** How many nodes a commit may replace for them to leave the cache before others: those on the way to a leaf. */
const MOST_SUPERSEDED = 16

export interface NodeStore extends Nodes {
  readonly loader: Loader
  /** Absent when the backend answers with promises only. */
  readonly syncLoader: SyncLoader | undefined
  readonly findAt: FindNode
  /** Caches nodes of a pack that was appended as entry `seq`, those of the given indexes or all, and numbers them. */
  land(links: readonly Link[], seq: number, from?: number, to?: number): void
  /** Lets nodes leave the cache before others, which a commit has replaced and no head has now. */
  supersede(replaced: readonly Pointer[]): void
  /** The nodes of commits that are built and not appended. */
  readonly pending: PendingNodes
  /** Caches the nodes of a pack of a chain, and numbers them; see `PendingNodes`. */
  landPending(links: PackLinks, seq: number, base: number, first: number): void
  /** Caches a node that was read in another way, and was checked there. */
  put(at: Pointer, node: Node, textLength: number): void
  /** Caches the first part of a pack that was read with its entry: its roots are likely to be read next. */
  offer(seq: number, part: Uint8Array): void
  /** Empties the caches. */
  clear(): void
}

/** A node, or the text of one without links that was read for its value alone. */
export type CachedNode = Node | string

export function nodeStore(log: Log, cache: Cache<CachedNode>): NodeStore {
  /** The newest first. */
  let recent: PartIndex[] = []
  const pending = pendingNodes()
  const supersede = supersededKeys(cache.remove)
  const { sync } = log

  let offered: { readonly seq: number; readonly part: Uint8Array } | undefined
  const findPart = (link: Link): PartIndex | undefined => {
    if (offered?.seq === seqOfPointer(link.at)) {
      const { seq, part } = offered
      offered = undefined
      keep(guarded(link, () => indexPart(seq, 0, part)))
    }
    const place = recent.findIndex(part => isIn(part, link))
    return place > 0 ? keep(recent[place]!) : recent[place]
  }
  const keepPart = (link: Link, stored: StoredPart | undefined): PartIndex => {
    if (stored === undefined) {
      const code = pending.isTrimmed(link.at) ? 'state-trimmed' : 'pack-dropped'
      throw storeError(code, { seq: seqOfPointer(link.at) })
    }
    return keep(guarded(link, () => indexPart(stored.seq, stored.first, stored.bytes)))
  }
  const keep = (part: PartIndex): PartIndex => {
    recent = [part, ...recent.filter(({ seq, first }) => seq !== part.seq || first !== part.first)]
    recent.length = Math.min(recent.length, RECENT_PARTS)
    return part
  }
  const take = (
    link: Link,
    { seq }: PartIndex,
    { provenance }: TextRecord,
    { text: bytes, deltas }: RecordText,
  ): Node => {
    const text = decoder.decode(bytes)
    const node = guarded(link, () => parseNode(text, provenanceReader(provenance, seq)))
    node.deltas = deltas
    cache.put(link.at, node, sizeOf(node, text.length))
    return node
  }
  /** Caches the text of a node that is expected soon, when that is enough to read its value. */
  const hasPrepared = (link: Link, part: PartIndex): boolean => {
    const bytes = guarded(link, () => findWholeText(part, indexOfPointer(link.at)))
    const text = bytes === undefined ? '' : verifiedText(link, bytes)
    const isPrepared = isWholeText(text)
    if (isPrepared) cache.put(link.at, text, text.length * 2 + BYTES_PER_ENTRY)
    return isPrepared
  }
  const findAt = (at: Pointer): Node | undefined => {
    const found = cache.find(at) ?? pending.find(at)
    return typeof found === 'string' ? undefined : found
  }
  const absent = (links: readonly Link[]): Link[] => links.filter(link => !cache.has(link.at))

  const loader: Loader = {
    async load(link) {
      const part = findPart(link) ?? keepPart(link, (await log.parts([partPointer(link)]))[0])
      return await takeFrom(link, part)
    },
    async loadAll(links) {
      // One part often holds many of them, and is requested once.
      const bySeq = new Map<number, Link[]>()
      for (const link of absent(links)) {
        const seq = seqOfPointer(link.at)
        const group = bySeq.get(seq)
        if (group === undefined) bySeq.set(seq, [link])
        else group.push(link)
      }
      const groups = [...bySeq.values()]
      const parts = await log.parts(groups.map(group => partPointer(group[0]!)))
      for (const [i, group] of groups.entries()) {
        const part = keepPart(group[0]!, parts[i])
        for (const link of group) if (isIn(part, link) && !hasPrepared(link, part)) await takeFrom(link, part)
      }
    },
  }
  const takeFrom = async (link: Link, part: PartIndex): Promise<Node> => {
    const record = recordOf(link, part)
    const text = await work(recordText(record, link.at, link.id, findAt), log, loader).catch(cause => {
      throw damagedAt(link.at, link.id, cause)
    })
    return take(link, part, record, text)
  }
  const syncLoader: SyncLoader | undefined = sync && {
    load: link => takeNow(link, partNow(link)),
    // There is no round trip to save: parts that only later ones need are read when they are needed.
    loadAll(links) {
      for (const [i, link] of absent(links).entries()) {
        const part = i === 0 ? partNow(link) : findPart(link)
        if (part !== undefined && !hasPrepared(link, part)) takeNow(link, part)
      }
    },
  }
  const partNow = (link: Link): PartIndex => findPart(link) ?? keepPart(link, sync!.parts([partPointer(link)])[0])
  const takeNow = (link: Link, part: PartIndex): Node => {
    const record = recordOf(link, part)
    const textOf = (): RecordText =>
      record.kind === 'whole'
        ? wholeText(record, link.id)
        : workSync(recordText(record, link.at, link.id, findAt), sync!, syncLoader!)
    return take(link, part, record, guarded(link, textOf))
  }

  return {
    find: link => findAt(link.at),
    findAt,
    findRead: link => cache.find(link.at) ?? pending.find(link.at),
    isPauseDue: undefined,
    pending,
    loader,
    syncLoader,
    put: (at, node, textLength) => cache.put(at, node, sizeOf(node, textLength)),
    offer: (seq, part) => {
      offered = { seq, part }
    },
    clear() {
      cache.clear()
      recent = []
      offered = undefined
    },
    landPending(links, seq, base, first) {
      pending.land(links, seq, base, first, (link, { node, text }) => {
        if (node.kind === 'map' && links.length <= MOST_SUPERSEDED) node.text = text
        cache.put(link.at, node, sizeOf(node, text.length))
      })
    },
    land(links, seq, from = 0, to = links.length) {
      const number = (writer: Writer): Writer => numberedWriter(writer, seq)
      for (let index = from; index < to; index++) {
        const link = links[index]!
        const { node, text, patch } = link.fresh!
        link.at = pointerOf(seq, index)
        link.fresh = undefined
        if (patch === undefined) replaceWriters(node, number)
        else numberPatch(node as MapNode, seq, patch)
        if (node.kind === 'map' && links.length <= MOST_SUPERSEDED) node.text = text
        cache.put(link.at, node, sizeOf(node, text.length))
      }
    },
    supersede(replaced) {
      // A wide change may be one side of a merge, which reads the nodes that it replaced.
      if (replaced.length <= MOST_SUPERSEDED) for (const at of replaced) supersede(at)
    },
  }
}

function isIn({ seq, first, offsets }: PartIndex, { at }: Link): boolean {
  return at >= pointerOf(seq, first) && at < pointerOf(seq, first + offsets.length - 1)
}

function partPointer(link: Link): { seq: number; index: number } {
  return { seq: seqOfPointer(link.at), index: indexOfPointer(link.at) }
}

function recordOf(link: Link, part: PartIndex): TextRecord {
  return guarded(link, () => textRecordAt(part, indexOfPointer(link.at)))
}

function verifiedText(link: Link, bytes: Uint8Array): string {
  if (hashBytes(bytes) === link.id) return decoder.decode(bytes)
  throw damagedAt(link.at, link.id, new RangeError('a node does not have the id that its parent names'))
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

function guarded<T>(link: Link, read: () => T): T {
  try {
    return read()
  } catch (cause) {
    throw damagedAt(link.at, link.id, cause)
  }
}

/** Replaces seq 0, the commit being written, by the entry it was appended as. */
function numberedWriter(writer: Writer, seq: number): Writer {
  return seqOfWriter(writer) === 0 ? writer + seq : writer
}

/** The same for a node of which one entry is new, with its count of parts. */
function numberPatch(node: MapNode, seq: number, { base, index }: Patch): void {
  const entry = node.entries[index]!
  entry.writer = numberedWriter(entry.writer, seq)
  if (entry.child.kind === 'held') replaceWriters(entry.child.node, writer => numberedWriter(writer, seq))
  node.parts = partsOf(base) - partsOfChild(base.entries[index]!.child) + partsOfChild(entry.child)
}

function sizeOf(node: Node, textLength: number): number {
  return textLength * 2 + (partsOf(node) + 1) * BYTES_PER_ENTRY
}

/** Its entries, with those of the containers that are written in it. */
function partsOf(node: Node): number {
  if (!('entries' in node)) return 'items' in node ? node.items.length : 0
  if (node.parts !== undefined) return node.parts
  const { entries } = node
  let parts = entries.length
  for (let i = 0; i < entries.length; i++) parts += partsOfChild(entries[i]!.child)
  if (node.kind === 'map') node.parts = parts
  return parts
}

function partsOfChild(child: Child): number {
  return child.kind === 'held' ? partsOf(child.node) : 0
}
