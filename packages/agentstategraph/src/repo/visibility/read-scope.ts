/**
 * What a handle may read: grants of `read`, without the places that marks hide.
 *
 * The operator has no limits and no sight: nothing is asked for him. Who acts under a key is given a sight of the access state
 * as it is now, and a view of it for the names that lead to a state. It says what may be read, and reads nothing.
 */

import { leastOf } from '../../core/index.ts'
import type { Work } from '../../store/index.ts'
import { accessTime, currentAccess } from '../access/access-state.ts'
import { assertActive, keyExpiry } from '../access/active.ts'
import { chainsOf, linkFault } from '../access/authority.ts'
import { isHiding, isOnBranch, mayRelease, type TaintRecord, taintsInForce } from '../access/taints.ts'
import { accessError } from '../records/access-errors.ts'
import type { GrantRecord } from '../records/access-record.ts'
import type { Accessor, AccessState } from '../records/accessor.ts'
import type { Identity } from '../records/identity.ts'
import { coversPlaces, meansName, meansPlace, touchesPlace } from '../state/place-pattern.ts'

/**
 * How much of a place may be read: all of it; the rest of it, without what a mark hides inside; only parts of it; nothing.
 * What has no parts is read where all or the rest may be.
 */
export type Readability = 'all' | 'rest' | 'part' | 'none'

/** What may be read of the states that some names lead to. */
export interface BranchScope {
  readonly names: readonly string[]
  /** Whether everything may be read, what the system keeps included. */
  readonly isWhole: boolean
  /** Whether nothing at all may be read: then the names themselves are unknown. */
  readonly isBlank: boolean
  readability(path: readonly string[]): Readability
  /** The mark that hides a place which could be read without it. */
  hiddenBy(path: readonly string[]): string | undefined
}

export interface ReadScope {
  readonly principal: string
  /** Whether everything may be read on every branch. */
  readonly isWhole: boolean
  /** Whether nothing may be read anywhere. */
  readonly isBlank: boolean
  on(names: readonly string[]): BranchScope
  /** Whether whatever may be read on `into` may be read on one of the names too, so that nothing is shown by going there. */
  flows(names: readonly string[], into: string): boolean
}

/** A chain of grants that allows to read, link by link. */
type Region = readonly GrantRecord[]

interface CachedReadScope {
  readonly scope: ReadScope
  /** When a grant, a taint or the key that it depends on expires. */
  readonly until: number
}

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
  const made = yield* makeReadScope(state, identity)
  cache.set(state, scopes.set(identity, made))
  return made.scope
}

/** What a handle may read of its branch; undefined when it has no limits. */
export function* branchScopeOf(handle: Accessor & { readonly branch: string }): Work<BranchScope | undefined> {
  return (yield* readScopeOf(handle))?.on([handle.branch])
}

function* makeReadScope(state: AccessState, identity: Identity): Work<CachedReadScope> {
  const { principal } = identity
  const regions: Region[] = []
  for (const chain of yield* chainsOf(state, identity)) {
    let isLive = chain.length > 0
    for (let at = 0; at < chain.length && isLive; at++) {
      isLive = (yield* linkFault(state, chain, at, { capability: 'read' }, undefined)) === undefined
    }
    if (isLive) regions.push(chain)
  }
  const hiding: TaintRecord[] = []
  const taints = (yield* taintsInForce(state)).filter(isHiding)
  for (const taint of taints) if (!(yield* mayRelease(state, identity, taint))) hiding.push(taint)
  // A grant that releases may end as well, and then more is hidden.
  const held = taints.length === hiding.length ? regions : yield* chainsOf(state, identity)
  const ends = [...held.flat(), ...taints].flatMap(({ expires }) => (expires === undefined ? [] : Date.parse(expires)))
  const now = accessTime(state)
  const until = leastOf([...ends.filter(end => end > now), yield* keyExpiry(state, identity)])
  return { scope: readScopeFrom(principal, regions, hiding), until }
}

function readScopeFrom(principal: string, regions: readonly Region[], hiding: readonly TaintRecord[]): ReadScope {
  const views = new Map<string, BranchScope>()
  const branchScopeOn = (names: readonly string[]): BranchScope => {
    const key = JSON.stringify(names)
    const known = views.get(key) ?? branchScopeFrom(names, regions, hiding)
    if (views.size >= MAX_VIEWS) views.clear()
    views.set(key, known)
    return known
  }
  return {
    principal,
    isWhole:
      hiding.length === 0 &&
      regions.some(links => links.every(link => link.branches === undefined && link.paths === undefined)),
    isBlank: regions.length === 0,
    on: branchScopeOn,
    flows: (names, into) =>
      branchScopeOn([into]).isBlank || names.some(name => name === into || flowsTo(regions, hiding, name, into)),
  }
}

const MAX_VIEWS = 1024

interface Line {
  readonly regions: readonly Region[]
  readonly hiding: readonly TaintRecord[]
}

function branchScopeFrom(
  names: readonly string[],
  regions: readonly Region[],
  hiding: readonly TaintRecord[],
): BranchScope {
  const lines = names
    .map(
      (name): Line => ({
        regions: regionsOn(regions, name),
        hiding: hiding.filter(taint => isOnBranch(taint, name)),
      }),
    )
    .filter(line => line.regions.length > 0)
  return {
    names,
    isWhole: lines.some(
      line => line.hiding.length === 0 && line.regions.some(links => links.every(link => link.paths === undefined)),
    ),
    isBlank: lines.length === 0,
    readability: path => most(lines.map(line => readabilityOn(line, path))),
    hiddenBy(path) {
      for (const { regions: those, hiding: marks } of lines) {
        if (most(those.map(links => grantedIn(links, path))) === 'none') continue
        const mark = marks.find(taint => meansPlace(taint.path, path))
        if (mark !== undefined) return mark.id
      }
      return undefined
    },
  }
}

function regionsOn(regions: readonly Region[], name: string): readonly Region[] {
  return regions.filter(links => links.every(link => link.branches?.some(one => meansName(one, name)) !== false))
}

function readabilityOn({ regions, hiding }: Line, path: readonly string[]): Readability {
  const granted = most(regions.map(links => grantedIn(links, path)))
  if (granted === 'none' || hiding.some(taint => meansPlace(taint.path, path))) return 'none'
  return granted === 'all' && hiding.some(taint => touchesPlace(taint.path, path)) ? 'rest' : granted
}

/** What every link of a chain allows. */
function grantedIn(links: Region, path: readonly string[]): Readability {
  let seen: Readability = 'all'
  for (const { paths } of links) {
    if (paths === undefined || paths.some(pattern => meansPlace(pattern, path))) continue
    if (!paths.some(pattern => touchesPlace(pattern, path))) return 'none'
    seen = 'part'
  }
  return seen
}

const degrees: readonly Readability[] = ['all', 'rest', 'part', 'none']

function most(seen: readonly Readability[]): Readability {
  return degrees.find(degree => seen.includes(degree)) ?? 'none'
}

/** Whether what has no parts may be read. */
export function isLeafReadable(scope: BranchScope, path: readonly string[]): boolean {
  const seen = scope.readability(path)
  return seen === 'all' || seen === 'rest'
}

/** By patterns and not by what is there now: whoever reads a branch reads its past too. */
function flowsTo(regions: readonly Region[], hiding: readonly TaintRecord[], from: string, into: string): boolean {
  if (hiding.some(taint => isOnBranch(taint, from) && !isOnBranch(taint, into))) return false
  const sources = regionsOn(regions, from)
  return regionsOn(regions, into).every(target =>
    sources.some(source => source === target || coversRegion(source, target)),
  )
}

/** Grants only narrow from link to link, so the last that names places says what is left. */
function coversRegion(wide: Region, narrow: Region): boolean {
  const inner = narrow.findLast(({ paths }) => paths !== undefined)?.paths
  return wide.every(({ paths }) => {
    if (paths === undefined) return true
    return inner?.every(one => paths.some(pattern => coversPlaces(pattern, one))) === true
  })
}
