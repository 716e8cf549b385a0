/** Whatever the graph, on a real journal: a crash at any append, then a resume, changes nothing and repeats nothing kept. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { open } from '../src/face/index.ts'
import { appOf } from '../src/graph/app.ts'
import { findPlan } from '../src/graph/app-plan.ts'
import { type Backend, memoryBackend } from '../src/store/index.ts'
import { breaking } from './graph/breaking-backend.ts'
import { graphFrom, newTurns, type Shape, shapes } from './graph/random-graph.ts'
import { runToEnd } from './graph/run-to-end.ts'

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

it('a crash at any append, then a resume, comes to the same end, and no effect that was kept happens again', async () => {
  const orders = fc.array(fc.nat({ max: 7 }), { minLength: 1, maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(shapes({ isPlain: false }), orders, fc.boolean(), async (shape, order, isLastKept) => {
      const calm = newTold()
      const expected = await runOn(memoryBackend(), shape, order, calm)
      for (let appends = 0; ; appends++) {
        const place = memoryBackend()
        const told = newTold()
        const died = await runOn(breaking(place, appends, isLastKept), shape, order, told).then(
          () => false,
          () => true,
        )
        if (!died) break
        const before = { effects: told.effects.length, kept: [...told.kept] }
        expect(await runOn(place, shape, order, told)).toEqual(expected)
        const again = told.effects.slice(before.effects)
        for (const effect of new Set(again)) {
          expect(countOf(again, effect)).toBeLessThanOrEqual(
            countOf(calm.effects, effect) - countOf(before.kept, effect),
          )
        }
        expect(new Set(told.effects)).toEqual(new Set(calm.effects))
      }
    }),
    { numRuns: 10 },
  )
})
