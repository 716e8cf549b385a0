import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { State } from '../src/graph/plan.ts'
import type { Fact, Outcome } from '../src/graph/record.ts'
import { begin, Crash, goOn, type Kept } from './graph/engine-run.ts'
import { graphFrom, newTurns, type Shape, shapes } from './graph/random-graph.ts'

const orders = fc.array(fc.nat({ max: 7 }), { minLength: 1, maxLength: 8 })

/** Answers whatever is asked until the run ends. */
async function toEnd(app: object, kept: Kept): Promise<State> {
  let outcome: Outcome = await goOn(app, kept)
  while (outcome.status === 'paused') {
    outcome = await goOn(app, kept, { answers: outcome.interrupts.map(({ id }) => ({ id, value: '!' })) })
  }
  if (outcome.status === 'failed') throw outcome.error
  return outcome.state
}

async function runShape(
  shape: Shape,
  order: readonly number[],
): Promise<{ state: State; calls: number; effects: string[] }> {
  const turns = newTurns(order)
  const effects: string[] = []
  const app = graphFrom(shape, { turn: turns.turn, effect: id => void effects.push(id) })
  const kept = await begin(app, {})
  const state = await toEnd(app, kept)
  return { state, calls: kept.calls, effects }
}

const logOf = (state: State): readonly string[] => (state as { log: readonly string[] }).log

function factLog(fact: Fact): readonly string[] {
  return fact.kind === 'task' && !fact.task.includes('>') ? fact.updates.flatMap(logOf) : []
}

function countsOf(lines: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1)
  return counts
}

describe('whatever the graph', () => {
  it('a node of an acyclic graph runs once, after all that lead to it', async () => {
    await fc.assert(
      fc.asyncProperty(shapes({ isPlain: true }), orders, async (shape, order) => {
        const log = logOf((await runShape(shape, order)).state).map(line => line.split('@')[0])
        expect([...log].sort()).toEqual(shape.nodes.map((_, i) => `n${i}`).sort())
        const place = new Map(log.map((name, i) => [name, i]))
        for (const [from, to] of shape.edges) expect(place.get(`n${from}`)).toBeLessThan(place.get(`n${to}`)!)
      }),
      { numRuns: 300 },
    )
  })

  it('the order in which tasks end changes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(shapes({ isPlain: false }), orders, orders, async (shape, one, other) => {
        const first = await runShape(shape, one)
        const second = await runShape(shape, other)
        expect(second.state).toEqual(first.state)
        expect(second.effects.sort()).toEqual(first.effects.sort())
      }),
      { numRuns: 50 },
    )
  })

  it('a crash at any call of the keeper, and going on, changes nothing and repeats no effect that was kept', async () => {
    await fc.assert(
      fc.asyncProperty(shapes({ isPlain: false }), orders, fc.nat(), fc.boolean(), async (shape, order, at, isKept) => {
        const whole = await runShape(shape, order)
        const turns = newTurns(order)
        const effects: string[] = []
        const app = graphFrom(shape, { turn: turns.turn, effect: id => void effects.push(id) })
        const kept = await begin(app, {})
        kept.dies = { at: at % (whole.calls + 1), isKept }
        const died = await toEnd(app, kept).catch((error: unknown) => error)
        if (died instanceof Crash) {
          const finished = [...logOf(kept.state), ...kept.facts.flatMap(factLog)].map(line => line.replace('!', ''))
          const before = effects.length
          kept.dies = undefined
          expect(await toEnd(app, kept)).toEqual(whole.state)
          const repeated = countsOf(effects.slice(before))
          const done = countsOf(finished)
          for (const [effect, count] of countsOf(whole.effects)) {
            expect(repeated.get(effect) ?? 0).toBeLessThanOrEqual(count - Math.min(count, done.get(effect) ?? 0))
          }
        } else expect(died).toEqual(whole.state)
        expect([...new Set(effects)].sort()).toEqual([...new Set(whole.effects)].sort())
      }),
      { numRuns: 80 },
    )
  })
})
