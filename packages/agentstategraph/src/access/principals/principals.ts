/**
 * Principals and authentication.
 *
 * A key is the only proof of identity: no argument says who is calling. A principal without a grant may do nothing.
 */

import { isWellFormed, utf8Length } from '../../core/index.ts'
import {
  type AccessState,
  assertMay,
  currentAccess,
  type Handle,
  isAllowed,
  isKeyGood,
  type KeyRecord,
  operator,
  type PrincipalRecord,
} from '../../repo/index.ts'
import type { Listing } from '../../repository/listing.ts'
import { Repository } from '../../repository/repository.ts'
import type { Work } from '../../store/index.ts'
import { type AccessChange, changeAccess, decidedBy } from '../change-access.ts'
import { accessFault } from '../errors.ts'
import { findRecord, recordsIn } from '../records.ts'
import { byId, listingOf, run } from '../run.ts'
import { entryNameOf, findKey, isSameDigest, newKey } from './key-text.ts'
import { lineageOf } from './keys.ts'

/** What a principal is. */
export type PrincipalKind = PrincipalRecord['kind']

/** A principal: who holds keys and grants. */
export interface Principal extends PrincipalRecord {
  readonly id: string
}

export interface Principals {
  /** Adds a principal and returns its first key, this once. It may do nothing before it has a grant. */
  addPrincipal(id: string, kind: PrincipalKind): Promise<{ readonly id: string; readonly key: string }>
  /** With admin all principals, otherwise only the own one. By id. */
  principals(): Listing<Principal>
  /** The repository as the principal of this key. There is no other way to become a principal. */
  authenticate<State = unknown>(key: string): Promise<Repository<State>>
}

export function principalsOf({ handle }: Pick<Repository, 'handle'>): Principals {
  return {
    addPrincipal: (id, kind) => run(handle, 'addPrincipal', added(handle, id, kind)),
    principals: () => listingOf(handle, () => listed(handle), byId),
    // The identity of the caller does not matter here, only the key.
    authenticate: async key =>
      new Repository(await run({ ...handle, identity: undefined }, undefined, authenticated(handle, key))),
  }
}

const kinds: readonly PrincipalKind[] = ['human', 'agent', 'service']

function* added(handle: Handle, id: string, kind: PrincipalKind): Work<{ readonly id: string; readonly key: string }> {
  assertPrincipalId(id)
  if (!kinds.includes(kind)) {
    throw accessFault('principal-invalid', { principal: id, reason: `${String(kind)} is no kind of principal` })
  }
  const key = newKey(handle.journal.namespace)
  yield* changeAccess(handle, function* (state): Work<AccessChange<void>> {
    yield* assertMay(handle, state, { capability: 'admin' })
    if ((yield* findRecord(state, ['principals', id])) !== undefined) {
      throw accessFault('principal-exists', { principal: id })
    }
    yield* assertNameFree(handle, state, id)
    const principal: PrincipalRecord = { kind, ...decidedBy(handle) }
    const record: KeyRecord = { principal: id, hash: key.hash, time: principal.time, ...lineageOf(handle) }
    return {
      description: `Add ${kind} ${id}`,
      name: entryNameOf(key),
      edits: [
        { set: ['principals', id], value: principal },
        { set: ['keys', key.id], value: record },
      ],
      result: undefined,
    }
  })
  return { id, key: key.text }
}

const MAX_ID_BYTES = 128

/** Throws for an invalid id. Ids appear in texts, so invisible characters are refused. */
export function assertPrincipalId(id: string): void {
  const refuse = (reason: string): never => {
    throw accessFault('principal-invalid', { principal: String(id), reason })
  }
  if (typeof id !== 'string' || id === '') refuse('its id is empty')
  if (id === operator) refuse('the name is reserved for the operator')
  if (!isWellFormed(id)) refuse('its id contains a lone surrogate')
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(id)) refuse('its id contains an invisible character')
  if (id !== id.trim() || id.split('/').some(part => part.trim() === '')) refuse('a part of its id is empty or blank')
  if (utf8Length(id) > MAX_ID_BYTES) refuse(`its id has more than ${MAX_ID_BYTES} bytes`)
}

/** Throws for a new name below or above a principal's: the names below a principal are for the agents that it makes. */
export function* assertNameFree({ identity }: Handle, state: AccessState | undefined, id: string): Work<void> {
  const maker = identity?.principal
  const refuse = (reason: string): never => {
    throw accessFault('principal-invalid', { principal: id, reason })
  }
  for (const [name] of yield* recordsIn(state, ['principals'])) {
    if (isBelow(name, id)) refuse(`"${name}" lies below it`)
    const isOwn = maker !== undefined && isBelow(id, maker) && (maker === name || isBelow(maker, name))
    if (isBelow(id, name) && !isOwn) refuse(`the names below "${name}" are for the agents that it makes`)
  }
}

/** Whether a name lies below another one, which then is the maker's. */
export function isBelow(name: string, above: string): boolean {
  return name.startsWith(`${above}/`)
}

function* listed({ identity, journal, shared }: Handle): Work<readonly Principal[]> {
  const state = yield* currentAccess({ journal, shared })
  if (state === undefined) return []
  const seesAll = yield* isAllowed(state, identity, { capability: 'admin' })
  const all = yield* recordsIn<PrincipalRecord>(state, ['principals'])
  return all.filter(([id]) => seesAll || id === identity?.principal).map(([id, record]) => ({ id, ...record }))
}

/** A digest that no key has, so that an unknown key takes as long to refuse as a wrong one. */
const unusedDigest = 'A'.repeat(43)

/** The handle of a key. The error does not say why a key is refused, so guessing keys reveals nothing. */
function* authenticated(handle: Handle, text: string): Work<Handle> {
  const state = yield* currentAccess(handle)
  const key = findKey(text)
  const record = key && (yield* findRecord<KeyRecord>(state, ['keys', key.id]))
  const isRight = isSameDigest(key?.hash ?? unusedDigest, record?.hash ?? unusedDigest)
  if (record === undefined || !isRight || !(yield* isKeyGood(state!, key!.id))) throw accessFault('key-refused', {})
  const { principal } = record
  return {
    shared: handle.shared,
    journal: handle.journal,
    branch: handle.branch,
    who: { agent: principal, tags: [], intent: undefined, trace: undefined },
    identity: { principal, key: key!.id },
  }
}
