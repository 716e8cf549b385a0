/**
 * Where a run begins, and what can be reached from there.
 *
 * A route without declared targets may lead anywhere, so from a node that comes to one every node can be reached. All of
 * it is linear in nodes and edges.
 */

import { END, START } from '../model/targets.ts'

/** The edges of a graph as far as they are known, and the nodes that may lead anywhere. */
export interface KnownWays {
  readonly nodes: ReadonlySet<string>
  /** By source: static edges, declared targets of routes, declared ways of Commands. */
  readonly ways: ReadonlyMap<string, ReadonlySet<string>>
  /** The sources of routes whose targets nobody declared. */
  readonly open: ReadonlySet<string>
}

export type Entry =
  | { readonly kind: 'told' }
  /** No edge leaves START: the run begins here. */
  | { readonly kind: 'found'; readonly node: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'ambiguous'; readonly nodes: readonly string[] }

/**
 * Finds where a run begins: at the edges from START, or else at the only node that no edge leads to. Of several such,
 * the one that can lead to the others by a route whose targets are not declared.
 */
export function findEntry({ nodes, ways, open }: KnownWays): Entry {
  if (open.has(START) || (ways.get(START)?.size ?? 0) > 0) return { kind: 'told' }
  const led = new Set<string>()
  for (const [from, targets] of ways) for (const to of targets) if (to !== from) led.add(to)
  const candidates = [...nodes].filter(name => !led.has(name))
  if (candidates.length === 0) return { kind: 'missing' }
  if (candidates.length === 1) return { kind: 'found', node: candidates[0]! }
  const leading = leadingTo(open, ways)
  const able = candidates.filter(name => leading.has(name))
  return able.length === 1 ? { kind: 'found', node: able[0]! } : { kind: 'ambiguous', nodes: candidates }
}

/** The nodes that no run can come to. */
export function findUnreachable({ nodes, ways, open }: KnownWays, starts: Iterable<string>): readonly string[] {
  const reached = new Set(starts)
  // A set's iteration goes on to what is added meanwhile.
  for (const name of reached) {
    if (open.has(name)) return []
    for (const to of ways.get(name) ?? []) if (to !== END) reached.add(to)
  }
  return [...nodes].filter(name => !reached.has(name))
}

/** All nodes from which one of these can be reached, themselves included. */
function leadingTo(goals: ReadonlySet<string>, ways: ReadonlyMap<string, ReadonlySet<string>>): ReadonlySet<string> {
  const sources = new Map<string, string[]>()
  for (const [from, targets] of ways) {
    for (const to of targets) {
      const known = sources.get(to)
      if (known === undefined) sources.set(to, [from])
      else known.push(from)
    }
  }
  const leading = new Set(goals)
  for (const name of leading) for (const from of sources.get(name) ?? []) leading.add(from)
  return leading
}
