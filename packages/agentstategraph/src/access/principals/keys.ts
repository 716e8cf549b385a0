/**
 * Additional keys, rotation and revocation.
 *
 * Only the operator and the principal itself can add or rotate a key: otherwise an admin could impersonate anyone. A key names
 * the key that it was made with, so that what a leaked key made can be found and revoked with it.
 */

import { checkOptions, coreError, optionsOf } from '../../core/index.ts'
import {
  type AccessState,
  assertMay,
  currentAccess,
  type Ended,
  type Handle,
  isAllowed,
  type KeyRecord,
} from '../../repo/index.ts'
import type { Repository } from '../../repository/index.ts'
import type { Listing } from '../../repository/listing.ts'
import type { Work } from '../../store/index.ts'
import { type AccessChange, type AccessEdit, changeAccess, decidedBy } from '../change-access.ts'
import { accessFault } from '../errors.ts'
import { checkedExpiry } from '../grants/expiry.ts'
import { checkedReason } from '../grants/grants.ts'
import { assertPrincipal, findRecord, recordsIn } from '../records.ts'
import { byTime, listingOf, run } from '../run.ts'
import { entryNameOf, newKey } from './key-text.ts'

/** A key without its secret. */
export interface Key extends Omit<KeyRecord, 'hash'> {
  readonly id: string
}

export interface Keys {
  /** Adds a key, which is returned this once. Existing keys stay valid until they are revoked. */
  addKey(principal: string, options?: KeyOptions): Promise<{ readonly id: string; readonly key: string }>
  /** Revokes a key and every handle that was made from it, and, if it is said, the keys that were made with it. */
  revokeKey(id: string, reason: string, options: RevokeKeyOptions): Promise<void>
  /** Revokes a key and returns one that takes its place, this once. The new key is not among those that were made with the old. */
  rotateKey(
    id: string,
    reason: string,
    options: RotateKeyOptions,
  ): Promise<{ readonly id: string; readonly key: string }>
  /** By when they were made. */
  keys(filter?: KeyFilter): Listing<Key>
}

/** Options of `addKey`. */
export interface KeyOptions {
  expires?: Date | string | undefined
}

/** Options of `revokeKey`. */
export interface RevokeKeyOptions {
  /** Whether all keys that were made with it end too, and those that were made with these. After a leak they should. */
  descendants: boolean
}

/** Options of `rotateKey`. */
export interface RotateKeyOptions extends RevokeKeyOptions, KeyOptions {}

/** Options of `keys`. */
export interface KeyFilter {
  /** Whose they are. */
  principal?: string | undefined
}

const addKeyOptions = optionsOf<KeyOptions>('addKey', { expires: true })
const revokeKeyOptions = optionsOf<RevokeKeyOptions>('revokeKey', { descendants: true })
const rotateKeyOptions = optionsOf<RotateKeyOptions>('rotateKey', { descendants: true, expires: true })
const keysOptions = optionsOf<KeyFilter>('keys', { principal: true })

export function keysOf({ handle }: Pick<Repository, 'handle'>): Keys {
  return {
    async addKey(principal, options = {}) {
      checkOptions(addKeyOptions, options)
      return run(handle, 'addKey', added(handle, principal, options.expires))
    },
    async revokeKey(id, reason, options) {
      checkOptions(revokeKeyOptions, options)
      return run(handle, 'revokeKey', revoked(handle, id, reason, checkedChoice(options)))
    },
    async rotateKey(id, reason, options) {
      checkOptions(rotateKeyOptions, options)
      return run(handle, 'rotateKey', rotated(handle, id, reason, checkedChoice(options), options.expires))
    },
    keys: (filter = {}) => listingOf(handle, () => listed(handle, filter.principal), byTime, keysOptions, filter),
  }
}

function* added(
  handle: Handle,
  principal: string,
  until: Date | string | undefined,
): Work<{ readonly id: string; readonly key: string }> {
  const expires = checkedExpiry(handle, until)
  const key = newKey(handle.journal.namespace)
  yield* changeAccess(handle, function* (state): Work<AccessChange<void>> {
    yield* assertMay(handle, state, undefined)
    assertOwnKeys(handle, principal)
    yield* assertPrincipal(state, principal)
    const { time } = decidedBy(handle)
    const ending = expires === undefined ? {} : { expires }
    const record: KeyRecord = { principal, hash: key.hash, time, ...ending, ...lineageOf(handle) }
    const edits = [{ set: ['keys', key.id], value: record }]
    return { description: `Add a key for ${principal}`, name: entryNameOf(key), edits, result: undefined }
  })
  return { id: key.id, key: key.text }
}

/** Throws when keys of a principal are not the caller's to make. */
function assertOwnKeys({ identity }: Handle, principal: string): void {
  if (identity !== undefined && (identity.principal !== principal || identity.session !== undefined)) {
    throw accessFault('key-foreign', { principal, by: identity.principal })
  }
}

/** The key that a new key is made with, so that what a leaked key made can be found. */
export function lineageOf({ identity }: Handle): Pick<KeyRecord, 'parent'> {
  return identity?.key === undefined ? {} : { parent: identity.key }
}

/** The choice has no default: either one would be wrong where it matters. */
function checkedChoice(options: RevokeKeyOptions | undefined): boolean {
  const descendants = options?.descendants
  if (typeof descendants === 'boolean') return descendants
  const reason = 'it has to be true or false: whether the keys that were made with it end too'
  throw coreError('option-invalid', { field: 'descendants', reason })
}

/** The edits that end a key and, if asked for, those that were made with it, as far as they are not over. */
function* endings(
  handle: Handle,
  state: AccessState | undefined,
  id: string,
  why: string,
  withDescendants: boolean,
): Work<readonly AccessEdit[]> {
  const keys = yield* recordsIn<KeyRecord>(state, ['keys'])
  const meant = new Set([id])
  // A set's iteration goes on to what is added meanwhile.
  if (withDescendants) for (const one of meant) for (const [key, { parent }] of keys) if (parent === one) meant.add(key)
  const value: Ended = { ...decidedBy(handle), reason: why }
  const open = keys.filter(([key, { revoked: ended }]) => meant.has(key) && ended === undefined)
  return open.map(([key]) => ({ set: ['keys', key, 'revoked'], value }))
}

function* rotated(
  handle: Handle,
  id: string,
  reason: string,
  withDescendants: boolean,
  until: Date | string | undefined,
): Work<{ readonly id: string; readonly key: string }> {
  const why = checkedReason(reason)
  const expires = checkedExpiry(handle, until)
  const key = newKey(handle.journal.namespace)
  yield* changeAccess(handle, function* (state): Work<AccessChange<void>> {
    yield* assertMay(handle, state, undefined)
    const old = yield* findRecord<KeyRecord>(state, ['keys', id])
    if (old === undefined || !(yield* mayReadKey(handle, state!, old))) throw accessFault('key-unknown', { key: id })
    const { principal, parent } = old
    assertOwnKeys(handle, principal)
    if (old.revoked !== undefined) throw accessFault('key-over', { key: id })
    const record: KeyRecord = {
      principal,
      hash: key.hash,
      time: decidedBy(handle).time,
      ...(expires === undefined ? {} : { expires }),
      ...(parent === undefined ? {} : { parent }),
      replaces: id,
    }
    const ended = yield* endings(handle, state, id, why, withDescendants)
    const edits = [...ended, { set: ['keys', key.id], value: record }]
    const description = `Rotate a key of ${principal}`
    return { description, reasoning: why, name: entryNameOf(key), edits, result: undefined }
  })
  return { id: key.id, key: key.text }
}

function* revoked(handle: Handle, id: string, reason: string, withDescendants: boolean): Work<void> {
  const why = checkedReason(reason)
  yield* changeAccess(handle, function* (state): Work<AccessChange<void>> {
    const record = yield* findRecord<KeyRecord>(state, ['keys', id])
    const isOwn = record !== undefined && record.principal === handle.identity?.principal
    yield* assertMay(handle, state, isOwn ? undefined : { capability: 'admin' })
    if (record === undefined) throw accessFault('key-unknown', { key: id })
    const edits = yield* endings(handle, state, id, why, withDescendants)
    if (edits.length === 0) throw accessFault('key-over', { key: id })
    return { description: `Revoke a key of ${record.principal}`, reasoning: why, edits, result: undefined }
  })
}

function* listed(handle: Handle, principal: string | undefined): Work<readonly Key[]> {
  const state = yield* currentAccess(handle)
  if (state === undefined) return []
  const keys: Key[] = []
  for (const [id, record] of yield* recordsIn<KeyRecord>(state, ['keys'])) {
    if (principal !== undefined && record.principal !== principal) continue
    const { hash: _, ...shown } = record
    if (yield* mayReadKey(handle, state, record)) keys.push({ id, ...shown })
  }
  return keys
}

/** With admin all keys are readable, otherwise the own ones. */
function* mayReadKey({ identity }: Handle, state: AccessState, { principal }: KeyRecord): Work<boolean> {
  return principal === identity?.principal || (yield* isAllowed(state, identity, { capability: 'admin' }))
}
