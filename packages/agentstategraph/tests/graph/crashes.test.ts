/** Whatever the graph, on a real journal: a crash at any append, then a resume, changes nothing and repeats nothing kept. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { appOf } from '../../src/graph/app/app.ts'
import { findPlan } from '../../src/graph/model/compiled-plan.ts'
import { open } from '../../src/repository/index.ts'
import { type Backend, memoryBackend } from '../../src/store/index.ts'
import { breaking, counting } from './support/breaking-backend.ts'
import { modelLog } from './support/join-model.ts'
import { graphFrom, newTurns, type Shape, shapes } from './support/random-graph.ts'
import { runToEnd } from './support/run-to-end.ts'
import { type WaysGraph, waysAppOf } from './support/ways-graph.ts'

interface Told {
  readonly effects: string[]
  readonly kept: string[]
}

/** Runs or resumes a thread of the graph on a place, answering what it asks. */
async function runOn(backend: Backend, shape: Shape, order: readonly number[], told: Told): Promise<unknown> {
  const repo = await open(backend)
  const turns = newTurns(order)
  const graph = graphFrom(shape, {
    turn: turns.turn,
    effect: id => void told.effects.push(id),
    kept: id => void told.kept.push(id),
  })
  try {
    return await runToEnd(appOf(findPlan(graph)!, { repo }).thread('t'), '!')
  } finally {
    turns.stop()
  }
}

function newTold(): Told {
  return { effects: [], kept: [] }
}

function countOf(list: readonly string[], one: string): number {
  return list.filter(other => other === one).length
}

/** Kills the run at each of these appends, resumes it, and holds both together against the calm run. */
async function expectResumed(
  shape: Shape,
  order: readonly number[],
  isLastKept: boolean,
  pointsOf: (appends: number) => readonly number[],
): Promise<void> {
  const calm = newTold()
  const counted = counting(memoryBackend())
  const expected = await runOn(counted.backend, shape, order, calm)
  for (const point of pointsOf(counted.appends())) {
    const place = memoryBackend()
    const told = newTold()
    await expect(runOn(breaking(place, point, isLastKept), shape, order, told)).rejects.toThrow()
    const before = { effects: told.effects.length, kept: [...told.kept] }
    expect(await runOn(place, shape, order, told)).toEqual(expected)
    const again = told.effects.slice(before.effects)
    for (const effect of new Set(again)) {
      expect(countOf(again, effect)).toBeLessThanOrEqual(countOf(calm.effects, effect) - countOf(before.kept, effect))
    }
    expect(new Set(told.effects)).toEqual(new Set(calm.effects))
  }
}

const way = (to: number) => ({ to, sends: 0 })
const still = {
  edges: [],
  kind: 'static',
  isDeclared: true,
  answers: [[]],
  isDeferred: false,
  inner: undefined,
} as const

/** Two branches that come to two joins, which lead to each other. */
const ring: WaysGraph = {
  prefix: 'n',
  entries: [0, 1],
  nodes: [
    { ...still, edges: [2] },
    { ...still, edges: [3] },
    { ...still, kind: 'route', answers: [[way(3)]] },
    { ...still, kind: 'route', answers: [[way(2)], []] },
  ],
}

it('a crash at any append leaves joins that lead to each other in their order', async () => {
  const runRing = async (backend: Backend): Promise<unknown> => {
    const app = appOf(findPlan(waysAppOf(ring, { turn: async () => {} }))!, { repo: await open(backend) })
    return runToEnd(app.thread('t'), '!')
  }
  const counted = counting(memoryBackend())
  const expected = { log: modelLog(ring) }
  expect(await runRing(counted.backend)).toEqual(expected)
  for (let point = 0; point < counted.appends(); point++) {
    for (const isLastKept of [true, false]) {
      const place = memoryBackend()
      await expect(runRing(breaking(place, point, isLastKept))).rejects.toThrow()
      expect(await runRing(place)).toEqual(expected)
    }
  }
})

const calmNode = { isAsync: false, hasEffect: false, asks: false, loops: 0, sends: undefined }

/** A fork and its join, with one of everything that a node can do. */
const oneOfEach: Shape = {
  nodes: [
    calmNode,
    { ...calmNode, isAsync: true, hasEffect: true, loops: 1 },
    { ...calmNode, asks: true },
    { ...calmNode, hasEffect: true, sends: 2 },
  ],
  edges: [
    [0, 1],
    [0, 2],
    [1, 3],
    [2, 3],
  ],
}

it.each([true, false])(
  'a crash at any append changes nothing and repeats nothing kept (kept: %s)',
  async isLastKept => {
    await expectResumed(oneOfEach, [1, 0, 2], isLastKept, appends => [...Array(appends).keys()])
  },
)

const orders = fc.array(fc.nat({ max: 7 }), { minLength: 1, maxLength: 8 })

it('whatever the graph, a crash at an append, then a resume, comes to the same end', async () => {
  const points = fc.array(fc.nat({ max: 9999 }), { minLength: 3, maxLength: 3 })
  await fc.assert(
    fc.asyncProperty(shapes({ isPlain: false }), orders, fc.boolean(), points, (shape, order, isLastKept, chosen) =>
      expectResumed(shape, order, isLastKept, appends => chosen.map(point => point % appends)),
    ),
    { numRuns: 30 },
  )
})

it('whatever the graph, and at each of its appends', async () => {
  await fc.assert(
    fc.asyncProperty(shapes({ isPlain: false }), orders, fc.boolean(), (shape, order, isLastKept) =>
      expectResumed(shape, order, isLastKept, appends => [...Array(appends).keys()]),
    ),
    // Each run is as many runs as the graph has appends.
    { numRuns: process.env['ASG_SOAK'] === '1' ? 20 : 4 },
  )
})
