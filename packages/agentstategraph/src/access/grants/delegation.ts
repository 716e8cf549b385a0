/**
 * Delegation: what a grant inherits from its parent, and whether it would be wider than the parent.
 *
 * Terms that are left out are inherited, so they are never wider.
 */

import { type Chain, coversNames, coversPlaces, type GrantRecord } from '../../repo/index.ts'
import { limitNames, type Terms } from './grant-spec.ts'

/** A term in which a grant would be wider than its parent. */
export interface Widening {
  readonly what: string
  readonly reason: string
}

/** The terms of a grant under a parent, with what they leave out inherited. */
export function inherited(terms: Terms, parent: GrantRecord): Terms {
  const branches = terms.branches ?? parent.branches
  const paths = terms.paths ?? parent.paths
  const expires = terms.expires ?? parent.expires
  const limits = { ...parent.limits, ...terms.limits }
  return {
    ...terms,
    ...(branches === undefined ? {} : { branches }),
    ...(paths === undefined ? {} : { paths }),
    ...(expires === undefined ? {} : { expires }),
    ...(Object.keys(limits).length === 0 ? {} : { limits }),
  }
}

/** The first term that is wider than the parent; undefined when none is. */
export function findWidening(terms: Terms, parent: GrantRecord): Widening | undefined {
  const capability = terms.capabilities.find(one => !parent.capabilities.includes(one))
  if (capability !== undefined) return { what: 'capabilities', reason: `${capability} is not among the giver's` }
  if (terms.depth >= parent.depth) {
    const left = parent.depth === 0 ? 'cannot be delegated' : `can be delegated ${parent.depth} times`
    return { what: 'depth', reason: `the giver's ${left}` }
  }
  const path = uncovered(terms.paths, parent.paths, coversPlaces)
  if (path !== undefined) return { what: 'paths', reason: `${path} reaches beyond ${parent.paths!.join(', ')}` }
  const branch = uncovered(terms.branches, parent.branches, coversNames)
  if (branch !== undefined)
    return { what: 'branches', reason: `${branch} reaches beyond ${parent.branches!.join(', ')}` }
  const { expires, limits } = terms
  if (expires !== undefined && parent.expires !== undefined && Date.parse(expires) > Date.parse(parent.expires)) {
    return { what: 'expiry', reason: `the giver's ends at ${parent.expires}` }
  }
  for (const limit of limitNames) {
    const most = parent.limits?.[limit]
    const asked = limits?.[limit]
    if (most !== undefined && asked !== undefined && asked > most) {
      return { what: limit, reason: `the giver's is ${most}` }
    }
  }
  return undefined
}

/** The first pattern that no given pattern covers. */
function uncovered(
  asked: readonly string[] | undefined,
  given: readonly string[] | undefined,
  covers: (wide: string, narrow: string) => boolean,
): string | undefined {
  if (asked === undefined || given === undefined) return undefined
  return asked.find(narrow => !given.some(wide => covers(wide, narrow)))
}

/** The number of restrictions of the last grant of a chain, to delegate from the least restricted. */
export function limitsIn(chain: Chain): number {
  const { branches, paths, expires, limits } = chain.at(-1)!
  return [branches, paths, expires, limits].filter(limit => limit !== undefined).length
}
