/** The redaction of schema violations: the nearest readable path, without the value. */

import { formatPath, isStateError, parseKnownPath } from '../../core/index.ts'
import { pausePoint, type Work } from '../../store/index.ts'
import { type RepoErrors, repoError } from '../errors.ts'
import type { Landing } from '../landing.ts'
import type { Accessor } from '../records/accessor.ts'
import { grantNameOf } from '../records/ref-names.ts'
import type { Violation } from '../records/violation.ts'
import { nearestReadable } from './nearest-readable.ts'
import { type BranchScope, readScopeOf } from './read-scope.ts'

/** The error to throw. Other errors are returned unchanged, and so is any error for the operator. */
export function* redactViolation(
  accessor: Accessor,
  { ref, branch }: Pick<Landing, 'ref' | 'branch'>,
  error: unknown,
): Work<unknown> {
  if (!isStateError(error, 'schema-violation')) return error
  const scope = (yield* readScopeOf(accessor))?.on([branch ?? grantNameOf(ref) ?? ref])
  if (scope === undefined) return error
  const { violations } = error.data as RepoErrors['schema-violation']
  return repoError('schema-violation', { violations: yield* redactedIn(scope, violations) })
}

/** How many are looked at before work may pause. */
const VIOLATIONS_BETWEEN = 64

/** Unreadable violations are reported once for each path: their number would disclose content. */
function* redactedIn(scope: BranchScope, violations: readonly Violation[]): Work<readonly Violation[]> {
  const redacted = new Map<string, Violation>()
  for (const [at, violation] of violations.entries()) {
    if (at % VIOLATIONS_BETWEEN === VIOLATIONS_BETWEEN - 1) yield pausePoint
    const path = parseKnownPath(violation.path)
    if (scope.readability(path) === 'all') {
      redacted.set(JSON.stringify(violation), violation)
      continue
    }
    const place = formatPath(nearestReadable(scope, path))
    const message = 'breaks it where it may not be read'
    redacted.set(place, { path: place, pattern: place, rule: 'schema', value: undefined, message })
  }
  return [...redacted.values()]
}
