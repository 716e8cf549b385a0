/** What somebody wants to grant, and what of it is wrong by itself, whoever grants it. */

import { type Options, optionsOf } from '../../core/index.ts'
import {
  type Capability,
  capabilities,
  type GrantRecord,
  type Handle,
  maxChain,
  namePattern,
  placePattern,
} from '../../repo/index.ts'
import { accessFault } from '../errors.ts'
import { checkedExpiry } from './expiry.ts'

export interface GrantSpec {
  /** Patterns of names, such as `main` or `feature/*`. What is left out is as far as the giver's own. */
  branches?: readonly string[] | undefined
  /** Patterns of places: what they match, and everything in it. */
  paths?: readonly string[] | undefined
  capabilities: readonly Capability[]
  expires?: Date | string | undefined
  /** How many times it may be handed on: not at all unless given. */
  depth?: number | undefined
  limits?: GrantLimits | undefined
}

/** What is done under a grant counts together, whoever it was handed on to. */
export interface GrantLimits {
  commitsPerMinute?: number | undefined
  bytesPerCommit?: number | undefined
}

/** What is granted, as a call takes it. */
export function grantOptions(call: string): Options<GrantSpec> {
  return optionsOf<GrantSpec>(call, {
    branches: true,
    paths: true,
    capabilities: true,
    expires: true,
    depth: true,
    limits: optionsOf<GrantLimits>(`the limits of ${call}`, { commitsPerMinute: true, bytesPerCommit: true }),
  })
}

/** The part of a record that a spec says. */
export type Terms = Pick<GrantRecord, 'branches' | 'paths' | 'capabilities' | 'expires' | 'depth' | 'limits'>

const limitNames = ['commitsPerMinute', 'bytesPerCommit'] as const

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
  const kept: { commitsPerMinute?: number; bytesPerCommit?: number } = {}
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
