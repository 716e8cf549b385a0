/**
 * A bundle made readable: each commit gets a pack in memory, with the pointers and writers that follow from the states.
 *
 * What comes is checked before it comes here, one piece at a time; whether the whole is to be relied on is decided later.
 */

import { hexOfId, isStateError } from '../core/index.ts'
import {
  type Backend,
  type Journal,
  leafOfEntry,
  openJournal,
  type Pack,
  readCommit,
  type StoredCommit,
  type Work,
  writePack,
} from '../store/index.ts'
import { indexPart, recordAt } from '../store/pack-read.ts'
import { indexOfPointer, type Link, type Pointer, pointerOf, seqOfPointer, writerOf } from '../tree/index.ts'
import type { BundleEntry } from './bundle-check-entries.ts'
import { BundleFault } from './bundle-fault.ts'
import type { HeaderRecord } from './bundle-format.ts'
import { type BundleLog, bundleLog } from './bundle-log.ts'
import type { BundleSink } from './bundle-read.ts'
import { type Rebuilding, rebuiltRoot, withheldLink, writersOf } from './bundle-writers.ts'

export interface BundleBuilder extends BundleSink {
  readonly journal: Journal
  readonly backend: Backend
}

/** An entry whose nodes are still coming. */
interface Open {
  readonly entry: BundleEntry
  readonly texts: Map<string, string>
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Begins with what the header says: the first entry, the name of the epoch, and how much comes. */
export async function bundleBuilder(header: Pick<HeaderRecord, 'from' | 'epoch' | 'profile'>): Promise<BundleBuilder> {
  const { from, epoch, profile } = header
  const built = bundleLog(from, epoch)
  const backend = backendOf(built)
  let time = 0
  const journal = await openJournal(backend, { clock: () => new Date(time) })
  const places = new Map<string, Pointer>()
  let open: Open | undefined

  const textAt = (at: Pointer | undefined): string | undefined => {
    if (at === undefined) return undefined
    const index = indexOfPointer(at)
    const [part] = built.log.sync!.parts([{ seq: seqOfPointer(at), index }])
    return decoder.decode(recordAt(indexPart(part!.seq, part!.first, part!.bytes), index).text)
  }

  function* packOf({ entry: { line, record, commit }, texts }: Open): Work<Pack> {
    const { tree, system, detail, parents: ids } = commit!
    const parents: StoredCommit[] = []
    for (const id of ids) {
      const at = built.findSeq(hexOfId(id))
      if (at !== undefined) parents.push(yield* readCommit(journal, at))
    }
    const seqs = parents.map(parent => parent.seq)
    if (profile !== 'full' || line.dropped === 1)
      return writePack({ tree: withheldLink(tree), system: withheldLink(system), detail: undefined }, seqs)
    const before = parents.length < ids.length ? writerOf(from - 1, 0) : undefined
    const rebuilding: Rebuilding = {
      context: journal.context,
      textOf: id => texts.get(id) ?? textAt(places.get(id)),
      writerAt: writersOf(record!.changed ?? [], before),
    }
    const root = (id: string, befores: readonly Link[]): Work<Link> => rebuiltRoot(rebuilding, id, befores)
    return writePack(
      {
        tree: yield* root(
          tree,
          parents.map(parent => parent.tree),
        ),
        system: yield* root(
          system,
          parents.map(parent => parent.system),
        ),
        detail: detail === undefined ? undefined : yield* root(detail, []),
      },
      seqs,
    )
  }

  /** Hashes prove what was written, not that it makes sense: nodes of other makers may not fit together. */
  const fittingPack = (one: Open): Pack => {
    try {
      return journal.runSync(packOf(one))
    } catch (cause) {
      if (isStateError(cause) || !(cause instanceof TypeError || cause instanceof RangeError)) throw cause
      throw new BundleFault('node', `entry ${one.entry.seq}: the nodes of its states do not fit together`)
    }
  }

  const close = (): void => {
    if (open === undefined) return
    const { seq, line, record, commit } = open.entry
    const pack = commit === undefined ? undefined : fittingPack(open)
    time = record!.time
    built.add({
      text: line.entry!,
      leaf: leafOfEntry(line.entry!),
      time,
      commit: commit === undefined ? undefined : { id: hexOfId(record!.commit!), text: line.commit! },
      parts: pack?.parts ?? [],
    })
    for (const [index, { id }] of (pack?.links ?? []).entries()) places.set(id, pointerOf(seq, index))
    journal.nodes.land(pack?.links ?? [], seq)
    open = undefined
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
