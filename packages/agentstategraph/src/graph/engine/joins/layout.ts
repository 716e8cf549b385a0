/**
 * Which node can come after which, from the edges of a plan alone.
 *
 * Joins need it: where a member of a fork group waits for others, which of several joins comes first, and where an empty
 * fan-out goes on. Nodes are numbers here, by their order in the plan. A layout is made once for a plan; answers about
 * groups are cached, because a loop opens the same group again.
 */

import type { CompiledGraphPlan } from '../../model/compiled-plan.ts'
import { getOrAdd } from '../../model/get-or-add.ts'
import { END, START } from '../../model/targets.ts'
import { addNode, firstNode, hasNode, type NodeSet, newNodeSet, removeNode } from './node-set.ts'

export interface ReachOptions {
  /** Nodes that are not entered and not in the answer. The ways out of an avoided start are taken. */
  readonly avoid?: NodeSet | undefined
  /** A node whose ways out are not taken. */
  readonly stop?: number | undefined
  /**
   * By default a route without declared targets leads to every node. `known`: it leads only to the nodes that nothing else
   * leads to. `forward`: of these ways only those to nodes of a higher rank.
   */
  readonly ways?: 'known' | 'forward' | undefined
}

export interface Layout {
  readonly size: number
  /** The nodes that a static edge from here leads to. */
  edgesFrom(node: string): readonly string[]
  /** The targets of the routes and the `goto` option of a node, and whether all its routes declare theirs. */
  routed(node: string): { readonly targets: readonly string[]; readonly isDeclared: boolean }
  /** Whether a way leads from one node to another. */
  leads(from: string, to: string): boolean
  /** All nodes that can be reached from these, themselves included. */
  reach(starts: Iterable<number>, options?: ReachOptions): NodeSet
  /** The rank of each node in the order of the graph, by which a way leads forward or back. */
  ranks(): readonly number[]
  /** The cached answer to a question about this graph, or the one that `find` gives. */
  remember<T>(question: string, find: () => T): T
}

/** The limit of the cache, because a route with many targets makes many different groups. */
const ANSWERS_AT_MOST = 1000

const layouts = new WeakMap<CompiledGraphPlan, Layout>()

export function layoutOf(plan: CompiledGraphPlan): Layout {
  return getOrAdd(layouts, plan, () => newLayout(plan))
}

function newLayout(plan: CompiledGraphPlan): Layout {
  const size = plan.nodes.size
  const loose = looseNodes(plan)
  const edgesFrom = (node: string): readonly string[] => (plan.edges.get(node) ?? []).filter(to => to !== END)
  const routed = (node: string): { readonly targets: readonly string[]; readonly isDeclared: boolean } => {
    const routes = plan.routes.get(node) ?? []
    const isDeclared = routes.every(route => route.targets !== undefined)
    const declared = routes.flatMap(route => [...(route.targets?.keys() ?? [])])
    const said = [...declared, ...(plan.nodes.get(node)?.options.goto ?? [])].filter(to => to !== END)
    return { targets: [...new Set(isDeclared ? said : [...said, ...loose])], isDeclared }
  }
  const orderOf = (name: string): number => plan.nodes.get(name)!.order
  const ways: (readonly number[])[] = []
  const isOpen: boolean[] = []
  for (const { name, order } of plan.nodes.values()) {
    const { targets, isDeclared } = routed(name)
    ways[order] = [...new Set([...edgesFrom(name), ...targets].map(orderOf))]
    isOpen[order] = !isDeclared
  }
  const entries = [...edgesFrom(START), ...routed(START).targets].map(orderOf)
  let ranks: readonly number[] | undefined
  const ranksOnce = (): readonly number[] => {
    ranks ??= ranksOf(ways, entries)
    return ranks
  }
  const answers = new Map<string, unknown>()
  return {
    size,
    edgesFrom,
    routed,
    leads: (from, to) => isOpen[orderOf(from)]! || ways[orderOf(from)]!.includes(orderOf(to)),
    reach(starts, { avoid, stop, ways: kind } = {}) {
      const ranks = kind === 'forward' ? ranksOnce() : undefined
      const reached = newNodeSet(size)
      const open: number[] = []
      for (const start of starts) {
        if (avoid === undefined || !hasNode(avoid, start)) addNode(reached, start)
        open.push(start)
      }
      for (let node = open.pop(); node !== undefined; node = open.pop()) {
        if (node === stop) continue
        if (isOpen[node]! && kind === undefined) return allBut(size, avoid)
        for (const to of ways[node]!) {
          if (ranks !== undefined && ranks[to]! <= ranks[node]!) continue
          if (hasNode(reached, to) || (avoid !== undefined && hasNode(avoid, to))) continue
          addNode(reached, to)
          open.push(to)
        }
      }
      return reached
    },
    ranks: ranksOnce,
    remember<T>(question: string, find: () => T) {
      const known = answers.get(question)
      if (known !== undefined) return known as T
      const answer = find()
      if (answers.size >= ANSWERS_AT_MOST) answers.clear()
      answers.set(question, answer)
      return answer
    },
  }
}

/** The nodes that no edge and no declared target leads to. */
function looseNodes(plan: CompiledGraphPlan): readonly string[] {
  const led = new Set<string>()
  for (const targets of plan.edges.values()) for (const to of targets) led.add(to)
  for (const routes of plan.routes.values()) {
    for (const { targets } of routes) for (const to of targets?.keys() ?? []) led.add(to)
  }
  for (const { options } of plan.nodes.values()) for (const to of options.goto ?? []) led.add(to)
  return [...plan.nodes.keys()].filter(name => !led.has(name))
}

/** All nodes but those to avoid: what a route without declared targets may lead to. */
function allBut(size: number, avoid: NodeSet | undefined): NodeSet {
  const all = newNodeSet(size, true)
  return avoid === undefined ? all : all.map((bits, word) => bits & ~avoid[word]!)
}

/**
 * The order in which the nodes were added, except that each comes after those that lead to it. Ways back, which a
 * depth-first walk from the start finds, do not count.
 */
function ranksOf(ways: readonly (readonly number[])[], entries: readonly number[]): readonly number[] {
  const forward = forwardWays(ways, entries)
  const missing = ways.map(() => 0)
  for (const targets of forward) for (const to of targets) missing[to]!++
  const ready = newNodeSet(ways.length)
  for (const [node, count] of missing.entries()) if (count === 0) addNode(ready, node)
  const ranks: number[] = []
  for (let rank = 0; rank < ways.length; rank++) {
    const node = firstNode(ready)
    removeNode(ready, node)
    ranks[node] = rank
    for (const to of forward[node]!) if (--missing[to]! === 0) addNode(ready, to)
  }
  return ranks
}

/** The ways without those that lead to a node on the path of a depth-first walk. */
function forwardWays(ways: readonly (readonly number[])[], entries: readonly number[]): readonly (readonly number[])[] {
  const forward: number[][] = ways.map(() => [])
  const state: ('under way' | 'over' | undefined)[] = []
  // Nodes that no entry leads to come last, so that every node has a rank.
  for (const root of [...entries, ...ways.keys()]) {
    if (state[root] !== undefined) continue
    state[root] = 'under way'
    const path = [{ node: root, next: 0 }]
    for (let at = path.at(-1); at !== undefined; at = path.at(-1)) {
      const to = ways[at.node]![at.next++]
      if (to === undefined) {
        state[at.node] = 'over'
        path.pop()
        continue
      }
      if (state[to] === 'under way') continue
      forward[at.node]!.push(to)
      if (state[to] === undefined) {
        state[to] = 'under way'
        path.push({ node: to, next: 0 })
      }
    }
  }
  return forward
}
