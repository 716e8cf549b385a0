/** Generator of three states for a merge: a base, and two sides that come from it by edits. */
import fc from 'fast-check'
import type { Stored } from '../../../src/core/index.ts'
import { editSeed, fewValued, playedBatches, state } from './values.ts'

export interface ThreeStates {
  readonly base: Stored
  readonly ours: Stored
  readonly theirs: Stored
}

const seeds = fc.array(editSeed, { maxLength: 5 })

/** Any state, with edits anywhere on both sides. */
export const threeStates: fc.Arbitrary<ThreeStates> = fc.tuple(state, seeds, seeds).map(([base, mine, yours]) => ({
  base,
  ours: playedBatches(base, [mine])[0]!.after,
  theirs: playedBatches(base, [yours])[0]!.after,
}))

const element = fc.oneof(
  fc.nat(4),
  fc.record({ id: fc.nat(5), n: fc.nat(2), tags: fc.array(fc.constantFrom('x', 'y'), { maxLength: 2 }) }),
)

/** A list, a few-valued list and a list of records, edited by both sides. */
export const threeLists: fc.Arbitrary<ThreeStates> = fc
  .tuple(fc.array(element, { maxLength: 12 }), fewValued, fc.array(editSeed, { maxLength: 4 }), seeds)
  .map(([list, few, mine, yours]) => {
    const base: Stored = { list: list as Stored[], few: few.slice(0, 12) }
    const inLists = (all: typeof mine): typeof mine =>
      all.map(seed => ({ ...seed, steps: [seed.steps[0]! % 2 === 0 ? 1 : 4, ...seed.steps.slice(0, 3)] }))
    return {
      base,
      ours: playedBatches(base, [inLists(mine)])[0]!.after,
      theirs: playedBatches(base, [inLists(yours)])[0]!.after,
    }
  })

const record = fc.record({ v: fc.nat(3), w: fc.nat(1) })
/** What one side does with the record of one id: leaves it, removes it, or has it so. */
const records = fc.array(fc.option(fc.oneof({ weight: 2, arbitrary: fc.constant('as it was' as const) }, record)), {
  minLength: 8,
  maxLength: 8,
})

/** Lists of records known by a field, with records put in, changed, removed and put in another order. */
export const threeRecordLists: fc.Arbitrary<ThreeStates> = fc
  .tuple(fc.array(fc.option(record), { minLength: 8, maxLength: 8 }), records, records, fc.boolean(), fc.boolean())
  .map(([base, mine, yours, isOursTurned, isTheirsTurned]) => {
    const side = (changes: typeof mine, isTurned: boolean): Stored => {
      const now = changes.map((change, id) => (change === 'as it was' ? base[id]! : change))
      return { list: isTurned ? listOf(now).toReversed() : listOf(now) }
    }
    return { base: { list: listOf(base) }, ours: side(mine, isOursTurned), theirs: side(yours, isTheirsTurned) }
  })

function listOf(all: readonly ({ v: number; w: number } | null)[]): Stored[] {
  return all.flatMap((one, id) => (one === null ? [] : [{ id, ...one }]))
}
