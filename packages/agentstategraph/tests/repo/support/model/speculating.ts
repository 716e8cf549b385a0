/** Speculations in a repository and in its model: begun, written, picked up by the other hand, landed and discarded. */
import fc from 'fast-check'
import { expect } from 'vitest'
import { isStateError, type Repository, type Speculation } from '../../../../src/repository/index.ts'
import { knownOf, plainOfKnown } from '../../../tree/support/known.ts'
import { editedPlainBatch, plainText } from '../../../tree/support/plain.ts'
import { agree, type BranchName, branch, type Command, command, hand } from './agree.ts'
import { change, editsFrom } from './changes.ts'
import { textOf } from './compare.ts'
import { headOf, type Model, type ModelSpeculation, refusalOf, spoken } from './model.ts'

const label = fc.constantFrom('idea', 'plan')

const beginning: fc.Arbitrary<Command> = fc.tuple(hand, branch, label).map(([which, on, name]) =>
  command(
    `${on}: begin the speculation ${name}`,
    [on],
    async (model, { hands }) => {
      const { id, base } = await hands[which].on(on).speculate({ label: name })
      expect(base).toBe(headOf(model, on).id)
      const { known } = headOf(model, on)
      model.speculations.set(name, { id, branch: on, base: model.branches.get(on)!, known })
    },
    model => !model.speculations.has(name),
  ),
)

const writing: fc.Arbitrary<Command> = fc.tuple(hand, label, change).map(([which, name, one]) =>
  command(
    `in ${name}: ${one.says} (hand ${which})`,
    [],
    async (model, { hands }) => {
      const { open, was } = await pickUp(model, hands[which], name)
      const edits = editsFrom([one])
      const codes = refusalOf(was.known, edits)
      const written = one.op === 'set' ? open.set(one.path, one.value) : open.delete(one.path)
      const refusal = await written.then(
        () => undefined,
        (error: unknown) => error,
      )
      if (codes !== undefined) expect(codes).toContain(isStateError(refusal) ? refusal.code : refusal)
      else {
        expect(refusal).toBeUndefined()
        const after = editedPlainBatch(plainOfKnown(was.known), edits)
        model.speculations.set(name, { ...was, known: knownOf(after, model.commits.length) })
      }
      const { known } = model.speculations.get(name)!
      expect(textOf(await open.get('/'))).toBe(plainText(plainOfKnown(known)))
    },
    model => model.speculations.has(name),
  ),
)

const landing: fc.Arbitrary<Command> = fc.tuple(hand, label).map(([which, name]) =>
  command(
    `land ${name}`,
    [],
    async (model, { hands }) => {
      const { open, was } = await pickUp(model, hands[which], name)
      const why = `${model.commits.length} land ${name}`
      const expected = spoken(model, was)
      await agree(model, hands[which], was.branch as BranchName, expected, why, () => open.commit(why))
      if (expected.kind !== 'refused') await expectGone(model, hands[which], name, 'committed')
    },
    model => model.branches.has(model.speculations.get(name)?.branch ?? 'none'),
  ),
)

const discarding: fc.Arbitrary<Command> = fc.tuple(hand, label).map(([which, name]) =>
  command(
    `discard ${name}`,
    [],
    async (model, { hands }) => {
      const { open } = await pickUp(model, hands[which], name)
      await open.discard()
      await expectGone(model, hands[which], name, 'discarded')
    },
    model => model.speculations.has(name),
  ),
)

/** Everything that is done with speculations, the frequent more often. */
export const speculating: readonly fc.Arbitrary<Command>[] = [
  beginning,
  writing,
  writing,
  writing,
  writing,
  writing,
  landing,
  landing,
  discarding,
]

async function pickUp(
  model: Model,
  repo: Repository,
  name: string,
): Promise<{ readonly open: Speculation; readonly was: ModelSpeculation }> {
  const was = model.speculations.get(name)!
  return { open: await repo.getSpeculation(was.id), was }
}

async function expectGone(model: Model, repo: Repository, name: string, status: string): Promise<void> {
  const { id } = model.speculations.get(name)!
  await expect(repo.getSpeculation(id)).rejects.toMatchObject({ code: 'speculation-gone', data: { status } })
  model.speculations.delete(name)
}
