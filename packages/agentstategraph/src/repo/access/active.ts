/** Whether principals, keys and branches are active: not frozen, not revoked, not expired. Grants are not considered here. */

import type { Work } from '../../store/index.ts'
import { accessError } from '../records/access-errors.ts'
import type { FrozenRecord, KeyRecord } from '../records/access-record.ts'
import type { AccessState } from '../records/accessor.ts'
import type { AccessRequest } from '../records/capability.ts'
import type { Identity } from '../records/identity.ts'
import { accessTime, accessValue } from './access-state.ts'

/** Throws when the principal is frozen or its key has ended. */
export function* assertActive(state: AccessState, { principal, key }: Identity): Work<void> {
  const frozen = yield* accessValue<FrozenRecord>(state, ['frozen', 'principals', principal])
  if (frozen !== undefined) throw accessError('principal-frozen', { principal, reason: frozen.reason })
  if (key !== undefined && !(yield* isKeyGood(state, key))) throw accessError('key-ended', { principal, key })
}

/** Whether a key exists and is neither revoked nor expired. */
export function* isKeyGood(state: AccessState, key: string): Work<boolean> {
  const record = yield* accessValue<KeyRecord>(state, ['keys', key])
  if (record === undefined || record.revoked !== undefined) return false
  return record.expires === undefined || Date.parse(record.expires) > accessTime(state)
}

/** When the key of an identity expires; never without one. */
export function* keyExpiry(state: AccessState, { key }: Identity): Work<number> {
  const record = key === undefined ? undefined : yield* accessValue<KeyRecord>(state, ['keys', key])
  return record?.expires === undefined ? Number.POSITIVE_INFINITY : Date.parse(record.expires)
}

/** Throws when the branch of a request is frozen. Reading it and thawing it stay possible. */
export function* assertNotFrozen(state: AccessState, { branch, capability }: AccessRequest): Work<void> {
  if (branch === undefined || capability === 'read' || capability === 'admin') return
  const frozen = yield* accessValue<FrozenRecord>(state, ['frozen', 'branches', branch])
  if (frozen !== undefined) throw accessError('branch-frozen', { branch, reason: frozen.reason })
}
