/** One operation on a repository and on its model: done, compared, and taken over. */
import fc from 'fast-check'
import { expect } from 'vitest'
import { isStateError, type Repository, type Written } from '../../../../src/repository/index.ts'
import { expectSame } from './compare.ts'
import { headOf, type Model, type Outcome } from './model.ts'
import type { Real } from './stores.ts'

export type Command = fc.AsyncCommand<Model, Real>

/** The branches there can be. */
const branchNames = ['main', 'left', 'right'] as const
export type BranchName = (typeof branchNames)[number]

export const branch = fc.constantFrom(...branchNames)
/** Which of two handles does it. */
export const hand = fc.constantFrom(0, 1) as fc.Arbitrary<0 | 1>
/** A commit, as so many before the newest. */
export const back = fc.nat(9)

/** A command that needs its branches to be there, and more if asked. */
export function command(
  says: string,
  needs: readonly BranchName[],
  run: (model: Model, real: Real) => Promise<void>,
  can: (model: Readonly<Model>) => boolean = () => true,
): Command {
  return {
    check: model => needs.every(name => model.branches.has(name)) && can(model as Model),
    run,
    toString: () => says,
  }
}

/** Does something that must end as the model says, and takes over what it did. */
export async function agree(
  model: Model,
  repo: Repository,
  on: BranchName,
  expected: Outcome,
  description: string,
  act: () => Promise<Written>,
): Promise<void> {
  const written = await act().catch((error: unknown) => {
    if (!isStateError(error)) throw error
    return error
  })
  if (expected.kind === 'refused') {
    expect(expected.codes).toContain(isStateError(written) ? written.code : `changed: ${written.changed}`)
    if (isStateError(written, 'merge-conflict')) {
      expect(written.data.conflicts.map(({ path }) => path)).toEqual(expected.conflicts)
    }
  } else {
    if (isStateError(written)) throw written
    expect(written.changed).toBe(expected.kind !== 'unchanged')
    if (expected.kind === 'unchanged') expect(written.id).toBe(headOf(model, on).id)
    else if (expected.kind === 'moved') {
      expect(written.id).toBe(model.commits[expected.to]!.id)
      model.branches.set(on, expected.to)
    } else {
      const { known, parents, lands } = expected
      const { id, seq } = written
      model.branches.set(on, model.commits.push({ id, seq, on, description, parents, known, lands }) - 1)
    }
  }
  await expectSame(model, repo, on)
}

export function commitBack({ commits }: Model, nth: number): number {
  return Math.max(0, commits.length - 1 - nth)
}
