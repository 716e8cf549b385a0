import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { State } from '../../src/graph/model/compiled-plan.ts'
import type { Fact, Outcome } from '../../src/graph/model/run-protocol.ts'
import { begin, Crash, goOn, type Kept } from './support/engine-run.ts'
import { graphFrom, newTurns, type Shape, shapes } from './support/random-graph.ts'

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
      fc.asyncProperty(shapes({ isPlain: false }), orders, fc.nat(), fc.boolean(), expectSameAfterCrash),
      { numRuns: 80 },
    )
  })
})

/** Runs a graph, once in peace and once with a crash at a call of the keeper, and expects the same of both. */
async function expectSameAfterCrash(
  shape: Shape,
  order: readonly number[],
  at: number,
  isKept: boolean,
): Promise<void> {
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
}

const plain = { isAsync: false, hasEffect: false, asks: false, loops: 0, sends: undefined }

/** Graphs in which a group goes on with several joins that were reached over different numbers of earlier joins. */
const joinsAfterJoins: readonly (readonly [string, Shape])[] = [
  [
    'Sends before them',
    {
      nodes: [
        { ...plain, isAsync: true, sends: 3 },
        plain,
        { ...plain, hasEffect: true },
        plain,
        { ...plain, isAsync: true, sends: 0 },
      ],
      edges: pairs('01 12 02 13 23 24 04'),
    },
  ],
  [
    'loops and questions before them',
    {
      nodes: [
        { ...plain, sends: 0 },
        { ...plain, asks: true, loops: 2, sends: 1 },
        { ...plain, loops: 1, sends: 1 },
        { ...plain, isAsync: true },
        plain,
      ],
      edges: pairs('01 12 02 23 14 24'),
    },
  ],
]

function pairs(text: string): readonly (readonly [number, number])[] {
  return text.split(' ').map(pair => [Number(pair[0]), Number(pair[1])] as const)
}

it.each(joinsAfterJoins)('a crash between joins changes nothing: %s', async (_, shape) => {
  const { calls } = await runShape(shape, [0])
  for (let at = 0; at < calls; at++) {
    await expectSameAfterCrash(shape, [0], at, true)
    await expectSameAfterCrash(shape, [0], at, false)
  }
})
