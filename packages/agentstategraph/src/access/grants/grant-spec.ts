/** The specification of a grant, and the checks that do not depend on who gives it. */

import { type Options, optionsOf } from '../../core/index.ts'
import {
  type Capability,
  capabilities,
  type GrantRecord,
  type Handle,
  limitsPerMinute,
  maxChain,
  namePattern,
  placePattern,
} from '../../repo/index.ts'
import { accessFault } from '../errors.ts'
import { checkedExpiry } from './expiry.ts'

/** A grant to be made: permissions and their limits. */
export interface GrantSpec {
  /** Patterns of names, such as `main` or `feature/*`. What is left out is inherited from the giver's grant. */
  branches?: readonly string[] | undefined
  /** Patterns of paths: they match a place and everything in it. */
  paths?: readonly string[] | undefined
  capabilities: readonly Capability[]
  expires?: Date | string | undefined
  /** How many times it may be delegated: 0 unless given. */
  depth?: number | undefined
  limits?: GrantLimits | undefined
}

/** Limits count all use of a grant, delegated use included. */
export interface GrantLimits {
  commitsPerMinute?: number | undefined
  /** Everything that is appended counts: commits, refs that are made or moved, speculations, observations, events. */
  entriesPerMinute?: number | undefined
  /** New branches, tags and threads. */
  branchesPerMinute?: number | undefined
  speculationsPerMinute?: number | undefined
  /** What is appended: the texts of entries and commits, and the packs of commits. */
  bytesPerMinute?: number | undefined
  /** The same of one commit, and of entries that are appended at once without one. */
  bytesPerCommit?: number | undefined
}

/** The options of a call that takes a specification. */
export function grantOptions(call: string): Options<GrantSpec> {
  return optionsOf<GrantSpec>(call, {
    branches: true,
    paths: true,
    capabilities: true,
    expires: true,
    depth: true,
    limits: optionsOf<GrantLimits>(`the limits of ${call}`, {
      commitsPerMinute: true,
      entriesPerMinute: true,
      branchesPerMinute: true,
      speculationsPerMinute: true,
      bytesPerMinute: true,
      bytesPerCommit: true,
    }),
  })
}

/** The part of a record that a spec says. */
export type Terms = Pick<GrantRecord, 'branches' | 'paths' | 'capabilities' | 'expires' | 'depth' | 'limits'>

export const limitNames: readonly (keyof GrantLimits)[] = [...limitsPerMinute, 'bytesPerCommit']

export function checkedTerms(handle: Handle, to: string, spec: GrantSpec): Terms {
  const { branches, paths, depth = 0 } = spec
  const expires = checkedExpiry(handle, spec.expires)
  const limits = checkedLimits(spec.limits)
  branches?.forEach(namePattern)
  paths?.forEach(placePattern)
  if (!(Number.isInteger(depth) && depth >= 0 && depth < maxChain)) {
    throw accessFault('depth-invalid', { depth, most: maxChain - 1 })
  }
  return {
    ...(branches === undefined ? {} : { branches: [...branches] }),
    ...(paths === undefined ? {} : { paths: [...paths] }),
    capabilities: checkedCapabilities(to, spec.capabilities),
    ...(expires === undefined ? {} : { expires }),
    depth,
    ...(limits === undefined ? {} : { limits }),
  }
}

function checkedCapabilities(to: string, asked: readonly Capability[] | undefined): readonly Capability[] {
  if (!Array.isArray(asked) || asked.length === 0) throw accessFault('capabilities-missing', { to })
  for (const capability of asked) {
    if (!capabilities.includes(capability)) {
      throw accessFault('capability-unknown', { capability: String(capability), known: capabilities })
    }
  }
  return [...new Set(asked)]
}

function checkedLimits(limits: GrantLimits = {}): GrantRecord['limits'] {
  const kept: { -readonly [Name in keyof GrantLimits]?: number } = {}
  for (const [limit, given] of Object.entries(limits)) {
    if (given === undefined) continue
    const name = limitNames.find(known => known === limit)
    if (name === undefined || !(Number.isSafeInteger(given) && given >= 1)) {
      throw accessFault('limit-invalid', { limit, given })
    }
    kept[name] = given
  }
  return Object.keys(kept).length === 0 ? undefined : kept
}
