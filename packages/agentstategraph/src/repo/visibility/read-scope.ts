/**
 * What an identity may read: its grants of `read`, without the places that taints hide.
 *
 * The operator is unrestricted; `readScopeOf` returns undefined. A read scope belongs to one access state, and gives a branch
 * scope for the names that lead to a state. It reads no state itself.
 */

import type { Work } from '../../store/index.ts'
import { accessTime, currentAccess } from '../access/access-state.ts'
import { assertActive } from '../access/active.ts'
import { accessError } from '../records/access-errors.ts'
import type { Accessor, AccessState } from '../records/accessor.ts'
import type { Identity } from '../records/identity.ts'
import { keptParts } from './kept-parts.ts'
import { type BranchScope, type CachedReadScope, madeReadScope, type ReadScope } from './made-read-scope.ts'

export type { BranchScope, Readability, ReadScope } from './made-read-scope.ts'

const cache = new WeakMap<AccessState, WeakMap<Identity, CachedReadScope>>()

/** What a handle may read; undefined for the operator, who is unrestricted. Throws when the principal is not active. */
export function* readScopeOf(handle: Accessor): Work<ReadScope | undefined> {
  const { identity } = handle
  if (identity === undefined) return undefined
  const state = yield* currentAccess(handle)
  if (state === undefined) throw accessError('principal-unknown', { principal: identity.principal })
  const scopes = cache.get(state) ?? new WeakMap<Identity, CachedReadScope>()
  const known = scopes.get(identity)
  if (known !== undefined && accessTime(state) < known.until) return known.scope
  yield* assertActive(state, identity)
  const made = yield* madeReadScope(state, identity)
  cache.set(state, scopes.set(identity, made))
  return made.scope
}

/** The scope of a handle on its branch; undefined for the operator. */
export function* branchScopeOf(handle: Accessor & { readonly branch: string }): Work<BranchScope | undefined> {
  return (yield* readScopeOf(handle))?.on([handle.branch])
}

/** The scope of a principal that may read nothing. */
export const nothingReadable: BranchScope = {
  names: [],
  isWhole: false,
  isBlank: true,
  readability: () => 'none',
  hiddenBy: () => undefined,
  kept: keptParts(),
}

/** Whether a leaf is readable. */
export function isLeafReadable(scope: BranchScope, path: readonly string[]): boolean {
  const readability = scope.readability(path)
  return readability === 'all' || readability === 'rest'
}
