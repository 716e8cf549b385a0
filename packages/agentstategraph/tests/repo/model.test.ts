/**
 * A repository and a naive model of it, driven together over random operations by two hands: values, logs, histories and
 * who wrote every part agree after each, and at every commit at the end.
 */
import fc from 'fast-check'
import { describe, it } from 'vitest'
import { newlyKnown } from '../tree/support/known.ts'
import { commands } from './support/model/commands.ts'
import { expectAllSame } from './support/model/compare.ts'
import { emptyModel, type Model } from './support/model/model.ts'
import { type NewReal, type Real, stores } from './support/model/stores.ts'

const COMMANDS = 60

async function begun(newReal: NewReal): Promise<{ model: Model; real: Real }> {
  const model = emptyModel()
  const real = await newReal()
  const start = { n: 1, m: { x: 1, y: 1 }, l: [1, { x: 1 }, 2] }
  const { id, seq } = await real.hands[0].set('/', start, 'begin')
  const known = newlyKnown(start, 0)
  model.commits.push({ id, seq, on: 'main', description: 'begin', parents: [], known, lands: 'nothing' })
  model.branches.set('main', 0)
  for (const name of ['left', 'right']) {
    await real.hands[1].branch(name)
    model.branches.set(name, 0)
  }
  return { model, real }
}

describe.each(stores)('a repository in %s', (_name, numRuns, store) => {
  it('is what the naive model of it is, whatever is done', async () => {
    const newReal = store()
    await fc.assert(
      fc.asyncProperty(fc.commands(commands, { maxCommands: COMMANDS, size: 'max' }), async run => {
        const { model, real } = await begun(newReal)
        await fc.asyncModelRun(() => ({ model, real }), run)
        await expectAllSame(model, real.hands[1])
      }),
      { numRuns, plugins: [fc.unbiased()] },
    )
  })
})
