/**
 * Operations on a repository and on the model of it, together.
 *
 * Each works out what must happen, does it, and compares. They are made of a few names and numbers, so that a failing run
 * shrinks to a short list that can be read.
 */
import { inspect } from 'node:util'
import fc from 'fast-check'
import { expect } from 'vitest'
import { encode } from '../../../../src/core/index.ts'
import type { Policies, Transaction, Written } from '../../../../src/repository/index.ts'
import { plainOfKnown } from '../../../tree/support/known.ts'
import { editedPlainBatch, PlainRefusal, plainOf, plainText } from '../../../tree/support/plain.ts'
import { agree, type BranchName, back, branch, type Command, command, commitBack, hand } from './agree.ts'
import { type Change, change, changes, editsFrom } from './changes.ts'
import { type Resolution, sidesLeft } from './combined.ts'
import { expectSame } from './compare.ts'
import { edited, headOf, type Model, merged, type Outcome, replayed, rolledBack } from './model.ts'
import { speculating } from './speculating.ts'

const policies: fc.Arbitrary<Policies> = fc.constantFrom<Policies[]>(
  {},
  {},
  { '/n': 'sum' },
  { '/m': 'latest' },
  { '/**': 'ours' },
  { '/**': 'theirs' },
  { '/m/*': sidesLeft },
  { '/l': 'theirs' },
)
const resolution: fc.Arbitrary<Resolution | undefined> = fc.constantFrom<(Resolution | undefined)[]>(
  undefined,
  undefined,
  'ours',
  'theirs',
  'base',
  { value: 7 },
)

const setting: fc.Arbitrary<Command> = fc.tuple(hand, branch, change).map(([which, on, one]) =>
  command(`${on}: ${one.says} (hand ${which})`, [on], (model, { hands }) => {
    const repo = hands[which]
    const why = `${model.commits.length} ${one.says}`
    const act = (): Promise<Written> =>
      one.op === 'set' ? repo.on(on).set(one.path, one.value, why) : repo.on(on).delete(one.path, why)
    return agree(model, repo, on, edited(model, on, editsFrom([one])), why, act)
  }),
)

const committing: fc.Arbitrary<Command> = fc
  .tuple(hand, branch, changes, fc.boolean())
  .map(([which, on, several, isReading]) =>
    command(
      `${on}: ${several.map(({ says }) => says).join(', ')} in one commit${isReading ? ', reading' : ''} (hand ${which})`,
      [on],
      (model, { hands }) => {
        const repo = hands[which]
        const why = `${model.commits.length} several`
        const act = (): Promise<Written> =>
          repo.on(on).commit(why, async tx => {
            for (const [n, one] of several.entries()) {
              if (one.op === 'set') tx.set(one.path, one.value)
              else tx.delete(one.path)
              if (isReading) await expectRead(model, on, several.slice(0, n + 1), tx)
            }
          })
        return agree(model, repo, on, edited(model, on, editsFrom(several)), why, act)
      },
    ),
  )

/** A transaction shows what it has changed so far. */
async function expectRead(model: Model, on: BranchName, so: readonly Change[], tx: Transaction): Promise<void> {
  try {
    const state = editedPlainBatch(plainOfKnown(headOf(model, on).known), editsFrom(so))
    expect(plainText(plainOf(encode(await tx.get('/'))))).toBe(plainText(state))
  } catch (error) {
    if (!(error instanceof PlainRefusal)) throw error
  }
}

/** A write that holds only on the head, or over the value, that it names: the true one or another. */
const strict: fc.Arbitrary<Command> = fc
  .tuple(hand, branch, change, fc.constantFrom('head', 'value'), fc.boolean())
  .map(([which, on, one, about, isTrue]) =>
    command(
      `${on}: ${one.says} only if the ${about} is ${isTrue ? 'as it is' : 'another'}`,
      [on],
      async (model, real) => {
        const repo = real.hands[which]
        const why = `${model.commits.length} strict`
        const now = await repo.on(on).find(one.path)
        const onlyIf =
          about === 'head' ? { head: isTrue ? headOf(model, on).id : 'another' } : { value: isTrue ? now : 'another' }
        const info = { description: why, onlyIf }
        const act = (): Promise<Written> =>
          one.op === 'set' ? repo.on(on).set(one.path, one.value, info) : repo.on(on).delete(one.path, info)
        const expected: Outcome = isTrue
          ? edited(model, on, editsFrom([one]))
          : { kind: 'refused', codes: ['precondition-failed'] }
        await agree(model, repo, on, expected, why, act)
      },
    ),
  )

const branching: fc.Arbitrary<Command> = fc.tuple(hand, branch, branch, back).map(([which, name, on, nth]) =>
  command(`branch ${name} from ${on}, or from ${nth} back`, [on], async (model, { hands }) => {
    const repo = hands[which]
    if (model.branches.has(name)) {
      await expect(repo.on(on).branch(name)).rejects.toMatchObject({ code: 'ref-exists' })
      return
    }
    const from = nth > 4 ? commitBack(model, nth) : model.branches.get(on)!
    const made = await repo.on(on).branch(name, nth > 4 ? { from: { id: model.commits[from]!.id } } : {})
    expect(made.branchName).toBe(name)
    model.branches.set(name, from)
    await expectSame(model, repo, name)
  }),
)

const deletingBranch: fc.Arbitrary<Command> = fc.tuple(hand, branch).map(([which, name]) =>
  command(`delete branch ${name}`, [name], async (model, { hands }) => {
    if (name === 'main') {
      await expect(hands[which].deleteBranch(name)).rejects.toMatchObject({ code: 'ref-protected' })
      return
    }
    await hands[which].deleteBranch(name)
    model.branches.delete(name)
    await expect(hands[which].on(name).head()).rejects.toMatchObject({ code: 'ref-not-found' })
  }),
)

const tagging: fc.Arbitrary<Command> = fc.tuple(hand, branch, fc.constantFrom('v1', 'v2')).map(([which, on, name]) =>
  command(`tag ${name} on ${on}`, [on], async (model, { hands }) => {
    const tagged = hands[which].on(on).tag(name)
    if (model.tags.has(name)) return expect(tagged).rejects.toMatchObject({ code: 'ref-exists' })
    expect(await tagged).toEqual({ name, id: headOf(model, on).id })
    model.tags.set(name, model.branches.get(on)!)
  }),
)

const merging: fc.Arbitrary<Command> = fc
  .tuple(hand, branch, fc.oneof(branch, back), policies, resolution, fc.boolean())
  .map(([which, on, from, rules, decision, fastForward]) =>
    command(
      `${on}: merge ${from} with ${inspect({ rules, decision, fastForward })}`,
      typeof from === 'string' ? [on, from] : [on],
      async (model, { hands }) => {
        const repo = hands[which].on(on)
        const source = typeof from === 'string' ? model.branches.get(from)! : commitBack(model, from)
        const revision = typeof from === 'string' ? from : { id: model.commits[source]!.id }
        const choices = { policies: rules, resolution: decision, fastForward }
        const undecided = merged(model, on, source, { ...choices, resolution: undefined })
        const conflicts = undecided.kind === 'refused' ? undecided.conflicts! : []
        const preview = await repo.previewMerge(revision, { policies: rules })
        expect(preview.kind === 'conflict' ? preview.conflicts.map(({ path }) => path) : []).toEqual(conflicts)
        const resolutions = decision === undefined ? {} : Object.fromEntries(conflicts.map(path => [path, decision]))
        const why = `${model.commits.length} merge`
        const act = (): Promise<Written> =>
          repo.merge(revision, { description: why, policies: rules, resolutions, fastForward })
        await agree(model, repo, on, merged(model, on, source, choices), why, act)
      },
    ),
  )

/** `apply` goes back as well: by the difference between the branch and the commit. */
const goingBack: fc.Arbitrary<Command> = fc
  .tuple(hand, branch, back, fc.constantFrom('revert', 'rollback', 'cherryPick', 'apply'))
  .map(([which, on, nth, how]) =>
    command(`${on}: ${how} the commit ${nth} back`, [on], (model, { hands }) => {
      const repo = hands[which]
      const commit = commitBack(model, nth)
      const why = `${model.commits.length} ${how}`
      const expected =
        how === 'rollback' || how === 'apply'
          ? rolledBack(model, on, commit)
          : replayed(model, on, commit, how === 'revert' ? 'back' : 'again')
      const revision = { id: model.commits[commit]!.id }
      const act = async (): Promise<Written> => {
        if (how !== 'apply') return repo.on(on)[how](revision, why)
        const difference = await repo.diff(on, revision)
        return repo.on(on).commit(why, tx => tx.apply(difference))
      }
      return agree(model, repo, on, expected, why, act)
    }),
  )

const reopening: fc.Arbitrary<Command> = hand.map(which =>
  command(`reopen hand ${which}`, [], async (model, real) => {
    await real.reopen(which)
    await expectSame(model, real.hands[which], 'main')
  }),
)

/** Takes back a commit wherever it was made, by the number of its entry. */
const undoing: fc.Arbitrary<Command> = fc.tuple(hand, back).map(([which, nth]) =>
  command(
    `undo the commit ${nth} back`,
    [],
    (model, { hands }) => {
      const { seq, description, on: name } = model.commits[commitBack(model, nth)]!
      const on = name as BranchName
      const repo = hands[which]
      const outcome = replayed(model, on, commitBack(model, nth), 'back')
      const expected: Outcome = outcome.kind === 'unchanged' ? { kind: 'refused', codes: ['nothing-to-undo'] } : outcome
      const act = async (): Promise<Written> => {
        const event = await repo.undo(seq)
        expect(event).toMatchObject({ kind: 'undo', entry: seq })
        return { ...(await repo.on(on).head()), changed: true }
      }
      return agree(model, repo, on, expected, `Undo "${description}"`, act)
    },
    model => model.branches.has(model.commits[commitBack(model, nth)]!.on),
  ),
)

/** Every operation, the frequent ones more often. */
export const commands: fc.Arbitrary<Command>[] = [
  setting,
  setting,
  setting,
  committing,
  committing,
  strict,
  branching,
  branching,
  merging,
  merging,
  merging,
  goingBack,
  goingBack,
  undoing,
  ...speculating,
  tagging,
  deletingBranch,
  reopening,
]
