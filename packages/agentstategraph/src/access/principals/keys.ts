/**
 * Additional keys, for rotation.
 *
 * Only the operator and the principal itself can add a key: otherwise an admin could impersonate anyone.
 */

import { checkOptions, optionsOf } from '../../core/index.ts'
import { assertMay, currentAccess, type Ended, type Handle, isAllowed, type KeyRecord } from '../../repo/index.ts'
import type { Repository } from '../../repository/index.ts'
import type { Listing } from '../../repository/listing.ts'
import type { Work } from '../../store/index.ts'
import { type AccessChange, changeAccess, decidedBy } from '../change-access.ts'
import { accessFault } from '../errors.ts'
import { checkedExpiry } from '../grants/expiry.ts'
import { checkedReason } from '../grants/grants.ts'
import { assertPrincipal, findRecord, recordsIn } from '../records.ts'
import { byTime, listingOf, run } from '../run.ts'
import { newKey } from './key-text.ts'

/** A key without its secret. */
export interface Key extends Omit<KeyRecord, 'hash'> {
  readonly id: string
}

export interface Keys {
  /** Adds a key, which is returned this once. Existing keys stay valid until they are revoked. */
  addKey(principal: string, options?: KeyOptions): Promise<{ readonly id: string; readonly key: string }>
  /** Revokes a key, and with it every handle that was made from it. */
  revokeKey(id: string, reason: string): Promise<void>
  /** By when they were made. */
  keys(filter?: KeyFilter): Listing<Key>
}

/** Options of `addKey`. */
export interface KeyOptions {
  expires?: Date | string | undefined
}

/** Options of `keys`. */
export interface KeyFilter {
  /** Whose they are. */
  principal?: string | undefined
}

const addKeyOptions = optionsOf<KeyOptions>('addKey', { expires: true })
const keysOptions = optionsOf<KeyFilter>('keys', { principal: true })

export function keysOf({ handle }: Pick<Repository, 'handle'>): Keys {
  return {
    async addKey(principal, options = {}) {
      checkOptions(addKeyOptions, options)
      return run(handle, 'addKey', added(handle, principal, options.expires))
    },
    revokeKey: (id, reason) => run(handle, 'revokeKey', revoked(handle, id, reason)),
    keys: (filter = {}) => listingOf(handle, () => listed(handle, filter.principal), byTime, keysOptions, filter),
  }
}

function* added(
  handle: Handle,
  principal: string,
  until: Date | string | undefined,
): Work<{ readonly id: string; readonly key: string }> {
  const expires = checkedExpiry(handle, until)
  const key = newKey()
  yield* changeAccess(handle, function* (state): Work<AccessChange<void>> {
    const { identity } = handle
    yield* assertMay(handle, state, undefined)
    if (identity !== undefined && (identity.principal !== principal || identity.session !== undefined)) {
      throw accessFault('key-foreign', { principal, by: identity.principal })
    }
    yield* assertPrincipal(state, principal)
    const { time } = decidedBy(handle)
    const ending = expires === undefined ? {} : { expires }
    const record: KeyRecord = { principal, hash: key.hash, time, ...ending, ...lineageOf(handle) }
    const edits = [{ set: ['keys', key.id], value: record }]
    return { description: `Add a key for ${principal}`, edits, result: undefined }
  })
  return { id: key.id, key: key.text }
}

/** The key that a new key is made with, so that what a leaked key made can be found. */
export function lineageOf({ identity }: Handle): Pick<KeyRecord, 'parent'> {
  return identity?.key === undefined ? {} : { parent: identity.key }
}

function* revoked(handle: Handle, id: string, reason: string): Work<void> {
  const why = checkedReason(reason)
  yield* changeAccess(handle, function* (state): Work<AccessChange<void>> {
    const record = yield* findRecord<KeyRecord>(state, ['keys', id])
    const isOwn = record !== undefined && record.principal === handle.identity?.principal
    yield* assertMay(handle, state, isOwn ? undefined : { capability: 'admin' })
    if (record === undefined) throw accessFault('key-unknown', { key: id })
    if (record.revoked !== undefined) throw accessFault('key-over', { key: id })
    const ended: Ended = { ...decidedBy(handle), reason: why }
    const edits = [{ set: ['keys', id, 'revoked'], value: ended }]
    return { description: `Revoke a key of ${record.principal}`, reasoning: why, edits, result: undefined }
  })
}

function* listed(handle: Handle, principal: string | undefined): Work<readonly Key[]> {
  const state = yield* currentAccess(handle)
  if (state === undefined) return []
  const seesAll = yield* isAllowed(state, handle.identity, { capability: 'admin' })
  const keys: Key[] = []
  for (const [id, { hash: _, ...shown }] of yield* recordsIn<KeyRecord>(state, ['keys'])) {
    if (principal !== undefined && shown.principal !== principal) continue
    if (seesAll || shown.principal === handle.identity?.principal) keys.push({ id, ...shown })
  }
  return keys
}
