/** A graph told without the types of the builder, and compiled to its plan alone: what tests of the engine run. */

import { compile } from '../../../src/graph/define/compile.ts'
import type { DefinedEdge, DefinedNode, DefinedRoute, UncheckedOptions } from '../../../src/graph/define/definition.ts'
import { setPlan } from '../../../src/graph/model/compiled-plan.ts'
import type { CompiledGraph, GraphTypes } from '../../../src/graph/model/graph-types.ts'
import type { NodeContext } from '../../../src/graph/model/node-context.ts'
import type { NodeOptions } from '../../../src/graph/model/node-options.ts'
import { END, START } from '../../../src/graph/model/targets.ts'

const ends = new Map<string, string>([
  ['START', START],
  ['END', END],
])

export interface Told<S> {
  addNode<P = S>(
    name: string,
    node: ((state: P, ctx: NodeContext) => unknown) | CompiledGraph<GraphTypes>,
    options?: NodeOptions,
  ): Told<S>
  /** Adds nodes that write their names, given with spaces between. */
  addSaying(names: string): Told<S>
  addEdge(from: string | readonly string[], to: string): Told<S>
  /** Adds edges given as a text, such as `START>a a>b b>END`. */
  addEdges(text: string): Told<S>
  addConditionalEdges(
    from: string,
    route: (state: S, context: unknown) => unknown,
    targets?: readonly string[],
  ): Told<S>
  compile(options?: UncheckedOptions): CompiledGraph<GraphTypes>
}

export function graphOf<S>(definition: {
  readonly state: S
  readonly reducers?: Readonly<Record<string, unknown>>
  readonly defaults?: NodeOptions
}): Told<S> {
  const nodes: DefinedNode[] = []
  const edges: DefinedEdge[] = []
  const routes: DefinedRoute[] = []
  const told: Told<S> = {
    addNode(name, node, options = {}) {
      nodes.push({ name, node, options })
      return told
    },
    addSaying(names) {
      for (const name of names.split(' ')) told.addNode(name, says(name))
      return told
    },
    addEdges(text) {
      for (const edge of text.split(' ')) {
        const [from = '', to = ''] = edge.split('>').map(name => ends.get(name) ?? name)
        told.addEdge(from, to)
      }
      return told
    },
    addEdge(from, to) {
      for (const source of [from].flat()) edges.push({ from: source, to, isJoin: typeof from !== 'string' })
      return told
    },
    addConditionalEdges(from, route, targets) {
      const labels = targets === undefined ? {} : { targets: new Map(targets.map(name => [name, undefined])) }
      routes.push({ from, route, ...labels })
      return told
    },
    compile(options = {}) {
      const app: CompiledGraph<GraphTypes> = { getMermaid: () => '' }
      setPlan(app, compile({ definition, nodes, edges, routes }, options))
      return app
    },
  }
  return told
}

/** A graph whose nodes write what they do to a log. */
export function logged(): Told<{ log: string[] }> {
  return graphOf({ state: { log: [] as string[] }, reducers: { log: 'append' } })
}

/** A node that writes its name. */
export function says(name: string): () => { log: string[] } {
  return () => ({ log: [name] })
}
