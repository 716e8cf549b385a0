/**
 * The API of taints: marking places as suspect, and releasing them.
 *
 * A taint records who wrote its places, and is released by another principal with a reason. The gate judges changes by taints,
 * and read scopes hide what they hide.
 */

import { checkOptions, copyGiven, optionsOf, parsePath } from '../../core/index.ts'
import {
  type AccessState,
  accessError,
  assertMay,
  type Chain,
  chainsOf,
  checkedText,
  coversTaint,
  currentAccess,
  type Ended,
  findCommonLink,
  type Handle,
  linksOf,
  namePattern,
  noteRefusal,
  operator,
  placePattern,
  readScopeOf,
  type Severity,
  severities,
  type TaintEffect,
  type TaintedPlaces,
  type TaintRecord,
  taintEffects,
  taintsInForce,
  touchesPlace,
} from '../../repo/index.ts'
import { newId } from '../../repo/records/once.ts'
import type { Repository } from '../../repository/index.ts'
import type { KeyOrder, Listing } from '../../repository/listing.ts'
import type { Work } from '../../store/index.ts'
import { type AccessChange, changeAccess, decidedBy } from '../change-access.ts'
import { checkedExpiry } from '../grants/expiry.ts'
import { checkedReason } from '../grants/grants.ts'
import { findRecord, recordsIn } from '../records.ts'
import { listingOf, run } from '../run.ts'
import { writersOfPlaces } from './writers-of-places.ts'

/** A taint to set. */
export interface TaintSpec {
  /** A pattern: the places that it matches, and everything in them. */
  path: string
  /**
   * `block`: no changes. `review`: a change needs the approval of another principal. `isolate`: only principals that may
   * release it change or read it. `warn`: a change carries a warning.
   */
  effect: TaintEffect
  reason: string
  severity?: Severity | undefined
  expires?: Date | string | undefined
  /** Hides it from principals that may not release it, whatever the effect. */
  quarantine?: boolean | undefined
  /** Patterns of names; without them it holds on all branches and threads. */
  branches?: readonly string[] | undefined
}

/** A taint and, once it is released, the principal that released it. */
export interface Taint extends Omit<TaintRecord, 'time'> {
  readonly timestamp: string
  readonly released?: Ended
}

/** Options of `taints`. */
export interface TaintFilter {
  /** Those that concern this place, something in it, or something that it is in. */
  path?: string | undefined
  /** Those in force unless given; `released` also means those that have expired. */
  status?: 'in-force' | 'released' | undefined
}

const taintOptions = optionsOf<TaintSpec>('taint', {
  path: true,
  effect: true,
  reason: true,
  severity: true,
  expires: true,
  quarantine: true,
  branches: true,
})
const taintsOptions = optionsOf<TaintFilter>('taints', { path: true, status: true })

/** Places that are suspect. */
export interface Taints {
  /** Marks places as suspect. */
  taint(spec: TaintSpec): Promise<Taint>
  /** Releases a taint. Those who wrote its places cannot. */
  release(taint: string, reason: string): Promise<void>
  /** By when they were made. */
  taints(filter?: TaintFilter): Listing<Taint>
}

const taintOrder: KeyOrder<Taint> = { key: ({ timestamp, id }) => `${timestamp} ${id}` }

export function taintsOf({ handle }: Pick<Repository, 'handle'>): Taints {
  return {
    async taint(spec) {
      checkOptions(taintOptions, spec)
      return run(handle, 'taint', tainted(handle, copyGiven(spec)))
    },
    release: (taint, reason) => run(handle, 'release', released(handle, taint, reason)),
    taints: (filter = {}) => listingOf(handle, () => listed(handle, filter), taintOrder, taintsOptions, filter),
  }
}

function* tainted(handle: Handle, spec: TaintSpec): Work<Taint> {
  const taint = checkedTaint(handle, spec)
  const record = yield* changeAccess(handle, function* (state): Work<AccessChange<TaintRecord>> {
    yield* assertMayTaint(handle, state, 'taint', taint)
    const authors = yield* writersOfPlaces(handle, state, taint)
    const result: TaintRecord = { id: newId(handle), ...taint, ...decidedBy(handle), authors }
    const edits = [{ set: ['taints', result.id], value: result }]
    return { description: `Taint ${taint.path} (${taint.effect})`, reasoning: taint.reason, edits, result }
  })
  return shown(record)
}

function* released(handle: Handle, id: string, reason: string): Work<void> {
  const why = checkedReason(reason)
  yield* changeAccess(handle, function* (state): Work<AccessChange<void>> {
    const taint = yield* getTaint(handle, state, id)
    const author = yield* authorBehind(handle, state, taint, yield* assertMayTaint(handle, state, 'release', taint))
    if (author !== undefined) {
      throw yield* noteRefusal(handle, accessError('self-released', { taint: id, principal: author }))
    }
    const end: Ended = { ...decidedBy(handle), reason: why }
    const edits = [{ delete: ['taints', id] }, { set: ['released', id], value: { ...taint, released: end } }]
    return { description: `Release ${taint.path}`, reasoning: why, edits, result: undefined }
  })
}

/** The author of the tainted content that is a link of every chain that allows the release. */
function* authorBehind(
  { identity, who }: Handle,
  state: AccessState | undefined,
  { authors }: TaintRecord,
  chains: readonly Chain[],
): Work<string | undefined> {
  // The commits of the operator name the agent that it wrote as.
  if (identity === undefined) return findCommonLink(authors, [who.agent, operator])
  const found: (string | undefined)[] = []
  for (const chain of chains) found.push(findCommonLink(authors, yield* linksOf(state, identity, chain)))
  return found.includes(undefined) ? undefined : found[0]
}

/** A taint in force. Throws `taint-unknown` also for one that is not readable. */
function* getTaint(handle: Handle, state: AccessState | undefined, id: string): Work<TaintRecord> {
  const taint = yield* findRecord<TaintRecord>(state, ['taints', id])
  const kept = taint ?? (yield* findRecord<TaintRecord>(state, ['released', id]))
  if (kept === undefined || !(yield* mayReadTaint(handle, state!, kept))) {
    throw accessError('taint-unknown', { taint: String(id) })
  }
  if (taint === undefined) throw accessError('taint-released', { taint: id, by: kept.released!.by })
  return taint
}

function* listed(handle: Handle, { path, status = 'in-force' }: TaintFilter): Work<readonly Taint[]> {
  const state = yield* currentAccess(handle)
  if (handle.identity !== undefined) yield* assertMay(handle, state, undefined)
  if (state === undefined) return []
  const inForce = yield* taintsInForce(state)
  const place = path === undefined ? undefined : parsePath(path)
  const all = status === 'in-force' ? inForce : yield* endedTaints(state, inForce)
  const known: TaintRecord[] = []
  for (const taint of all) if (yield* mayReadTaint(handle, state, taint)) known.push(taint)
  return known.filter(taint => place === undefined || touchesPlace(taint.path, place)).map(shown)
}

function* endedTaints(state: AccessState, inForce: readonly TaintRecord[]): Work<readonly TaintRecord[]> {
  const unreleased = yield* recordsIn<TaintRecord>(state, ['taints'])
  const released = yield* recordsIn<TaintRecord>(state, ['released'])
  return [...unreleased, ...released].map(([, taint]) => taint).filter(taint => !inForce.includes(taint))
}

/** Readable for those who could set or release it, and for those who may read what its patterns name. */
function* mayReadTaint(handle: Handle, state: AccessState, taint: TaintRecord): Work<boolean> {
  const { identity } = handle
  if (identity === undefined) return true
  const chains = yield* chainsOf(state, identity)
  for (const capability of ['taint', 'release'] as const) {
    if (yield* coversTaint(state, chains, capability, taint)) return true
  }
  return (yield* readScopeOf(handle))?.mayName([taint.path], taint.branches) === true
}

/** The chains that allow this at all places and branches of the taint. Throws when none does. */
function* assertMayTaint(
  handle: Handle,
  state: AccessState | undefined,
  capability: 'taint' | 'release',
  taint: TaintedPlaces,
): Work<readonly Chain[]> {
  const { identity } = handle
  yield* assertMay(handle, state, undefined)
  if (identity === undefined) return []
  const allowing: Chain[] = []
  for (const chain of yield* chainsOf(state!, identity)) {
    if (yield* coversTaint(state!, [chain], capability, taint)) allowing.push(chain)
  }
  if (allowing.length > 0) return allowing
  const data = { principal: identity.principal, capability, path: taint.path }
  throw yield* noteRefusal(handle, accessError('access-denied', data))
}

const MAX_BRANCHES = 64

function checkedTaint(
  handle: Handle,
  { path, effect, reason, severity, expires, quarantine, branches }: TaintSpec,
): Omit<TaintRecord, 'id' | 'by' | 'time' | 'authors'> {
  if (typeof path !== 'string') throw invalid('path', 'is not a pattern')
  if (!taintEffects.includes(effect)) throw invalid('effect', `is none of ${taintEffects.join(', ')}`)
  if (severity !== undefined && !severities.includes(severity)) {
    throw invalid('severity', `is none of ${severities.join(', ')}`)
  }
  if (quarantine !== undefined && typeof quarantine !== 'boolean')
    throw invalid('quarantine', 'is neither true nor false')
  if (branches !== undefined) checkBranches(branches)
  const ends = checkedExpiry(handle, expires)
  return {
    path: placePattern(path).text,
    effect,
    reason: checkedReason(reason),
    ...(severity === undefined ? {} : { severity }),
    ...(ends === undefined ? {} : { expires: ends }),
    ...(quarantine === undefined ? {} : { quarantine }),
    ...(branches === undefined ? {} : { branches: [...branches] }),
  }
}

function checkBranches(branches: readonly string[]): void {
  if (!Array.isArray(branches) || branches.length === 0) throw invalid('branches', 'is an empty list, or none')
  if (branches.length > MAX_BRANCHES) throw invalid('branches', `has more than ${MAX_BRANCHES} patterns`)
  for (const name of branches) namePattern(checkedText('branch', name, 256)!)
}

function invalid(field: string, reason: string): Error {
  return accessError('taint-invalid', { field, reason })
}

function shown({ time, ...taint }: TaintRecord): Taint {
  return { ...taint, timestamp: time }
}
