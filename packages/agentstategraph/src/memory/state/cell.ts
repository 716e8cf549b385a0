/** One key of a working copy that was touched: its live value, and what it is compared with. */

import type { Refusal, Stored } from '../../core/index.ts'
import type { Edit } from '../../tree/index.ts'
import type { Codec } from '../values/codec.ts'
import { encodeChild, type Reconciling, reconcile } from '../values/reconcile.ts'

export interface Cell {
  value: unknown
  exists: boolean
  /** Whether a program may hold the value and change it in place. */
  isHandedOut: boolean
  isAssigned: boolean
  /** What the value is compared with: its stored form, or that of the initial value while the key is not stored. */
  baseline: Stored | undefined
  isStored: boolean
  /** What `update` did to a value that is not handed out. */
  edits: Edit[]
}

/** How a key differs from what is stored. Changes made after it was taken are not in it. */
export interface CellChange {
  readonly edits: readonly Edit[]
  /** Undefined when the key is deleted, or when only the edits of an update are known. */
  readonly stored: Stored | undefined
}

/** Whether the value may differ from what is stored. */
export function isTouched({ isHandedOut, isAssigned, edits }: Cell): boolean {
  return isHandedOut || isAssigned || edits.length > 0
}

/** The change of the key at a path; undefined when it is what is stored. */
export function findChange(
  codec: Codec,
  [agent, key]: readonly [agent: string, key: string],
  cell: Cell,
  onRefused: (refusal: Refusal) => void,
): CellChange | undefined {
  const path = [agent, key]
  if (!cell.exists) return cell.isStored ? { edits: [{ op: 'delete', path }], stored: undefined } : undefined
  if (!isTouched(cell)) return undefined
  if (!cell.isHandedOut && !cell.isAssigned) return { edits: [...cell.edits], stored: undefined }
  // An assignment to a key that is not stored replaces its initial value as a whole.
  const baseline = cell.isAssigned && !cell.isStored ? undefined : cell.baseline
  const walk: Reconciling = { codec, at: baseline === undefined ? [agent] : [agent, key], edits: [], refused: [] }
  const stored =
    baseline === undefined ? (encodeChild(walk, key, cell.value) ?? null) : reconcile(walk, cell.value, baseline)
  for (const refusal of walk.refused) onRefused(refusal)
  // A change of an initial value stores all of it, because there is nothing stored to edit.
  if (baseline === undefined || (!cell.isStored && walk.edits.length > 0))
    return { edits: [{ op: 'set', path, value: stored }], stored }
  return walk.edits.length === 0 && walk.refused.length === 0 ? undefined : { edits: walk.edits, stored }
}

/** Takes a change as stored. What was written since it was taken still differs. */
export function settle(cell: Cell, { edits, stored }: CellChange): void {
  if (stored !== undefined) {
    cell.baseline = stored
    cell.isStored = true
    cell.isAssigned = false
    cell.edits.length = 0
  } else if (edits[0]?.op === 'delete' && edits[0].path.length === 2) {
    cell.baseline = undefined
    cell.isStored = false
  } else {
    cell.baseline = undefined
    cell.edits.splice(0, edits.length)
  }
}
