/** Whatever the graph and the kinds of its ways: the engine does what the rules of joins say, in any order and after any crash. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isStateError } from '../../src/core/index.ts'
import type { Outcome } from '../../src/graph/model/run-protocol.ts'
import { begin, Crash, goOn } from './support/engine-run.ts'
import { modelLog, TooLong, Undeclared } from './support/join-model.ts'
import { newTurns } from './support/random-graph.ts'
import { type WaysGraph, waysAppOf, waysGraphs } from './support/ways-graph.ts'

const orders = fc.array(fc.nat({ max: 7 }), { minLength: 1, maxLength: 8 })
const anyGraph = waysGraphs({ isAcyclic: false, hasUndeclaredCommands: true })

type Log = readonly string[]

/** The log that the rules give, or that they refuse. Runs that are too long for a test are left out. */
function expectedOf(graph: WaysGraph): Log | 'undeclared' {
  try {
    return modelLog(graph)
  } catch (error) {
    fc.pre(!(error instanceof TooLong))
    if (error instanceof Undeclared) return 'undeclared'
    throw error
  }
}

function resultOf(outcome: Outcome): Log | 'undeclared' {
  if (outcome.status === 'done') return outcome.state['log'] as Log
  if (outcome.status === 'failed' && isStateError(outcome.error, 'target-undeclared')) return 'undeclared'
  throw outcome.status === 'failed' ? outcome.error : new Error(outcome.status)
}

it('the engine runs what the rules say, on the states that they say, whoever is faster', async () => {
  await fc.assert(
    fc.asyncProperty(anyGraph, orders, async (graph, order) => {
      const expected = expectedOf(graph)
      const app = waysAppOf(graph, newTurns(order))
      expect(resultOf(await goOn(app, await begin(app, {})))).toEqual(expected)
    }),
    { numRuns: 120 },
  )
})

it('a crash at any call of the keeper, and going on, changes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(anyGraph, orders, fc.boolean(), async (graph, order, isKept) => {
      const expected = expectedOf(graph)
      const whole = await begin(waysAppOf(graph, newTurns(order)), {})
      await goOn(waysAppOf(graph, newTurns(order)), whole)
      for (let at = 0; at < Math.min(whole.calls, 12); at++) {
        const app = waysAppOf(graph, newTurns(order))
        const kept = await begin(app, {})
        kept.dies = { at, isKept }
        await expect(goOn(app, kept)).rejects.toThrow(Crash)
        kept.dies = undefined
        expect(resultOf(await goOn(app, kept))).toEqual(expected)
      }
    }),
    { numRuns: 25 },
  )
})

/** The names of the nodes that ran, from their lines. */
const namesIn = (log: Log): readonly string[] => log.map(line => line.slice(0, line.indexOf('@')))

it.each([
  ['declared Commands', false],
  ['undeclared Commands, or the run is refused', true],
])('without loops a node runs once at most, after all that led to it: %s', async (_, hasUndeclaredCommands) => {
  const graphs = waysGraphs({ isAcyclic: true, hasUndeclaredCommands })
  await fc.assert(
    fc.asyncProperty(graphs, orders, async (graph, order) => {
      const seen = new Map<string, readonly string[]>()
      const led: (readonly [string, string])[] = []
      const app = waysAppOf(graph, {
        turn: newTurns(order).turn,
        saw: (name, log) => void seen.set(name, namesIn(log)),
        led: (from, to) => void led.push([from, to]),
      })
      const log = resultOf(await goOn(app, await begin(app, {})))
      if (log === 'undeclared') {
        expect(hasUndeclaredCommands).toBe(true)
        return
      }
      expect(new Set(namesIn(log)).size).toBe(log.length)
      for (const [index, { edges, kind }] of graph.nodes.entries()) {
        if (seen.has(`n${index}`) && kind !== 'command') for (const to of edges) led.push([`n${index}`, `n${to}`])
      }
      for (const [from, to] of led) expect(seen.get(to)).toContain(from)
    }),
    { numRuns: 200 },
  )
})
