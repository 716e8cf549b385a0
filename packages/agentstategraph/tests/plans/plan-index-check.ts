/** Whether the index of a plan is the one that its tasks give. */
import { expect } from 'vitest'
import type { Repository } from '../../src/face/index.ts'
import { freshenIndex } from '../../src/plans/plan-index.ts'
import { amend, deleteAt, findBelow, planRoot } from '../../src/plans/plan-root.ts'
import { getBranchHead } from '../../src/repo/index.ts'
import type { Work } from '../../src/store/index.ts'

/** Expects that the index, as it is kept, equals one made anew. */
export async function expectIndexHolds({ handle }: Repository, plan: string): Promise<void> {
  const [kept, made] = await handle.journal.run(
    (function* (): Work<[unknown, unknown]> {
      const root = planRoot(handle.journal.context, plan, (yield* getBranchHead(handle)).system)
      const index = yield* findBelow(root, ['index'])
      yield* amend(root, [deleteAt(root, ['index'])])
      yield* freshenIndex(root)
      return [index, yield* findBelow(root, ['index'])]
    })(),
  )
  expect(withoutEmpty(kept)).toEqual(withoutEmpty(made))
}

/** A map that was emptied stays; one that was never needed is not there. */
function withoutEmpty(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).map(([key, field]) => [key, withoutEmpty(field)] as const)
  const kept = fields.filter(([, field]) => field !== undefined)
  return kept.length === 0 ? undefined : Object.fromEntries(kept)
}
