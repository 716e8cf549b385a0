/** The redaction of conflicts: one that is not readable as a whole loses its sides and is reported at the nearest readable path. */

import { formatPath, parseKnownPath } from '../../core/index.ts'
import { pausedMap, type Work } from '../../store/index.ts'
import type { StoredConflict } from '../../tree/index.ts'
import type { Handle } from '../handle.ts'
import type { Conflict } from '../records/change.ts'
import { conflictFrom } from '../state/decode-value.ts'
import { nearestReadable } from './nearest-readable.ts'
import { branchScopeOf } from './read-scope.ts'

export function* redactConflicts(handle: Handle, conflicts: readonly StoredConflict[]): Work<readonly Conflict[]> {
  const scope = conflicts.length === 0 ? undefined : yield* branchScopeOf(handle)
  const redacted = yield* pausedMap(conflicts, function* (conflict): Work<Conflict> {
    const path = parseKnownPath(conflict.path)
    const isWhole = scope === undefined || scope.readability(path) === 'all'
    if (isWhole) return yield* conflictFrom(handle.journal.context, conflict)
    return { path: formatPath(nearestReadable(scope, path)) }
  })
  const told = new Map<string, Conflict>()
  for (const conflict of redacted) if (!told.has(conflict.path)) told.set(conflict.path, conflict)
  return [...told.values()]
}
