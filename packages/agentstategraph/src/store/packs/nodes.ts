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
  type Pointer,
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
import { work, workSync } from '../contract/work.ts'
import { storeError } from '../errors.ts'
import {
  indexPart,
  type PartIndex,
  provenanceReader,
  recordText,
  type TextRecord,
  textRecordAt,
  verifyRecord,
} from './read-pack.ts'

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
  /** Caches a node that was read in another way, and was checked there. */
  put(at: Pointer, node: Node, textLength: number): void
  /** Caches the first part of a pack that was read with its entry: its roots are likely to be read next. */
  offer(seq: number, part: Uint8Array): void
  /** Empties the caches. */
  clear(): void
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
  const take = (link: Link, { seq }: PartIndex, record: TextRecord, bytes: Uint8Array): Node => {
    const { node, size } = guarded(link, () => readNode(link.id, seq, record, bytes))
    cache.put(link.at, node, size)
    return node
  }
  const absent = (links: readonly Link[]): Link[] => links.filter(link => !cache.has(link.at))

  const loader: Loader = {
    async load(link) {
      return await takeFrom(link, findPart(link) ?? keepPart(link, (await log.parts([partPointer(link)]))[0]))
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
        for (const link of group) if (isIn(part, link)) await takeFrom(link, part)
      }
    },
  }
  const takeFrom = async (link: Link, part: PartIndex): Promise<Node> => {
    const record = recordOf(link, part)
    if (record.kind === 'whole') return take(link, part, record, record.text)
    const text = await work(recordText(record, link.id), log, loader).catch(cause => {
      throw damageOf(link, cause)
    })
    return take(link, part, record, text)
  }
  const syncLoader: SyncLoader | undefined = sync && {
    load(link) {
      const part = findPart(link) ?? keepPart(link, sync.parts([partPointer(link)])[0])
      const record = recordOf(link, part)
      const textOf = (): Uint8Array => workSync(recordText(record, link.id), sync, syncLoader!)
      return take(link, part, record, record.kind === 'whole' ? record.text : guarded(link, textOf))
    },
    // A synchronous backend has no round trip to save.
    loadAll() {},
  }

  return {
    find: link => cache.find(link.at),
    loader,
    syncLoader,
    put: (at, node, textLength) => cache.put(at, node, sizeOf(node, textLength)),
    offer: (seq, part) => {
      offered = { seq, part }
    },
    clear() {
      cache.clear()
      recent.clear()
      offered = undefined
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

function recordOf(link: Link, part: PartIndex): TextRecord {
  return guarded(link, () => textRecordAt(part, indexOfPointer(link.at), link.id))
}

function readNode(id: string, seq: number, record: TextRecord, bytes: Uint8Array): { node: Node; size: number } {
  if (hashBytes(bytes) !== id) throw new RangeError('a node does not have the id that its parent names')
  verifyRecord(record, id)
  const text = decoder.decode(bytes)
  const node = parseNode(text, provenanceReader(record.provenance, seq))
  return { node, size: sizeOf(node, text.length) }
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

function guarded<T>(link: Link, read: () => T): T {
  try {
    return read()
  } catch (cause) {
    throw damageOf(link, cause)
  }
}

/** The error for a damaged record, which names the entry; any other error is returned as it is. */
function damageOf(link: Link, cause: unknown): unknown {
  if (!(cause instanceof RangeError)) return cause
  const data = { id: shown(link.id), seq: seqOfPointer(link.at), reason: cause.message }
  return storeError('object-corrupt', data, { cause })
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
