/**
 * The nodes of one namespace: read from packs, checked against their ids, and cached up to a limit in bytes.
 *
 * Whenever a node is read from the backend, its stored text is hashed again, so damaged data is never returned.
 */

import { hashBytes, hexOfId } from '../../core/index.ts'
import {
  indexOfPointer,
  type Link,
  type Loader,
  type Node,
  type Nodes,
  parseNode,
  pointerOf,
  provenanceOf,
  type SyncLoader,
  seqOfPointer,
  seqOfWriter,
  writerOf,
} from '../../tree/index.ts'
import type { Log, StoredPart } from '../contract/backend.ts'
import type { Cache } from '../contract/cache.ts'
import { storeError } from '../errors.ts'
import { indexPart, type PartIndex, provenanceReader, recordAt, verifyRecord } from './read-pack.ts'

/** The rough memory of one entry of a node, beyond the text. */
const BYTES_PER_ENTRY = 160

/** Recent parts are cached, because the next node is often in the same part. */
const RECENT_PARTS = 16

export interface NodeStore extends Nodes {
  readonly loader: Loader
  /** Absent when the backend answers with promises only. */
  readonly syncLoader: SyncLoader | undefined
  /** Caches the nodes of a pack that was appended as entry `seq`, and numbers them. */
  land(links: readonly Link[], seq: number): void
  /** Caches the first part of a pack that was read with its entry: its roots are likely to be read next. */
  offer(seq: number, part: Uint8Array): void
}

export function nodeStore(log: Log, cache: Cache<Node>): NodeStore {
  const recent = new Map<number, PartIndex>()
  const { sync } = log

  let offered: { readonly seq: number; readonly part: Uint8Array } | undefined
  const findPart = (link: Link): PartIndex | undefined => {
    if (offered?.seq === seqOfPointer(link.at)) {
      const { seq, part } = offered
      offered = undefined
      keep(guarded(link, () => indexPart(seq, 0, part)))
    }
    const part = recent.get(seqOfPointer(link.at))
    return part !== undefined && isIn(part, link) ? part : undefined
  }
  const keepPart = (link: Link, stored: StoredPart | undefined): PartIndex => {
    if (stored === undefined) throw storeError('pack-dropped', { id: shown(link.id), seq: seqOfPointer(link.at) })
    const part = guarded(link, () => indexPart(stored.seq, stored.first, stored.bytes))
    keep(part)
    return part
  }
  const keep = (part: PartIndex): void => {
    recent.delete(part.seq)
    recent.set(part.seq, part)
    if (recent.size > RECENT_PARTS) recent.delete(recent.keys().next().value!)
  }
  const take = (link: Link, part: PartIndex): Node => {
    const node = readNode(link, part)
    cache.put(link.at, node.node, node.bytes)
    return node.node
  }
  const absent = (links: readonly Link[]): Link[] => links.filter(link => !cache.has(link.at))

  return {
    find: link => cache.find(link.at),
    loader: {
      async load(link) {
        return take(link, findPart(link) ?? keepPart(link, (await log.parts([partPointer(link)]))[0]))
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
          for (const link of group) if (isIn(part, link)) take(link, part)
        }
      },
    },
    syncLoader:
      sync === undefined
        ? undefined
        : {
            load: link => take(link, findPart(link) ?? keepPart(link, sync.parts([partPointer(link)])[0])),
            // A synchronous backend has no round trip to save.
            loadAll() {},
          },
    offer: (seq, part) => {
      offered = { seq, part }
    },
    land(links, seq) {
      links.forEach((link, index) => {
        const { node, text } = link.fresh!
        link.at = pointerOf(seq, index)
        link.fresh = undefined
        numberWriters(node, seq)
        cache.put(link.at, node, sizeOf(node, text.length))
      })
    },
  }
}

function isIn({ first, offsets }: PartIndex, link: Link): boolean {
  const index = indexOfPointer(link.at)
  return index >= first && index < first + offsets.length - 1
}

function partPointer(link: Link): { seq: number; index: number } {
  return { seq: seqOfPointer(link.at), index: indexOfPointer(link.at) }
}

function readNode(link: Link, part: PartIndex): { readonly node: Node; readonly bytes: number } {
  return guarded(link, () => {
    const record = recordAt(part, indexOfPointer(link.at))
    if (hashBytes(record.text) !== link.id) throw new RangeError('a node does not have the id that its parent names')
    verifyRecord(record, link.id)
    const text = decoder.decode(record.text)
    const node = parseNode(text, provenanceReader(record.provenance, part.seq))
    return { node, bytes: sizeOf(node, text.length) }
  })
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Turns any error of reading a damaged record into one that names the entry. */
function guarded<T>(link: Link, read: () => T): T {
  try {
    return read()
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause
    const data = { id: shown(link.id), seq: seqOfPointer(link.at), reason: cause.message }
    throw storeError('object-corrupt', data, { cause })
  }
}

/** Replaces seq 0, the commit being written, by the entry it was appended as. */
function numberWriters(node: Node, seq: number): void {
  provenanceOf(
    node,
    () => {},
    entry => {
      if (seqOfWriter(entry.writer) === 0) entry.writer = writerOf(seq, entry.writer)
    },
  )
}

function sizeOf(node: Node, textLength: number): number {
  const parts = 'entries' in node ? node.entries.length : 'items' in node ? node.items.length : 0
  return textLength * 2 + parts * BYTES_PER_ENTRY + BYTES_PER_ENTRY
}

function shown(id: string): string {
  return id.length === 43 ? hexOfId(id) : id
}
