/** Savepoints of a working copy, for a nested task that must leave no changes when it fails. */

import type { Stored } from '../../core/index.ts'
import type { Codec } from '../values/codec.ts'
import { updateInPlace } from '../values/update-in-place.ts'
import type { WorkingCopy } from './working-copy.ts'

/** The stored forms of the keys that differed from the stored state; undefined for a deleted key. */
export type Savepoint = ReadonlyMap<string, Stored | undefined>

export function savepointOf(copy: WorkingCopy): Savepoint {
  // The edits of an update have no stored form to restore, so their values are handed out and compared from now on.
  for (const [key, cell] of copy.cells) if (cell.edits.length > 0) copy.find(key)
  // A value that cannot be stored cannot be restored either, and stays as it is.
  const collected = copy.collect(() => {})
  return new Map(collected.map(({ key, stored }) => [key, stored]))
}

export function restore(codec: Codec, copy: WorkingCopy, savepoint: Savepoint): void {
  for (const [key, cell] of copy.cells) {
    const form = savepoint.has(key) ? savepoint.get(key) : cell.baseline
    cell.exists = form !== undefined
    cell.value = form === undefined ? undefined : updateInPlace(codec, cell.value, form)
    if (!savepoint.has(key)) cell.isAssigned = false
    cell.edits.length = 0
  }
}
