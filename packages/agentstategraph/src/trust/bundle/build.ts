/**
 * Makes a bundle readable: each commit gets a pack in a scratch, with the pointers and writers that follow from the states.
 *
 * Every entry and node was checked by itself before it comes here. Whether the whole bundle holds is decided later, and not
 * here.
 */

import { hexOfId, isStateError } from '../../core/index.ts'
import { openScratch } from '../../repository/scratch.ts'
import { asyncLog } from '../../store/contract/async-log.ts'
import type { Scratch, ScratchIds } from '../../store/contract/scratch.ts'
import {
  type Backend,
  type CommitRecord,
  type EntryRecord,
  type Journal,
  type Log,
  openJournal,
  type Pack,
  type Roots,
  readCommit,
  type StoredCommit,
  type Work,
  writePack,
} from '../../store/index.ts'
import { remember } from '../../store/journal/commit.ts'
import { indexPart, recordAt } from '../../store/packs/read-pack.ts'
import { indexOfPointer, type Link, pointerOf, seqOfPointer, writerOf } from '../../tree/index.ts'
import type { BundleEntry } from './check-entries.ts'
import { BundleFault } from './fault.ts'
import type { HeaderRecord } from './format.ts'
import { BundleLog } from './log.ts'
import type { BundleSink } from './read.ts'
import { bundleNodes, withheldLink } from './rebuilt-nodes.ts'
import { type Rebuilding, rebuiltRoot, writersOf } from './writers.ts'

/** The fields of a header that decide how a bundle is built. */
export type Outline = Pick<HeaderRecord, 'from' | 'epoch' | 'profile'>

/** An entry whose nodes are still coming. */
interface Pending {
  readonly entry: BundleEntry
  readonly texts: Map<string, string>
}

/** A commit with the pack that holds its states. */
interface Packed {
  readonly commit: StoredCommit
  readonly pack: Pack
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Most nodes are read again by one of the next commits, or not at all. */
const CACHE_BYTES = 8 * 1024 * 1024

/** Adds the entries of a bundle to a log. An entry is added when the next one comes, since its nodes follow it. */
export class BundleBuilder implements BundleSink {
  readonly journal: Journal
  readonly backend: Backend
  readonly #outline: Outline
  readonly #log: BundleLog
  /** Where each node is that was added. */
  readonly #pointers: ScratchIds
  /** The nodes that came before all entries: those of the access state from before the epoch. */
  readonly #carried = new Map<string, string>()
  #pending: Pending | undefined

  private constructor(outline: Outline, log: BundleLog, backend: Backend, journal: Journal, scratch: Scratch) {
    this.#pointers = scratch.ids()
    this.journal = journal
    this.backend = backend
    this.#outline = outline
    this.#log = log
  }

  static async open(outline: Outline): Promise<BundleBuilder> {
    const scratch = await openScratch()
    const log = new BundleLog(outline.from, outline.epoch, scratch)
    const backend = backendOf(asyncLog(log, { onChange: () => () => {} }), scratch)
    const clock = (): Date => new Date(log.head().time)
    const journal = await openJournal(backend, { clock, cacheBytes: CACHE_BYTES })
    return new BundleBuilder(outline, log, backend, journal, scratch)
  }

  entry(entry: BundleEntry): void {
    this.#addPending()
    // A redacted bundle has no commit texts, so there is no history to read.
    if (this.#outline.profile !== 'redacted') this.#pending = { entry, texts: new Map() }
  }

  node(id: string, text: string): void {
    const texts = this.#pending?.texts ?? this.#carried
    texts.set(id, text)
  }

  finish(refs: ReadonlyMap<string, number>): void {
    this.#addPending()
    if (this.#outline.profile !== 'redacted') this.#log.setRefs(refs)
  }

  #addPending(): void {
    const pending = this.#pending
    this.#pending = undefined
    if (pending === undefined) return
    const { seq, line, record, commit } = pending.entry
    const { entry: text, commit: commitText } = line
    if (record === undefined || text === undefined) return
    const { time } = record
    if (commit === undefined || commitText === undefined) {
      this.#log.add({ text, time, commit: undefined, parts: [] })
      return
    }
    const packed = this.#pack(pending, record, commit)
    const { links, parts } = packed.pack
    this.#log.add({ text, time, commit: { id: hexOfId(packed.commit.id), text: commitText }, parts })
    for (const [index, { id }] of links.entries()) this.#pointers.add(id, pointerOf(seq, index))
    this.journal.nodes.land(links, seq)
    // The next commit most often has this one as its parent.
    remember(this.journal, packed.commit)
  }

  /** Hashes prove what was written, not that it makes sense: nodes of other makers may not fit together. */
  #pack(pending: Pending, record: EntryRecord, commit: CommitRecord): Packed {
    try {
      return this.journal.runSync(this.#packCommit(pending, record, commit))
    } catch (cause) {
      if (isStateError(cause) || !(cause instanceof TypeError || cause instanceof RangeError)) throw cause
      throw new BundleFault('node', `entry ${pending.entry.seq}: the nodes of its states do not fit together`)
    }
  }

  *#packCommit(pending: Pending, entry: EntryRecord, record: CommitRecord): Work<Packed> {
    const { seq } = pending.entry
    const parents: StoredCommit[] = []
    for (const id of record.parents) {
      const at = this.#log.findSeq(hexOfId(id))
      if (at !== undefined) parents.push(yield* readCommit(this.journal, at))
    }
    const roots = yield* this.#rootsOf(pending, entry, record, parents)
    const seqs = parents.map(parent => parent.seq)
    const commit = { seq, id: entry.commit!, record, entry, parents: seqs, ...roots }
    return { commit, pack: writePack(roots, seqs) }
  }

  *#rootsOf(
    { entry: { line }, texts }: Pending,
    { changed = [] }: EntryRecord,
    { tree, system, detail, parents: ids }: CommitRecord,
    parents: readonly StoredCommit[],
  ): Work<Roots> {
    const { from, profile } = this.#outline
    if (profile !== 'full' || line.dropped === 1)
      return { tree: withheldLink(tree), system: withheldLink(system), detail: undefined }
    const before = parents.length < ids.length ? writerOf(from - 1, 0) : undefined
    const rebuilding: Rebuilding = {
      nodes: bundleNodes(this.journal.context, id => texts.get(id) ?? this.#textOf(id)),
      writerAt: writersOf(changed, before),
    }
    const rebuilt = (id: string, befores: readonly Link[]): Work<Link> => rebuiltRoot(rebuilding, id, befores)
    return {
      tree: yield* rebuilt(
        tree,
        parents.map(parent => parent.tree),
      ),
      system: yield* rebuilt(
        system,
        parents.map(parent => parent.system),
      ),
      detail: detail === undefined ? undefined : yield* rebuilt(detail, []),
    }
  }

  /** The text of a node that an earlier commit brought. */
  #textOf(id: string): string | undefined {
    const pointer = this.#pointers.find(id)
    if (pointer === undefined) return this.#carried.get(id)
    const index = indexOfPointer(pointer)
    const [part] = this.#log.parts([{ seq: seqOfPointer(pointer), index }])
    const record = part && recordAt(indexPart(part.seq, part.first, part.bytes), index)
    return record?.kind === 'whole' ? decoder.decode(record.text) : undefined
  }
}

function backendOf(log: Log, scratch: Scratch): Backend {
  const close = async (): Promise<void> => scratch.close()
  return {
    capabilities: { durable: false, shared: false, sync: true },
    namespaces: async () => ['default'],
    namespace: () => log,
    dropNamespace: async () => {},
    close,
    [Symbol.asyncDispose]: close,
  }
}
