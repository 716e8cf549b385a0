/** A moment of a working copy to come back to: for a nested task that is to leave nothing behind when it fails. */

import type { Stored } from '../../core/index.ts'
import type { Codec } from '../values/codec.ts'
import { updateInPlace } from '../values/update-in-place.ts'
import type { WorkingCopy } from './working-copy.ts'

/** What differed from the stored state at that moment, by key; undefined for what was deleted. */
export type Savepoint = ReadonlyMap<string, Stored | undefined>

export function savepointOf(copy: WorkingCopy): Savepoint {
  // Edits of updates have no form of their own to come back to: their values are compared from here on.
  for (const [key, cell] of copy.cells) if (cell.edits.length > 0) copy.find(key)
  // What cannot be stored cannot be come back to either, and stays as it is.
  const collected = copy.collect(() => {})
  return new Map(collected.map(({ key, stored }) => [key, stored]))
}

export function goBack(codec: Codec, copy: WorkingCopy, savepoint: Savepoint): void {
  for (const [key, cell] of copy.cells) {
    const form = savepoint.has(key) ? savepoint.get(key) : cell.baseline
    cell.isThere = form !== undefined
    cell.value = form === undefined ? undefined : updateInPlace(codec, cell.value, form)
    if (!savepoint.has(key)) cell.isAssigned = false
    cell.edits.length = 0
  }
}
