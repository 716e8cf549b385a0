/**
 * Checking what a backend stores beside the entries: by itself, and against the entries.
 *
 * A place without upkeep has nothing that can be damaged by itself.
 */

import { isStateError } from '../../core/index.ts'
import type { Handle } from '../../repo/index.ts'
import { ask, keysOfEntry, type Work } from '../../store/index.ts'
import type { EntryRecord } from '../../store/journal/entry.ts'
import { type DamageList, damageOf } from './damage.ts'

/** Reports the cells that are not as they were written. */
export async function checkUpkeep({ journal }: Handle, damage: DamageList): Promise<void> {
  for (const { where, what } of (await journal.log.upkeep?.inspect()) ?? []) damage.add(where, what)
}

/** Reports the keys of an entry that do not lead to it. */
export function* checkKeys(seq: number, record: EntryRecord, report: (what: string) => void): Work<void> {
  for (const key of keysOfEntry(record)) {
    const at = yield* ask(log => log.key(key))
    if (at !== seq) report(`its key "${key}" leads to ${at === null ? 'nothing' : `entry ${at}`}`)
  }
}

/** The newest entry. Where the end of the journal is damaged that is reported, and the end is looked for. */
export async function findEnd({ journal }: Handle, damage: DamageList): Promise<number> {
  try {
    return (await journal.run(ask(log => log.head()))).seq
  } catch (error) {
    const found = damageOf(error)
    if (found === undefined) throw error
    damage.add(found.where, found.what)
    // An entry that must be there and cannot be read is the newest one.
    return isStateError(error, 'object-corrupt') ? (error.data as { seq: number }).seq : await lastStored({ journal })
  }
}

const SCANNED_ENTRIES = 1024

/** The last of the entries that follow each other without a gap from the first on. */
export async function lastStored({ journal }: Pick<Handle, 'journal'>): Promise<number> {
  for (let from = 1; ; from += SCANNED_ENTRIES) {
    const rows = await journal.run(ask(log => log.entries(from, from + SCANNED_ENTRIES - 1, [])))
    const gap = rows.findIndex(({ seq }, i) => seq !== from + i)
    if (gap >= 0) return from + gap - 1
    if (rows.length < SCANNED_ENTRIES) return from + rows.length - 1
  }
}
