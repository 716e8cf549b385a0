/**
 * Copies of a whole store to another backend: from a file to a server, and back.
 *
 * Journals are copied entry by entry as they are, so every number, id, writer, epoch and root of the Merkle log is the same in
 * the copy. Refs and idempotency keys follow from the entries; indexes are derived in the copy. Access is not checked: whoever
 * copies can read the source and write the target.
 */

import { checkOptions } from '../core/index.ts'
import { repoError } from '../repo/index.ts'
import { isHigher } from '../repo/log/high-water-mark.ts'
import { open, type Store } from '../repository/index.ts'
import { backendOf } from '../repository/open.ts'
import {
  type Append,
  ask,
  type Backend,
  type Journal,
  keysOfEntry,
  openJournal,
  packParts,
  type StoredEntry,
} from '../store/index.ts'
import { verifiedEntry } from '../store/journal/entries.ts'
import { type OnProgress, type ProgressOptions, progressOptions } from './repository.ts'
import { verify } from './verify.ts'

/** What `copyStore` copied. */
export interface CopyReport {
  readonly namespaces: readonly string[]
  /** How many entries they have, all of them verified in the copy. */
  readonly entries: number
  /** How many of them this call copied; the others were there from a copy that was interrupted. */
  readonly copied: number
}

const copyOptions = progressOptions('copyStore')
/** How many entries are read at once. */
const READ_ENTRIES = 64

/**
 * Copies all namespaces of a store to another one, up to the entries that they have when their turn comes, and verifies the
 * copy. A copy that was interrupted goes on where it ended. Commits that the source gets later are copied by another call.
 */
export async function copyStore(from: Store, to: Store, options: ProgressOptions = {}): Promise<CopyReport> {
  checkOptions(copyOptions, options)
  await using source = await openedHere(from, true)
  // Nothing is made for a source that cannot be read.
  const namespaces = await source.namespaces()
  await using target = await openedHere(to, false)
  // A target that cannot be used is refused also when there is nothing to copy.
  await target.namespaces()
  let [entries, copied] = [0, 0]
  for (const namespace of namespaces) {
    copied += await copyJournal(await openJournal(source, { namespace }), target, options.onProgress)
    await copyMark(source, target, namespace)
    entries += await verifyCopy(target, namespace, options.onProgress)
  }
  return { namespaces, entries, copied }
}

/** The backend of a store. What the caller has opened stays open. */
async function openedHere(store: Store, readOnly: boolean): Promise<Backend> {
  const backend = await backendOf(store, readOnly)
  const isAddress = typeof store === 'string' || store instanceof URL
  return isAddress ? backend : { ...backend, [Symbol.asyncDispose]: async () => {} }
}

async function copyJournal(journal: Journal, target: Backend, onProgress: OnProgress = () => {}): Promise<number> {
  const { namespace } = journal
  const log = target.namespace(namespace)
  const { seq: begun } = await log.head()
  const { seq: total } = await journal.run(ask(from => from.head()))
  const diverged = (): Error => repoError('copy-diverged', { namespace, entries: begun })
  if (begun > 0) {
    const [there] = await log.entries(begun, begun, [])
    const [here] = await journal.run(ask(from => from.entries(begun, begun, [])))
    if (there === undefined || here?.leaf !== there.leaf) throw diverged()
  }
  for (let next = begun + 1; next <= total; next += READ_ENTRIES) {
    const last = Math.min(total, next + READ_ENTRIES - 1)
    const rows = await journal.run(ask(from => from.entries(next, last, ['text', 'commit', 'part'])))
    for (const row of rows) {
      if ((await log.append(await appendOf(journal, row))).kind !== 'done') throw diverged()
    }
    onProgress({ done: last, total })
  }
  return total - begun
}

/** The append that adds an entry after the one before it, with the refs and keys that its text names. */
async function appendOf(journal: Journal, row: StoredEntry): Promise<Append> {
  const { text, leaf, commit, part, seq, time } = row
  const { record } = verifiedEntry(row, ['text', 'commit'])
  const parts = part === undefined ? [] : await journal.run(packParts(seq, part))
  const moves = record.moves.map(([name, expect, to]) => ({ name, expect, to: to === 0 ? { entry: 0 } : to }))
  const keys = keysOfEntry(record).map(key => ({ key, entry: 0 }))
  return { time, entries: [{ text, leaf, commit, parts }], moves, keys, after: seq - 1 }
}

/** The newest signed head of the source, where both keep one outside the store. */
async function copyMark(source: Backend, target: Backend, namespace: string): Promise<void> {
  const head = await source.marks?.read(namespace)
  if (head !== undefined) await target.marks?.replace(namespace, head, kept => isHigher(head, kept))
}

async function verifyCopy(target: Backend, namespace: string, onProgress: OnProgress | undefined): Promise<number> {
  await using repo = await open({ ...target, close: async () => {} }, { namespace, readOnly: true })
  const { ok, checked, damage } = await verify(repo, { onProgress })
  if (ok) return checked
  throw repoError('copy-damaged', { namespace, damage: damage.map(({ where, what }) => `${where}: ${what}`) })
}
