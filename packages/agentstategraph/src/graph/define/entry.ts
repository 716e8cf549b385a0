/**
 * Where a run begins, and which nodes can be reached from there.
 *
 * A route without declared targets may lead to every node. The cost is linear in nodes and edges.
 */

import { getOrAdd } from '../model/get-or-add.ts'
import { END, START } from '../model/targets.ts'

/** The known ways of a graph, and the nodes that may lead to every node. */
export interface KnownWays {
  readonly nodes: ReadonlySet<string>
  /** By source: static edges, declared targets of routes, and the `goto` options of nodes. */
  readonly ways: ReadonlyMap<string, ReadonlySet<string>>
  /** The sources of routes without declared targets. */
  readonly open: ReadonlySet<string>
}

export type Entry =
  | { readonly kind: 'declared' }
  /** No edge leaves START: the run begins here. */
  | { readonly kind: 'found'; readonly node: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'ambiguous'; readonly nodes: readonly string[] }

/**
 * Finds where a run begins: at the edges from START, or else at the only node that no edge leads to. Of several such nodes
 * it is the only one from which a route without declared targets can be reached, because that may lead to the others.
 */
export function findEntry({ nodes, ways, open }: KnownWays): Entry {
  if (open.has(START) || (ways.get(START)?.size ?? 0) > 0) return { kind: 'declared' }
  const led = new Set<string>()
  for (const [from, targets] of ways) for (const to of targets) if (to !== from) led.add(to)
  const candidates = [...nodes].filter(name => !led.has(name))
  if (candidates.length === 0) return { kind: 'missing' }
  if (candidates.length === 1) return { kind: 'found', node: candidates[0]! }
  const leading = leadingTo(open, ways)
  const able = candidates.filter(name => leading.has(name))
  return able.length === 1 ? { kind: 'found', node: able[0]! } : { kind: 'ambiguous', nodes: candidates }
}

/** The nodes that no run can reach. */
export function findUnreachable({ nodes, ways, open }: KnownWays, starts: Iterable<string>): readonly string[] {
  const reached = new Set(starts)
  // The iteration of a set includes elements that are added during it.
  for (const name of reached) {
    if (open.has(name)) return []
    for (const to of ways.get(name) ?? []) if (to !== END) reached.add(to)
  }
  return [...nodes].filter(name => !reached.has(name))
}

/** The nodes from which one of the goals can be reached, the goals included. */
function leadingTo(goals: ReadonlySet<string>, ways: ReadonlyMap<string, ReadonlySet<string>>): ReadonlySet<string> {
  const sources = new Map<string, string[]>()
  for (const [from, targets] of ways) for (const to of targets) getOrAdd(sources, to, () => []).push(from)
  const leading = new Set(goals)
  for (const name of leading) for (const from of sources.get(name) ?? []) leading.add(from)
  return leading
}
