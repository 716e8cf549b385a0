/** Graphs of any shape for laws about running them: forks, joins, Sends, bounded loops, questions, effects. */

import fc from 'fast-check'
import type { CompiledGraph, GraphTypes } from '../../../src/graph/model/graph-types.ts'
import type { NodeContext } from '../../../src/graph/model/node-context.ts'
import { END, Send, START } from '../../../src/graph/model/targets.ts'
import { graphOf } from './told-graph.ts'

export interface Shape {
  /** Edges of an acyclic graph: `[from, to]` with from < to. */
  readonly edges: readonly (readonly [number, number])[]
  readonly nodes: readonly NodeShape[]
}

interface NodeShape {
  readonly isAsync: boolean
  readonly hasEffect: boolean
  readonly asks: boolean
  /** Goes back to itself so often. */
  readonly loops: number
  /** Sends so many to a worker of its own, whose results meet in a node of its own; none when undefined. */
  readonly sends: number | undefined
}

/** Acyclic graphs in which every node can be reached from the first. */
export function shapes(options: { readonly isPlain: boolean }): fc.Arbitrary<Shape> {
  const rarely = options.isPlain
    ? fc.constant(false)
    : fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, fc.constant(true))
  const node = fc.record({
    isAsync: fc.boolean(),
    hasEffect: rarely,
    asks: rarely,
    loops: options.isPlain ? fc.constant(0) : fc.nat({ max: 2 }),
    sends: options.isPlain ? fc.constant(undefined) : fc.option(fc.nat({ max: 3 }), { nil: undefined, freq: 2 }),
  })
  return fc.integer({ min: 2, max: options.isPlain ? 9 : 5 }).chain(count =>
    fc.record({
      nodes: fc.array(node, { minLength: count, maxLength: count }),
      edges: fc
        .tuple(
          ...Array.from({ length: count - 1 }, (_, i) =>
            fc.uniqueArray(fc.nat({ max: i }), { minLength: 1, maxLength: 3 }),
          ),
        )
        .map(sources => sources.flatMap((froms, i) => froms.map((from): readonly [number, number] => [from, i + 1]))),
    }),
  )
}

interface LogState {
  readonly log: readonly string[]
  readonly visits: Readonly<Record<string, number>>
}

/** What the nodes of a random graph do outside their state. */
export interface World {
  /** Called by asynchronous nodes before they end. */
  turn(): Promise<void>
  effect(id: string): void
  /** The node has heard that its effect is kept, in the run that did it. */
  kept?(id: string): void
}

export function graphFrom({ nodes, edges }: Shape, world: World): CompiledGraph<GraphTypes> {
  const graph = graphOf<LogState>({ state: { log: [], visits: {} }, reducers: { log: 'append', visits: addVisits } })
  for (const [index, shape] of nodes.entries()) {
    const name = `n${index}`
    const route = (s: LogState): unknown => {
      if ((s.visits[name] ?? 0) <= shape.loops) return name
      return Array.from({ length: shape.sends ?? 0 }, (_, item) => new Send(`${name}-worker`, { item }))
    }
    const visit = async (s: LogState & { readonly item?: number }, id: string, ctx: NodeContext): Promise<unknown> => {
      const seen = `${id}${s.item ?? ''}@${s.log.length}`
      if (shape.hasEffect) {
        let isDone = false
        await ctx.once('effect', () => {
          isDone = true
          world.effect(seen)
        })
        if (isDone) world.kept?.(seen)
      }
      await world.turn()
      const answer = shape.asks ? await ctx.interrupt(seen) : ''
      return { log: [`${seen}${answer}`], visits: { [id]: 1 } }
    }
    const step = (id: string) => (s: LogState & { readonly item?: number }, ctx: NodeContext) => {
      if (shape.isAsync || shape.hasEffect || shape.asks) return visit(s, id, ctx)
      return { log: [`${id}${s.item ?? ''}@${s.log.length}`], visits: { [id]: 1 } }
    }
    graph.addNode(name, step(name))
    const out = edges.filter(([from]) => from === index).map(([, to]) => `n${to}`)
    if (shape.sends !== undefined) {
      graph.addNode(`${name}-worker`, step(`${name}-worker`)).addNode(`${name}-merge`, step(`${name}-merge`))
      graph.addConditionalEdges(name, route, [name, `${name}-worker`]).addEdge(`${name}-worker`, `${name}-merge`)
      for (const to of out) graph.addEdge(`${name}-merge`, to)
    } else if (shape.loops > 0) {
      graph.addConditionalEdges(name, s => (route(s) === name ? name : out.length === 0 ? END : out), [name, ...out])
    } else for (const to of out) graph.addEdge(name, to)
  }
  return graph.addEdge(START, 'n0').compile()
}

function addVisits(
  base: Readonly<Record<string, number>>,
  more: Readonly<Record<string, number>>,
): Record<string, number> {
  const sum = { ...base }
  for (const [name, count] of Object.entries(more)) sum[name] = (sum[name] ?? 0) + count
  return sum
}

/** Lets those who wait go on one at a time, in an order that the numbers decide. */
export function newTurns(order: readonly number[]): { turn(): Promise<void>; stop(): void } {
  const waiting: (() => void)[] = []
  let turns = 0
  let isScheduled = false
  let isStopped = false
  const schedule = (): void => {
    if (isScheduled || isStopped) return
    isScheduled = true
    setImmediate(() => {
      isScheduled = false
      const [next] = waiting.splice((order[turns++ % order.length] ?? 0) % waiting.length, 1)
      next?.()
      if (waiting.length > 0) schedule()
    })
  }
  return {
    turn: () =>
      new Promise(resolve => {
        waiting.push(resolve)
        schedule()
      }),
    stop: () => {
      isStopped = true
    },
  }
}
