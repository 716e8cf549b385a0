/** The redaction of refused changes: what a merge or a rollback would have changed is reported at the nearest readable path. */

import { formatPath, isStateError, parseKnownPath } from '../../core/index.ts'
import type { Work } from '../../store/index.ts'
import { accessError } from '../records/access-errors.ts'
import type { Accessor } from '../records/accessor.ts'
import type { Capability } from '../records/capability.ts'
import { nearestReadable } from './nearest-readable.ts'
import { type BranchScope, readScopeOf } from './read-scope.ts'

interface Refused {
  readonly capability?: Capability
  readonly rule?: string
  readonly branch?: string
  readonly path?: string
  readonly paths?: readonly string[]
}

/** The error to throw. Errors that name no path are returned unchanged, and so is any error for the operator. */
export function* redactRefusal(accessor: Accessor, branch: string | undefined, error: unknown): Work<unknown> {
  const { identity } = accessor
  if (identity === undefined || !isStateError(error)) return error
  const data = error.data as Refused
  const named = data.path ?? data.paths?.[0]
  if (named === undefined) return error
  const on = data.branch ?? branch
  const scope = (yield* readScopeOf(accessor))!.on(on === undefined ? [] : [on])
  if (isStateError(error, 'access-denied') || isStateError(error, 'tainted')) {
    const path = shownPath(scope, named)
    const { capability = 'commit' } = data
    const place = on === undefined ? { path } : { branch: on, path }
    return path === named
      ? error
      : accessError('access-denied', { principal: identity.principal, capability, ...place })
  }
  if (!isStateError(error, 'rule-denied')) return error
  const paths = [...new Set(data.paths!.map(path => shownPath(scope, path)))]
  return accessError('rule-denied', { rule: data.rule!, branch: data.branch!, paths })
}

/** A path that is granted and in quarantine is known to be so. */
function shownPath(scope: BranchScope, path: string): string {
  const segments = parseKnownPath(path)
  return scope.hiddenBy(segments) === undefined ? formatPath(nearestReadable(scope, segments)) : path
}
