/** Graphs that stop in many places: branches of nodes that ask, fail once, hold graphs of their own, or are stopped after. */

import fc from 'fast-check'
import { START, StateGraph } from '../../../src/graph/index.ts'
import type { Repository } from '../../../src/repository/index.ts'

export type Kind = 'plain' | 'asks' | 'fails' | 'holds'

export interface Branch {
  readonly nodes: readonly { readonly kind: Kind; readonly stopsAfter: boolean; readonly isAsync: boolean }[]
}

export const branches: fc.Arbitrary<readonly Branch[]> = fc.array(
  fc.record({
    nodes: fc.array(
      fc.record({
        kind: fc.constantFrom<Kind>('plain', 'plain', 'asks', 'fails', 'holds'),
        stopsAfter: fc.boolean(),
        isAsync: fc.boolean(),
      }),
      { minLength: 1, maxLength: 3 },
    ),
  }),
  { minLength: 1, maxLength: 3 },
)

export interface PausedState {
  readonly log: readonly string[]
  readonly notes: Readonly<Record<string, string>>
}

const definition = {
  state: { log: [] as string[], notes: {} as Record<string, string> },
  reducers: { log: 'append', notes: 'merge' },
} as const

/** `finished` is told of each node when it returns. */
export function pausedGraph(repo: Repository, shape: readonly Branch[], finished: (id: string) => void) {
  const failed = new Set<string>()
  const returns = (id: string): { log: string[]; notes: Record<string, string> } => {
    finished(id)
    return { log: [id], notes: { [id]: 'node' } }
  }
  const graph = new StateGraph(definition)
  const stops: string[] = []
  for (const [b, { nodes }] of shape.entries()) {
    for (const [n, { kind, stopsAfter, isAsync }] of nodes.entries()) {
      const id = `b${b}n${n}`
      if (stopsAfter) stops.push(id)
      if (kind === 'holds') graph.addNode(id, holding(id, returns, stopsAfter))
      else
        graph.addNode(id, async (_s, ctx) => {
          if (isAsync) await new Promise(resolve => setImmediate(resolve))
          if (kind === 'asks') await ctx.interrupt(id)
          if (kind === 'fails' && !failed.has(id)) {
            failed.add(id)
            throw new Error(`${id} fails once`)
          }
          return returns(id)
        })
      graph.addEdge(n === 0 ? START : `b${b}n${n - 1}`, id)
    }
  }
  graph.addNode('end', () => returns('end'))
  for (const [b, { nodes }] of shape.entries()) graph.addEdge(`b${b}n${nodes.length - 1}`, 'end')
  return graph.compile({ repo, name: 'paused', interruptAfter: stops as never[] })
}

/** A graph of a node that is done at once and one that asks. */
function holding(
  id: string,
  returns: (id: string) => { log: string[]; notes: Record<string, string> },
  stopsAfter: boolean,
) {
  return new StateGraph(definition)
    .addNode('first', () => returns(`${id}-first`))
    .addNode('asks', async (_s, ctx) => {
      await ctx.interrupt(id)
      return returns(`${id}-asks`)
    })
    .addEdge(START, 'first')
    .addEdge('first', 'asks')
    .compile({ name: 'held', interruptAfter: stopsAfter ? ['first'] : [] })
}
