/**
 * Taints on places, and how they restrict a change.
 *
 * `/taints/<id>` of the access state holds the taints in force, `/released/<id>` those that were released. A taint restricts a
 * change to a place that its pattern matches, to a place inside it, and to a container of it; so a write to a parent, a merge
 * or a revert cannot bypass it. Taints apply to everyone, the operator included.
 */

import { formatPath } from '../../core/index.ts'
import type { Work } from '../../store/index.ts'
import { accessError } from '../records/access-errors.ts'
import type { Ended } from '../records/access-record.ts'
import type { AccessState } from '../records/accessor.ts'
import type { Capability } from '../records/capability.ts'
import type { Identity } from '../records/identity.ts'
import type { ProposedChange } from '../records/proposed-change.ts'
import type { RequiredApproval } from '../records/required-approval.ts'
import type { SchemaWarning } from '../records/violation.ts'
import { type PlaceIndex, placeIndex } from '../state/place-index.ts'
import { coversNames, coversPlaces, meansName, touchesPlace } from '../state/place-pattern.ts'
import { accessTime, accessValue } from './access-state.ts'
import { type Chain, chainsOf, linkFault } from './authority.ts'

export const taintEffects = ['block', 'review', 'isolate', 'warn'] as const
/** What a taint does to changes and reads. */
export type TaintEffect = (typeof taintEffects)[number]

export const severities = ['low', 'medium', 'high'] as const
/** How serious a taint is. */
export type Severity = (typeof severities)[number]

export interface TaintRecord {
  readonly id: string
  /** A pattern of places. */
  readonly path: string
  readonly effect: TaintEffect
  readonly reason: string
  readonly severity?: Severity
  readonly expires?: string
  /** Whether reads are restricted too. */
  readonly quarantine?: boolean
  /** Patterns of names; absent, it holds on all branches. */
  readonly branches?: readonly string[]
  readonly by: string
  readonly time: string
  /** The principals behind what the places held when they were tainted. None of them may be behind the release. */
  readonly authors: readonly string[]
  readonly released?: Ended
}

/** The part of a taint that says where it applies: setting and releasing it are authorized by that. */
export type TaintedPlaces = Pick<TaintRecord, 'path' | 'branches'>

type TaintTable = Readonly<Record<string, TaintRecord>>

const indexes = new WeakMap<AccessState, PlaceIndex<TaintRecord>>()

/** The taints in force that have not expired. */
export function* taintsInForce(state: AccessState): Work<readonly TaintRecord[]> {
  return unexpired(state, Object.values((yield* accessValue<TaintTable>(state, ['taints'])) ?? {}))
}

/** Those whose patterns may match a changed path. */
function* taintsAbout(state: AccessState, { changed }: ProposedChange): Work<readonly TaintRecord[]> {
  let index = indexes.get(state)
  if (index === undefined) {
    const table = (yield* accessValue<TaintTable>(state, ['taints'])) ?? {}
    index = placeIndex(Object.values(table), ({ path }) => [path])
    indexes.set(state, index)
  }
  return unexpired(state, index.about(changed))
}

function unexpired(state: AccessState, taints: readonly TaintRecord[]): readonly TaintRecord[] {
  if (taints.length === 0) return taints
  const now = accessTime(state)
  return taints.filter(({ expires }) => expires === undefined || Date.parse(expires) > now)
}

export function isOnBranch({ branches }: TaintedPlaces, name: string): boolean {
  return branches === undefined || branches.some(pattern => meansName(pattern, name))
}

/** Whether a taint hides its places from principals that may not release it. */
export function isHiding({ effect, quarantine }: TaintRecord): boolean {
  return effect === 'isolate' || quarantine === true
}

/** What taints require of a change that they do not forbid. */
export interface TaintJudgement {
  readonly requiredApproval: RequiredApproval | undefined
  readonly warnings: readonly SchemaWarning[]
}

/** Throws when a taint forbids the change. */
export function* judgeTaints(
  state: AccessState,
  identity: Identity | undefined,
  change: ProposedChange,
): Work<TaintJudgement> {
  let required: RequiredApproval | undefined
  const warnings: SchemaWarning[] = []
  for (const taint of yield* taintsAbout(state, change)) {
    const at = isOnBranch(taint, change.branch)
      ? change.changed.find(path => touchesPlace(taint.path, path))
      : undefined
    if (at === undefined) continue
    const path = formatPath(at)
    const { id, effect, reason } = taint
    const isForbidden = effect === 'block' || (effect === 'isolate' && !(yield* mayRelease(state, identity, taint)))
    if (isForbidden) throw accessError('tainted', { taint: id, path, reason })
    if (effect === 'review') required ??= { rule: `taint ${id}` }
    if (effect === 'warn') warnings.push({ path, rule: 'taint', message: reason, pattern: taint.path })
  }
  return { requiredApproval: required, warnings }
}

/** Whether an identity may release a taint. The operator needs no grant. */
export function* mayRelease(state: AccessState, identity: Identity | undefined, taint: TaintedPlaces): Work<boolean> {
  return identity === undefined || (yield* coversTaint(state, yield* chainsOf(state, identity), 'release', taint))
}

/** Whether a chain allows a capability at every place and on every branch of a taint. */
export function* coversTaint(
  state: AccessState,
  chains: readonly Chain[],
  capability: Capability,
  taint: TaintedPlaces,
): Work<boolean> {
  for (const chain of chains) if (yield* coversWith(state, chain, capability, taint)) return true
  return false
}

function* coversWith(
  state: AccessState,
  chain: Chain,
  capability: Capability,
  { path, branches }: TaintedPlaces,
): Work<boolean> {
  for (const [at, link] of chain.entries()) {
    if ((yield* linkFault(state, chain, at, { capability }, undefined)) !== undefined) return false
    if (link.paths?.some(pattern => coversPlaces(pattern, path)) === false) return false
    const { branches: allowed } = link
    if (allowed === undefined) continue
    if (branches?.every(name => allowed.some(pattern => coversNames(pattern, name))) !== true) return false
  }
  return chain.length > 0
}
