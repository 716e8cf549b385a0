/**
 * A bundle made readable: each commit gets a pack in memory, with the pointers and writers that follow from the states.
 *
 * What comes is checked before it comes here, one piece at a time; whether the whole is to be relied on is decided later.
 */

import { hexOfId, isStateError } from '../../core/index.ts'
import {
  type Backend,
  type Journal,
  openJournal,
  type Pack,
  type Roots,
  readCommit,
  type StoredCommit,
  type Work,
  writePack,
} from '../../store/index.ts'
import { remember } from '../../store/journal/commits.ts'
import { indexPart, recordAt } from '../../store/packs/read-pack.ts'
import { indexOfPointer, type Link, type Pointer, pointerOf, seqOfPointer, writerOf } from '../../tree/index.ts'
import type { BundleEntry } from './check-entries.ts'
import { BundleFault } from './fault.ts'
import type { HeaderRecord } from './format.ts'
import { type BundleLog, bundleLog } from './log.ts'
import { bundleNodes, withheldLink } from './nodes.ts'
import type { BundleSink } from './read.ts'
import { type Rebuilding, rebuiltRoot, writersOf } from './writers.ts'

export interface BundleBuilder extends BundleSink {
  readonly journal: Journal
  readonly backend: Backend
}

/** An entry whose nodes are still coming. */
interface Open {
  readonly entry: BundleEntry
  readonly texts: Map<string, string>
}

/** A commit with its roots, which are stored when its pack is. */
interface Packed {
  readonly commit: StoredCommit
  readonly pack: Pack
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Packs are in memory anyway, so only the nodes of commits that lie close together are kept a second time. */
const CACHE_BYTES = 8 * 1024 * 1024

/** Begins with what the header says: the first entry, the name of the epoch, and how much comes. */
export async function bundleBuilder(header: Pick<HeaderRecord, 'from' | 'epoch' | 'profile'>): Promise<BundleBuilder> {
  const { from, epoch, profile } = header
  const built = bundleLog(from, epoch)
  const backend = backendOf(built)
  let time = 0
  const journal = await openJournal(backend, { clock: () => new Date(time), cacheBytes: CACHE_BYTES })
  const places = new Map<string, Pointer>()
  let open: Open | undefined

  const textAt = (at: Pointer | undefined): string | undefined => {
    if (at === undefined) return undefined
    const index = indexOfPointer(at)
    const [part] = built.log.sync!.parts([{ seq: seqOfPointer(at), index }])
    return decoder.decode(recordAt(indexPart(part!.seq, part!.first, part!.bytes), index).text)
  }

  function* rootsOf({ entry: { line, record, commit }, texts }: Open, parents: readonly StoredCommit[]): Work<Roots> {
    const { tree, system, detail, parents: ids } = commit!
    if (profile !== 'full' || line.dropped === 1)
      return { tree: withheldLink(tree), system: withheldLink(system), detail: undefined }
    const before = parents.length < ids.length ? writerOf(from - 1, 0) : undefined
    const rebuilding: Rebuilding = {
      nodes: bundleNodes(journal.context, id => texts.get(id) ?? textAt(places.get(id))),
      writerAt: writersOf(record!.changed ?? [], before),
    }
    const root = (id: string, befores: readonly Link[]): Work<Link> => rebuiltRoot(rebuilding, id, befores)
    return {
      tree: yield* root(
        tree,
        parents.map(parent => parent.tree),
      ),
      system: yield* root(
        system,
        parents.map(parent => parent.system),
      ),
      detail: detail === undefined ? undefined : yield* root(detail, []),
    }
  }

  function* packedCommit(one: Open): Work<Packed> {
    const { seq, record, commit } = one.entry
    const parents: StoredCommit[] = []
    for (const id of commit!.parents) {
      const at = built.findSeq(hexOfId(id))
      if (at !== undefined) parents.push(yield* readCommit(journal, at))
    }
    const roots = yield* rootsOf(one, parents)
    const seqs = parents.map(parent => parent.seq)
    const stored = { seq, id: record!.commit!, record: commit!, entry: record!, parents: seqs, ...roots }
    return { commit: stored, pack: writePack(roots, seqs) }
  }

  /** Hashes prove what was written, not that it makes sense: nodes of other makers may not fit together. */
  const fittingCommit = (one: Open): Packed => {
    try {
      return journal.runSync(packedCommit(one))
    } catch (cause) {
      if (isStateError(cause) || !(cause instanceof TypeError || cause instanceof RangeError)) throw cause
      throw new BundleFault('node', `entry ${one.entry.seq}: the nodes of its states do not fit together`)
    }
  }

  const close = (): void => {
    if (open === undefined) return
    const { seq, line, record, commit } = open.entry
    const packed = commit === undefined ? undefined : fittingCommit(open)
    time = record!.time
    built.add({
      text: line.entry!,
      time,
      commit: packed && { id: hexOfId(packed.commit.id), text: line.commit! },
      parts: packed?.pack.parts ?? [],
    })
    open = undefined
    if (packed === undefined) return
    const { links } = packed.pack
    for (const [index, { id }] of links.entries()) places.set(id, pointerOf(seq, index))
    journal.nodes.land(links, seq)
    // The commit that comes next most often has this one as its parent.
    remember(journal, packed.commit)
  }

  return {
    journal,
    backend,
    entry(entry) {
      close()
      // Without the texts of commits there is no history to read.
      if (profile !== 'redacted') open = { entry, texts: new Map() }
    },
    node(id, text) {
      open!.texts.set(id, text)
    },
    finish(refs) {
      close()
      if (profile !== 'redacted') built.setRefs(refs)
    },
  }
}

function backendOf({ log }: BundleLog): Backend {
  const close = async (): Promise<void> => {}
  return {
    capabilities: { durable: false, shared: false, sync: true },
    namespaces: async () => ['default'],
    namespace: () => log,
    dropNamespace: close,
    close,
    [Symbol.asyncDispose]: close,
  }
}
