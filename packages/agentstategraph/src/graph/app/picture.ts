/**
 * A graph as data for drawing: nodes and edges.
 *
 * For a route without declared targets the edges lead to the nodes that its source text names in string literals, or to
 * all nodes when it names none, and to the end. Only pictures use this: the engine never reads source text.
 */

import type { CompiledGraphPlan, PlannedRoute } from '../model/compiled-plan.ts'
import { END } from '../model/targets.ts'
import type { GraphPicture, PictureEdge, PictureNode } from './public-types.ts'

export function pictureOf(plan: CompiledGraphPlan): GraphPicture {
  return { nodes: [...plan.nodes.values()].map(node => nodeOf(plan, node.name)), edges: edgesOf(plan) }
}

function nodeOf(plan: CompiledGraphPlan, name: string): PictureNode {
  const { options, subgraph } = plan.nodes.get(name)!
  return {
    name,
    metadata: options.metadata ?? {},
    join: plan.joins.has(name),
    defer: options.defer === true,
    ...(subgraph === undefined ? {} : { subgraph: pictureOf(subgraph) }),
  }
}

function edgesOf(plan: CompiledGraphPlan): readonly PictureEdge[] {
  const edges: PictureEdge[] = []
  for (const [from, targets] of plan.edges) for (const to of targets) edges.push({ from, to, conditional: false })
  for (const [from, routes] of plan.routes) {
    for (const route of routes) {
      for (const [to, label] of targetsOf(plan, route)) {
        edges.push({ from, to, conditional: true, ...(label === undefined ? {} : { label }) })
      }
    }
  }
  for (const { name, options } of plan.nodes.values()) {
    for (const to of options.goto ?? []) edges.push({ from: name, to, conditional: true })
  }
  return unique(withEnds(plan, edges))
}

function targetsOf(plan: CompiledGraphPlan, { route, targets }: PlannedRoute): ReadonlyMap<string, string | undefined> {
  if (targets !== undefined) return targets
  const named = literalsIn(Function.prototype.toString.call(route)).filter(name => plan.nodes.has(name))
  const shown = named.length === 0 ? [...plan.nodes.keys()] : named
  return new Map([...shown, END].map(name => [name, undefined]))
}

/** The string literals in a piece of code. Escapes are not decoded, which is good enough for drawing. */
function literalsIn(code: string): readonly string[] {
  return Array.from(code.matchAll(/'([^'\\\n]*)'|"([^"\\\n]*)"|`([^`\\$]*)`/g), ([, a, b, c]) => a ?? b ?? c ?? '')
}

/** Adds an edge to the end for each node without others. */
function withEnds(plan: CompiledGraphPlan, edges: readonly PictureEdge[]): readonly PictureEdge[] {
  const sources = new Set(edges.map(({ from }) => from))
  const last = [...plan.nodes.keys()].filter(name => !sources.has(name))
  return [...edges, ...last.map(from => ({ from, to: END, conditional: false }))]
}

function unique(edges: readonly PictureEdge[]): readonly PictureEdge[] {
  const seen = new Set<string>()
  return edges.filter(({ from, to, conditional, label = '' }) => {
    const key = JSON.stringify([from, to, conditional, label])
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}
