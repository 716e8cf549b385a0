/**
 * Taints: marking places that are suspect, and taking the marks away.
 *
 * What a mark does is judged at the gate, and what it hides where states are read. Here it is set, with the names of those who
 * wrote what is there, and released: by somebody else, who says why.
 */

import { checkOptions, copyGiven, optionsOf, parsePath } from '../../core/index.ts'
import {
  type AccessState,
  accessError,
  accessValue,
  assertMay,
  type Chain,
  chainsOf,
  checkedText,
  comesFrom,
  coversTaint,
  currentAccess,
  type Ended,
  type Handle,
  linkFault,
  namePattern,
  noteRefusal,
  placePattern,
  principalOf,
  type Severity,
  severities,
  type TaintEffect,
  type TaintedPlaces,
  type TaintRecord,
  taintEffects,
  taintsInForce,
  touchesPlace,
} from '../../repo/index.ts'
import type { Repository } from '../../repository/index.ts'
import { keyedListing, type Listing } from '../../repository/listing.ts'
import type { Work } from '../../store/index.ts'
import { type AccessChange, changeAccess } from '../change-access.ts'
import { checkedExpiry } from '../grants/expiry.ts'
import { checkedReason } from '../grants/grants.ts'
import { run } from '../run.ts'
import { timeNow } from '../time.ts'
import { writersOfPlaces } from './writers-of-places.ts'

export interface TaintSpec {
  /** A pattern: the places that it matches, and everything in them. */
  path: string
  /**
   * `block`: nobody changes it. `review`: a change needs the approval of somebody else. `isolate`: only who may release it
   * changes or reads it. `warn`: a change of it carries a warning.
   */
  effect: TaintEffect
  reason: string
  severity?: Severity | undefined
  expires?: Date | string | undefined
  /** Hides it from those who may not release it, whatever the effect. */
  quarantine?: boolean | undefined
  /** Patterns of names; without them it holds on all branches and threads. */
  branches?: readonly string[] | undefined
}

/** A mark as it is kept, with when it was made, and by whom it was taken away. */
export interface Taint extends Omit<TaintRecord, 'time'> {
  readonly timestamp: string
  readonly released?: Ended
}

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

export interface Taints {
  /** Marks places as suspect. */
  taint(mark: TaintSpec): Promise<Taint>
  /** Takes a mark away. Whoever wrote what it is on cannot. */
  release(taint: string, reason: string): Promise<void>
  /** By when they were made. */
  taints(filter?: TaintFilter): Listing<Taint>
}

export function taintsOf({ handle }: Pick<Repository, 'handle'>): Taints {
  return {
    async taint(mark) {
      checkOptions(taintOptions, mark)
      return run(handle, 'taint', tainted(handle, copyGiven(mark)))
    },
    release: (taint, reason) => run(handle, 'release', released(handle, taint, reason)),
    taints: (filter = {}) =>
      keyedListing(
        () => run(handle, undefined, listed(handle, filter)),
        { key: ({ timestamp, id }) => `${timestamp} ${id}` },
        taintsOptions,
        filter,
      ),
  }
}

function* tainted(handle: Handle, spec: TaintSpec): Work<Taint> {
  const mark = checkedTaint(handle, spec)
  const { result } = yield* changeAccess(handle, function* (state): Work<AccessChange<TaintRecord>> {
    yield* assertMayTaint(handle, state, 'taint', mark)
    const record: TaintRecord = {
      id: handle.journal.ids(),
      ...mark,
      by: principalOf(handle.identity),
      time: timeNow(handle),
      authors: yield* writersOfPlaces(handle, mark),
    }
    const edits = [{ set: ['taints', record.id], value: record }]
    return { description: `Taint ${mark.path} (${mark.effect})`, reasoning: mark.reason, edits, result: record }
  })
  return shown(result)
}

function* released(handle: Handle, id: string, reason: string): Work<void> {
  const why = checkedReason(reason)
  yield* changeAccess(handle, function* (state): Work<AccessChange<void>> {
    const taint = yield* getTaint(handle, state, id)
    const author = authorBehind(handle, taint, yield* assertMayTaint(handle, state, 'release', taint))
    if (author !== undefined) {
      throw yield* noteRefusal(handle, accessError('self-released', { taint: id, principal: author }))
    }
    const end: Ended = { by: principalOf(handle.identity), reason: why, time: timeNow(handle) }
    const edits = [{ delete: ['taints', id] }, { set: ['released', id], value: { ...taint, released: end } }]
    return { description: `Release ${taint.path}`, reasoning: why, edits, result: undefined }
  })
}

/** The author that somebody is, or that all his authority to release comes from. */
function authorBehind(
  { identity, who }: Handle,
  { authors }: TaintRecord,
  chains: readonly Chain[],
): string | undefined {
  // The operator is known by the name that he writes under.
  const principal = identity?.principal ?? who.agent
  if (identity === undefined || authors.includes(principal)) return authors.find(name => name === principal)
  const givers = chains.map(chain => authors.find(name => comesFrom(chain, name)))
  return givers.includes(undefined) ? undefined : givers[0]
}

/** A mark in force. One that the handle may not know of is as unknown as one that is not there. */
function* getTaint(handle: Handle, state: AccessState | undefined, id: string): Work<TaintRecord> {
  const taint = state && (yield* accessValue<TaintRecord>(state, ['taints', id]))
  const kept = taint ?? (state && (yield* accessValue<TaintRecord>(state, ['released', id])))
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
  const marks = (yield* accessValue<Readonly<Record<string, TaintRecord>>>(state, ['taints'])) ?? {}
  const before = (yield* accessValue<Readonly<Record<string, TaintRecord>>>(state, ['released'])) ?? {}
  return [...Object.values(marks).filter(one => !inForce.includes(one)), ...Object.values(before)]
}

/** Whether somebody may know of a mark: who could set it or take it away, and who may read something of what it is on. */
function* mayReadTaint({ identity }: Handle, state: AccessState, taint: TaintRecord): Work<boolean> {
  if (identity === undefined) return true
  const chains = yield* chainsOf(state, identity)
  for (const capability of ['taint', 'release'] as const) {
    if (yield* coversTaint(state, chains, capability, taint)) return true
  }
  const { parts } = placePattern(taint.path)
  const stars = parts.findIndex(({ kind }) => kind !== 'key')
  // What all its places have in common.
  const stem = parts.slice(0, stars < 0 ? parts.length : stars).flatMap(part => (part.kind === 'key' ? [part.key] : []))
  for (const chain of chains) {
    let isConcerned = chain.length > 0
    for (const [at, { paths }] of chain.entries()) {
      const fault = yield* linkFault(state, chain, at, { capability: 'read' }, undefined)
      if (fault !== undefined || paths?.some(pattern => touchesPlace(pattern, stem)) === false) isConcerned = false
    }
    if (isConcerned) return true
  }
  return false
}

/** The chains that allow this for all that the mark means, on all the branches that it means; throws when none does. */
function* assertMayTaint(
  handle: Handle,
  state: AccessState | undefined,
  capability: 'taint' | 'release',
  mark: TaintedPlaces,
): Work<readonly Chain[]> {
  const { identity } = handle
  yield* assertMay(handle, state, undefined)
  if (identity === undefined) return []
  const allowing: Chain[] = []
  for (const chain of yield* chainsOf(state!, identity)) {
    if (yield* coversTaint(state!, [chain], capability, mark)) allowing.push(chain)
  }
  if (allowing.length > 0) return allowing
  const data = { principal: identity.principal, capability, path: mark.path }
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
