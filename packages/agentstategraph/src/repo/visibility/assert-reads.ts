/** Refusals of reads: of a path, of a branch, of everything. The operator is unrestricted and passes every check. */

import { formatPath } from '../../core/index.ts'
import type { Work } from '../../store/index.ts'
import { currentAccess } from '../access/access-state.ts'
import { assertMay } from '../access/assert-may.ts'
import { noteRefusal } from '../access/refusals.ts'
import type { Handle } from '../handle.ts'
import { accessError } from '../records/access-errors.ts'
import { type BranchScope, branchScopeOf, type ReadScope, readScopeOf } from './read-scope.ts'

/** Throws when nothing of a path is readable, whether or not the path exists. */
export function* assertReadable(handle: Handle, scope: BranchScope | undefined, path: readonly string[]): Work<void> {
  if (scope !== undefined && scope.readability(path) === 'none') throw yield* readRefused(handle, scope, path)
}

/** Throws when a path is not readable as a whole. */
export function* assertFullyReadable(
  handle: Handle,
  scope: BranchScope | undefined,
  path: readonly string[],
): Work<void> {
  if (scope !== undefined && scope.readability(path) !== 'all') throw yield* readRefused(handle, scope, path)
}

/** The same, on the branch of the handle. */
export function* assertReads(handle: Handle, path: readonly string[]): Work<void> {
  yield* assertFullyReadable(handle, yield* branchScopeOf(handle), path)
}

/** Throws when a branch or thread is not readable as a whole under one of its names. */
export function* assertReadsBranch(handle: Handle, ...names: readonly string[]): Work<void> {
  const scope = (yield* readScopeOf(handle))?.on(names)
  if (scope !== undefined && !scope.isWhole) throw yield* readRefused(handle, scope, undefined)
}

/** Throws when not everything on all branches is readable. */
export function* assertReadsAll(handle: Handle): Work<void> {
  const scope = yield* readScopeOf(handle)
  if (scope === undefined || scope.isWhole) return
  const { principal } = scope
  throw yield* noteRefusal(handle, accessError('access-denied', { principal, capability: 'read' }))
}

/** Throws when the handle may not export everything: that takes the capability, and reading everything. */
export function* assertExports(handle: Handle): Work<void> {
  if (handle.identity === undefined) return
  yield* assertMay(handle, yield* currentAccess(handle), { capability: 'export' })
  yield* assertReadsAll(handle)
}

/**
 * Throws when patterns name what is not readable. A caller that decides a merge at hidden places would learn from its conflicts
 * which of them both sides changed.
 */
export function* assertNamesReadable(handle: Handle, patterns: readonly string[]): Work<void> {
  if (patterns.length === 0) return
  const scope = yield* readScopeOf(handle)
  const hidden = scope === undefined ? undefined : patterns.find(pattern => !scope.mayName([pattern], [handle.branch]))
  if (hidden === undefined) return
  const data = {
    principal: handle.identity!.principal,
    capability: 'read' as const,
    branch: handle.branch,
    path: hidden,
  }
  throw yield* noteRefusal(handle, accessError('access-denied', data))
}

/** Throws when moving content from some names to another would make more of it readable. */
export function* assertNoExposure(
  handle: Handle,
  scope: ReadScope | undefined,
  names: readonly string[],
  into: string,
): Work<void> {
  if (scope === undefined || scope.flows(names, into)) return
  const { principal } = scope
  const [branch] = names
  const data = { principal, capability: 'read' as const, ...(branch === undefined ? {} : { branch }) }
  throw yield* noteRefusal(handle, accessError('access-denied', data))
}

function* readRefused(handle: Handle, scope: BranchScope, path: readonly string[] | undefined): Work<unknown> {
  const taint = path === undefined ? undefined : scope.hiddenBy(path)
  if (taint !== undefined) {
    return yield* noteRefusal(handle, accessError('quarantined', { taint, path: formatPath(path!) }))
  }
  const { principal } = handle.identity!
  const [branch] = scope.names
  return yield* noteRefusal(
    handle,
    accessError('access-denied', {
      principal,
      capability: 'read',
      ...(branch === undefined ? {} : { branch }),
      ...(path === undefined ? {} : { path: formatPath(path) }),
    }),
  )
}
