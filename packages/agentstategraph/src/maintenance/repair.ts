/**
 * Making again what is derived from a journal: refs, idempotency keys, and all indexes.
 *
 * Everything is read from the entries, so a journal that is itself damaged is not repaired: its damage is named, and nothing
 * is changed.
 */

import { checkOptions } from '../core/index.ts'
import { findHistoryFault, type Handle, reindex } from '../repo/index.ts'
import { ask, type DerivedCells, keysOfEntry, type RebuiltCell, storeError } from '../store/index.ts'
import { verifiedEntry } from '../store/journal/entries.ts'
import { damageOf } from './checks/damage.ts'
import { lastStored } from './checks/upkeep-check.ts'
import {
  type AnyRepository,
  assertMayAdminister,
  type OnProgress,
  type ProgressOptions,
  progressOptions,
  readable,
  writable,
} from './repository.ts'

/** What `repair` read and what it changed. */
export interface RepairReport {
  /** How many entries the journal has. */
  readonly entries: number
  /** The cells that were not what the entries say, with what they were and what they are now. */
  readonly changed: readonly RepairedCell[]
}

/** A ref, an idempotency key or a commit's place in the index of ids that was wrong. */
export interface RepairedCell {
  readonly kind: 'ref' | 'key' | 'commit'
  readonly name: string
  /** The entry it led to; `null` when there was no such cell, and `'unreadable'` when it was damaged. */
  readonly from: number | null | 'unreadable'
  /** The entry it leads to now; `null` when it was deleted. */
  readonly to: number | null
}

const repairOptions = progressOptions('repair')
const SCANNED_ENTRIES = 256

/** Makes refs, idempotency keys and indexes again from the journal, and tells what was wrong. */
export async function repair(repo: AnyRepository, options: ProgressOptions = {}): Promise<RepairReport> {
  checkOptions(repairOptions, options)
  const handle = repairable(repo)
  const { journal, shared } = handle
  await journal.run(assertMayAdminister(handle))
  for (;;) {
    const cells = await cellsOf(handle, options.onProgress)
    const { upkeep } = journal.log
    const changed = upkeep === undefined ? [] : await upkeep.rebuild(cells)
    // Somebody appended meanwhile.
    if (changed === undefined) continue
    shared.heads.clear()
    await journal.run(reindex(handle, options.onProgress))
    if (shared.fault?.isUncompared === true) await compareAgain(handle)
    return { entries: cells.newest, changed: changed.map(repaired) }
  }
}

/** A history that could not be compared with its mark takes no entry; a repair adds none. */
function repairable(repo: AnyRepository): Handle {
  const handle = readable(repo)
  const { fault, isOpenedToRead } = handle.shared
  return fault?.isUncompared === true && !isOpenedToRead ? handle : writable(repo, 'repair')
}

/** The repository can be written to again if its history is the one that the mark says. */
async function compareAgain({ journal, shared }: Handle): Promise<void> {
  const { namespace } = journal
  const fault = await findHistoryFault(journal, { marks: shared.backend.marks!, namespace })
  shared.fault = fault
  if (fault !== undefined) return
  shared.isReadOnly = false
  journal.assertAppendable = undefined
}

function repaired({ from, ...cell }: RebuiltCell): RepairedCell {
  return { ...cell, from: from === undefined ? 'unreadable' : from }
}

/** What the entries say. Throws when one of them is damaged or missing. */
async function cellsOf(handle: Handle, onProgress: OnProgress = () => {}): Promise<DerivedCells> {
  const { journal } = handle
  const total = await endOf(handle)
  const refs = new Map<string, number>()
  const keys = new Map<string, number>()
  for (let from = 1; from <= total; from += SCANNED_ENTRIES) {
    const to = Math.min(total, from + SCANNED_ENTRIES - 1)
    const rows = await journal.run(ask(log => log.entries(from, to, ['text', 'commit'])))
    for (let seq = from; seq <= to; seq++) {
      const row = rows[seq - from]
      if (row?.seq !== seq)
        throw storeError('object-corrupt', { seq, id: `entry ${seq}`, reason: 'the entry is missing' })
      const { record } = verifiedEntry(row, ['text', 'commit'])
      for (const [name, , target] of record.moves) {
        if (target === null) refs.delete(name)
        else refs.set(name, target === 0 ? seq : target)
      }
      for (const key of keysOfEntry(record)) keys.set(key, seq)
    }
    onProgress({ done: to, total })
  }
  return { newest: total, refs: cellsIn(refs), keys: cellsIn(keys) }
}

/** Where the journal ends: as it is stored, or, when that is damaged, where its entries do. */
async function endOf(handle: Handle): Promise<number> {
  try {
    return (await handle.journal.run(ask(log => log.head()))).seq
  } catch (error) {
    if (damageOf(error)?.seq !== undefined || damageOf(error) === undefined) throw error
    return await lastStored(handle)
  }
}

function cellsIn(places: ReadonlyMap<string, number>): DerivedCells['refs'] {
  return [...places].map(([name, seq]) => ({ name, seq }))
}
