/** Refusing a read: of one place, of a whole branch, or of everything. Whoever has no limits is not asked. */

import { formatPath } from '../../core/index.ts'
import type { Work } from '../../store/index.ts'
import { currentAccess } from '../access/access-state.ts'
import { assertMay } from '../access/assert-may.ts'
import { noteRefusal } from '../access/refusals.ts'
import type { Handle } from '../handle.ts'
import { accessError } from '../records/access-errors.ts'
import { type BranchScope, branchScopeOf, type ReadScope, readScopeOf } from './read-scope.ts'

/** Refuses a place that may not be read at all, whether something is there or not. */
export function* assertReadable(handle: Handle, scope: BranchScope | undefined, path: readonly string[]): Work<void> {
  if (scope !== undefined && scope.readability(path) === 'none') throw yield* readRefused(handle, scope, path)
}

/** Refuses a place that may not be read as a whole. */
export function* assertFullyReadable(
  handle: Handle,
  scope: BranchScope | undefined,
  path: readonly string[],
): Work<void> {
  if (scope !== undefined && scope.readability(path) !== 'all') throw yield* readRefused(handle, scope, path)
}

/** Refuses what shows a place of the handle's branch to who may not read all of it. */
export function* assertReads(handle: Handle, path: readonly string[]): Work<void> {
  yield* assertFullyReadable(handle, yield* branchScopeOf(handle), path)
}

/** Refuses what shows the whole of a branch or thread to who may not read all of it, under one of its names. */
export function* assertReadsBranch(handle: Handle, ...names: readonly string[]): Work<void> {
  const scope = (yield* readScopeOf(handle))?.on(names)
  if (scope !== undefined && !scope.isWhole) throw yield* readRefused(handle, scope, undefined)
}

/** Refuses what shows everything there is, on all branches. */
export function* assertReadsAll(handle: Handle): Work<void> {
  const scope = yield* readScopeOf(handle)
  if (scope === undefined || scope.isWhole) return
  const { principal } = scope
  throw yield* noteRefusal(handle, accessError('access-denied', { principal, capability: 'read' }))
}

/** Refuses to hand everything out: that takes the capability, and whoever gives it away must be able to read it. */
export function* assertExports(handle: Handle): Work<void> {
  if (handle.identity === undefined) return
  yield* assertMay(handle, yield* currentAccess(handle), { capability: 'export' })
  yield* assertReadsAll(handle)
}

/** Refuses to bring what is read under some names to another, where more of it could be read. */
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
