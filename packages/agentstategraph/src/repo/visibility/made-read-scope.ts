/** Makes the read scope of an identity from its grants of `read` and the taints that hide places from it. */

import { leastOf } from '../../core/index.ts'
import type { Work } from '../../store/index.ts'
import { accessTime } from '../access/access-state.ts'
import { keyExpiry } from '../access/active.ts'
import { chainsOf, linkFault } from '../access/authority.ts'
import { isHiding, isOnBranch, mayRelease, type TaintRecord, taintsInForce } from '../access/taints.ts'
import type { GrantRecord } from '../records/access-record.ts'
import type { AccessState } from '../records/accessor.ts'
import type { Identity } from '../records/identity.ts'
import { coversNames, coversPlaces, meansName, meansPlace, placePattern, touchesPlace } from '../state/place-pattern.ts'
import { type KeptParts, keptParts } from './kept-parts.ts'

/**
 * How much of a place is readable: all; the rest, which is all but what taints hide inside; parts of it; nothing. A leaf is
 * readable where all or the rest is.
 */
export type Readability = 'all' | 'rest' | 'part' | 'none'

/** What is readable of the states that some names lead to. */
export interface BranchScope {
  readonly names: readonly string[]
  /** Whether everything is readable, system data included. */
  readonly isWhole: boolean
  /** Whether nothing is readable. The names themselves are then not disclosed. */
  readonly isBlank: boolean
  readability(path: readonly string[]): Readability
  /** The taint that hides a place which the grants make readable. */
  hiddenBy(path: readonly string[]): string | undefined
  /** What was made of large containers lately. All scopes of one reader share it. */
  readonly kept: KeptParts
}

export interface ReadScope {
  readonly principal: string
  /** Whether everything is readable on every branch. */
  readonly isWhole: boolean
  /** Whether nothing is readable anywhere. */
  readonly isBlank: boolean
  on(names: readonly string[]): BranchScope
  /** Whether all that is readable on `into` is readable on one of the names, so that moving there exposes nothing. */
  flows(names: readonly string[], into: string): boolean
  /** Whether patterns of places, and of branches where there are some, name only what is granted to be read. */
  mayName(paths: readonly string[], branches?: readonly string[] | undefined): boolean
}

/** A read scope, as long as nothing changes by itself. */
export interface CachedReadScope {
  readonly scope: ReadScope
  /** When a grant, a taint or the key that it depends on expires. */
  readonly until: number
}

/** A chain of grants in force with the capability `read`. */
type Region = readonly GrantRecord[]

export function* madeReadScope(state: AccessState, identity: Identity): Work<CachedReadScope> {
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
  // The end of a grant with `release` hides more, so it bounds the cache too.
  const held = taints.length === hiding.length ? regions : yield* chainsOf(state, identity)
  const ends = [...held.flat(), ...taints].flatMap(({ expires }) => (expires === undefined ? [] : Date.parse(expires)))
  const now = accessTime(state)
  const until = leastOf([...ends.filter(end => end > now), yield* keyExpiry(state, identity)])
  return { scope: readScopeFrom(principal, regions, hiding), until }
}

function readScopeFrom(principal: string, regions: readonly Region[], hiding: readonly TaintRecord[]): ReadScope {
  const scopes = new Map<string, BranchScope>()
  const kept = keptParts()
  const branchScopeOn = (names: readonly string[]): BranchScope => {
    const key = JSON.stringify(names)
    const known = scopes.get(key) ?? branchScopeFrom(names, regions, hiding, kept)
    if (scopes.size >= MAX_SCOPES) scopes.clear()
    scopes.set(key, known)
    return known
  }
  return {
    principal,
    isWhole:
      hiding.length === 0 &&
      regions.some(links => links.every(link => link.branches === undefined && link.paths === undefined)),
    isBlank: regions.length === 0,
    on: branchScopeOn,
    mayName: (paths, branches = []) => regions.some(links => links.every(link => isNamedIn(link, paths, branches))),
    flows: (names, into) =>
      branchScopeOn([into]).isBlank || names.some(name => name === into || flowsTo(regions, hiding, name, into)),
  }
}

const MAX_SCOPES = 1024

interface Line {
  readonly regions: readonly Region[]
  readonly hiding: readonly TaintRecord[]
}

function branchScopeFrom(
  names: readonly string[],
  regions: readonly Region[],
  hiding: readonly TaintRecord[],
  kept: KeptParts,
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
    kept,
    readability: path => most(lines.map(line => readabilityOn(line, path))),
    hiddenBy(path) {
      for (const { regions: those, hiding: taints } of lines) {
        if (most(those.map(links => grantedIn(links, path))) === 'none') continue
        const hidden = taints.find(taint => meansPlace(taint.path, path))
        if (hidden !== undefined) return hidden.id
      }
      return undefined
    },
  }
}

function isNamedIn(link: GrantRecord, paths: readonly string[], branches: readonly string[]): boolean {
  return (
    branches.every(name => link.branches?.some(one => coversNames(one, name)) !== false) &&
    paths.every(path => link.paths?.some(one => isNamedBy(one, path)) !== false)
  )
}

/** Whether the keys in a pattern are readable, or lead to what is: wildcards name nothing. */
function isNamedBy(granted: string, pattern: string): boolean {
  const { parts } = placePattern(pattern)
  const named = parts.slice(0, parts.findLastIndex(({ kind }) => kind === 'key') + 1)
  const keys = named.flatMap(part => (part.kind === 'key' ? [part.key] : []))
  return keys.length === named.length ? touchesPlace(granted, keys) : coversPlaces(granted, pattern)
}

function regionsOn(regions: readonly Region[], name: string): readonly Region[] {
  return regions.filter(links => links.every(link => link.branches?.some(one => meansName(one, name)) !== false))
}

function readabilityOn({ regions, hiding }: Line, path: readonly string[]): Readability {
  const granted = most(regions.map(links => grantedIn(links, path)))
  if (granted === 'none' || hiding.some(taint => meansPlace(taint.path, path))) return 'none'
  return granted === 'all' && hiding.some(taint => touchesPlace(taint.path, path)) ? 'rest' : granted
}

/** The readability that every link of a chain grants. */
function grantedIn(links: Region, path: readonly string[]): Readability {
  let readable: Readability = 'all'
  for (const { paths } of links) {
    if (paths === undefined || paths.some(pattern => meansPlace(pattern, path))) continue
    if (!paths.some(pattern => touchesPlace(pattern, path))) return 'none'
    readable = 'part'
  }
  return readable
}

const degrees: readonly Readability[] = ['all', 'rest', 'part', 'none']

function most(found: readonly Readability[]): Readability {
  return degrees.find(degree => found.includes(degree)) ?? 'none'
}

/** Compares patterns and not present content, because reading a branch includes its history. */
function flowsTo(regions: readonly Region[], hiding: readonly TaintRecord[], from: string, into: string): boolean {
  if (hiding.some(taint => isOnBranch(taint, from) && !isOnBranch(taint, into))) return false
  const sources = regionsOn(regions, from)
  return regionsOn(regions, into).every(target =>
    sources.some(source => source === target || coversRegion(source, target)),
  )
}

/** Grants only narrow from link to link, so the last link with paths is the effective one. */
function coversRegion(wide: Region, narrow: Region): boolean {
  const inner = narrow.findLast(({ paths }) => paths !== undefined)?.paths
  return wide.every(({ paths }) => {
    if (paths === undefined) return true
    return inner?.every(one => paths.some(pattern => coversPlaces(pattern, one))) === true
  })
}
