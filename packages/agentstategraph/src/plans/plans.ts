/**
 * The plans of a repository's branch, worked on as the repository's agent: `plans(repo.as('agent/x'))`.
 *
 * They lie in the system root under `/_plans`, so no ordinary write reaches them, and travel with the branch: they are
 * merged, reverted, exported and verified like everything else.
 */

import type { Repository } from '../face/index.ts'
import { type Listing, listingOf } from '../face/listing.ts'
import { findBranchHead } from '../repo/index.ts'
import type { Work } from '../store/index.ts'
import { assertOpen, findView, getView, planNames, statusOfPlan } from './land-plan.ts'
import { type Plan, planFrom } from './plan.ts'
import { createPlan } from './plan-life.ts'
import type { Verifier } from './proof.ts'
import type { PlanStatus } from './task.ts'

export interface Plans {
  create(name: string, description?: string): Promise<Plan>
  get(name: string): Promise<Plan>
  find(name: string): Promise<Plan | undefined>
  /** By name. */
  list(filter?: { status?: PlanStatus | undefined; limit?: number | undefined }): Listing<Plan>
}

/** The plans on a repository's branch. The verifier judges proofs that are no commits. */
export function plans(repo: Pick<Repository, 'handle'>, { verifier }: { verifier?: Verifier | undefined } = {}): Plans {
  const { handle } = repo

  async function run<T>(work: Work<T>): Promise<T> {
    assertOpen(handle)
    return handle.journal.run(work)
  }

  function* got(name: string): Work<Plan> {
    return yield* planFrom(handle, yield* getView(handle, name), verifier)
  }

  function* found(name: string): Work<Plan | undefined> {
    const view = yield* findView(handle, name)
    return view === undefined ? undefined : yield* planFrom(handle, view, verifier)
  }

  function* listed(status: PlanStatus | undefined, limit: number): Work<readonly Plan[]> {
    const head = yield* findBranchHead(handle)
    const all: Plan[] = []
    for (const name of yield* planNames(handle, head)) {
      if (all.length >= limit) break
      const view = yield* getView(handle, name, head)
      if (status === undefined || (yield* statusOfPlan(view.root)) === status) {
        all.push(yield* planFrom(handle, view, verifier))
      }
    }
    return all
  }

  return {
    async create(name, description) {
      await createPlan(handle, name, description)
      return run(got(name))
    },
    get: async name => run(got(name)),
    find: async name => run(found(name)),
    list: ({ status, limit = Number.POSITIVE_INFINITY } = {}) => listingOf(() => run(listed(status, limit))),
  }
}
