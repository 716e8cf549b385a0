/** Whether the index of a plan, made step by step, is the one that its tasks give. */
import { expect } from 'vitest'
import { indexed } from '../../../src/plans/indexed-plan.ts'
import { newIndex } from '../../../src/plans/new-index.ts'
import { planRoot } from '../../../src/plans/plan-root.ts'
import { getBranchHead } from '../../../src/repo/index.ts'
import type { Repository } from '../../../src/repository/index.ts'
import type { Work } from '../../../src/store/index.ts'
import { valueOfChild } from '../../../src/tree/index.ts'

/** Expects that the index, as it was brought forward, equals one made anew. */
export async function expectIndexHolds({ handle }: Repository, plan: string): Promise<void> {
  const { journal } = handle
  const [forward, anew] = await journal.run(
    (function* (): Work<[unknown, unknown]> {
      const root = planRoot(journal, plan, (yield* getBranchHead(handle)).system)
      const { index } = yield* indexed(root)
      return [yield* valueOfChild(journal.context, index), yield* valueOfChild(journal.context, yield* newIndex(root))]
    })(),
  )
  expect(withoutEmpty(forward)).toEqual(withoutEmpty(anew))
}

/** A map that was emptied stays; one that was never needed is not there. */
function withoutEmpty(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).map(([key, field]) => [key, withoutEmpty(field)] as const)
  const kept = fields.filter(([, field]) => field !== undefined)
  return kept.length === 0 ? undefined : Object.fromEntries(kept)
}
