/** From what is stored to what a caller sees: sealed values are opened where their key is there, and tags are read, with the codecs of
 * registered classes. */

import { decode, type Stored } from '../../core/index.ts'
import type { Work } from '../../store/index.ts'
import type { StoredChange, StoredConflict } from '../../tree/index.ts'
import { type Child, decodedChild, decrypted, type TreeContext } from '../../tree/index.ts'
import type { Change, Conflict } from '../records/change.ts'

/** A value to work with; an instance without a codec is an error that names its path. */
export function decodeValue({ encryption, classes }: TreeContext, stored: Stored, at: readonly string[] = []): unknown {
  return decode(decrypted(encryption, stored), classes, { at })
}

export function decodeChild(context: TreeContext, child: Child, at: readonly string[]): Work<unknown> {
  return decodedChild(context, child, at, (stored, path) => decodeValue(context, stored, path))
}

/** A value in a report, which can be made without all codecs. */
export function reportedValue({ encryption, classes }: TreeContext, stored: Stored): unknown {
  return decode(decrypted(encryption, stored), classes, { isReport: true })
}

export function reportedChild(context: TreeContext, child: Child): Work<unknown> {
  return decodedChild(context, child, [], stored => reportedValue(context, stored))
}

export function changeFrom(context: TreeContext, change: StoredChange): Change {
  const shown = (value: Stored): unknown => reportedValue(context, value)
  switch (change.op) {
    case 'add':
      return { op: 'add', path: change.path, after: shown(change.after) }
    case 'remove':
      return { op: 'remove', path: change.path, before: shown(change.before) }
    case 'change':
      return { op: 'change', path: change.path, before: shown(change.before), after: shown(change.after) }
    case 'move':
      return { op: 'move', path: change.path, from: change.from, after: shown(change.after) }
  }
}

export function conflictFrom(context: TreeContext, { path, ...sides }: StoredConflict): Conflict {
  const values = Object.entries(sides).map(([side, value]) => [side, reportedValue(context, value as Stored)])
  return { path, ...Object.fromEntries(values) }
}
