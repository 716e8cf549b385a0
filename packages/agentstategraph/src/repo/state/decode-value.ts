/** From what is stored to what a caller sees: sealed values are opened where their key is there, and tags are read, with the codecs of
 * registered classes. */

import { decode, isTagged, keepKeys, keysOf, type Stored, setOwn, userKey } from '../../core/index.ts'
import { pausedMap, type Work } from '../../store/index.ts'
import type { StoredChange, StoredConflict } from '../../tree/index.ts'
import { type Child, decodedChild, decrypted, pausePoint, type TreeContext } from '../../tree/index.ts'
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

/** The same, with pauses inside large values where work may pause. */
function* pausedReport(context: TreeContext, stored: Stored): Work<unknown> {
  const { isPauseDue } = context.nodes
  const isPlain = typeof stored !== 'object' || stored === null || isTagged(stored)
  if (isPauseDue === undefined || isPlain) return reportedValue(context, stored)
  if (Array.isArray(stored)) {
    const list: unknown[] = []
    for (const part of stored as readonly Stored[]) {
      if (isPauseDue()) yield pausePoint
      list.push(yield* pausedReport(context, part))
    }
    return list
  }
  const parts = stored as unknown as { readonly [key: string]: Stored }
  const map: { [key: string]: unknown } = {}
  const names: string[] = []
  for (const key of keysOf(parts)) {
    if (isPauseDue()) yield pausePoint
    const name = userKey(key)
    names.push(name)
    setOwn(map, name, yield* pausedReport(context, parts[key]!))
  }
  keepKeys(map, names)
  return map
}

export function changesFrom(context: TreeContext, changes: readonly StoredChange[]): Work<Change[]> {
  return pausedMap(changes, change => changeFrom(context, change))
}

function* changeFrom(context: TreeContext, change: StoredChange): Work<Change> {
  const shown = (value: Stored): Work<unknown> => pausedReport(context, value)
  const { path } = change
  switch (change.op) {
    case 'add':
      return { op: 'add', path, after: yield* shown(change.after) }
    case 'remove':
      return { op: 'remove', path, before: yield* shown(change.before) }
    case 'change':
      return { op: 'change', path, before: yield* shown(change.before), after: yield* shown(change.after) }
    case 'move':
      return { op: 'move', path, from: change.from, after: yield* shown(change.after) }
  }
}

export function* conflictFrom(context: TreeContext, { path, ...sides }: StoredConflict): Work<Conflict> {
  const shown: Record<string, unknown> = {}
  for (const [side, value] of Object.entries(sides)) shown[side] = yield* pausedReport(context, value as Stored)
  return { path, ...shown }
}
