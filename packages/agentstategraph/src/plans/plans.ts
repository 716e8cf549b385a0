/**
 * The plans of a repository's branch, used as the repository's agent: `plans(repo.as('agent/x'))`.
 *
 * They are stored in the system root under `/_plans`, so ordinary writes cannot change them. They belong to the branch: they
 * are merged, reverted, exported and verified with it.
 */

import { checkOptions, optionsOf } from '../core/index.ts'
import { findBranchHead } from '../repo/index.ts'
import type { Repository } from '../repository/index.ts'
import { keyedListing, type Listing } from '../repository/listing.ts'
import type { Work } from '../store/index.ts'
import { assertOpen, findPlan, getPlan, planNames, statusOfPlan } from './land-plan.ts'
import { type Plan, planFrom } from './plan.ts'
import { createPlan } from './plan-lifecycle.ts'
import type { Verifier } from './proof.ts'
import type { PlanStatus } from './task.ts'

/** The plans of a repository. */
export interface Plans {
  create(name: string, description?: string): Promise<Plan>
  get(name: string): Promise<Plan>
  find(name: string): Promise<Plan | undefined>
  /** By name. */
  list(filter?: PlanFilter): Listing<Plan>
}

/** Options of `list` of plans. */
export interface PlanFilter {
  status?: PlanStatus | undefined
  limit?: number | undefined
}

/** Options of `plans`. */
export interface PlansOptions {
  /** Judges proofs that are no commits. */
  verifier?: Verifier | undefined
}

const plansOptions = optionsOf<PlansOptions>('plans', { verifier: true })
const listOptions = optionsOf<PlanFilter>('the list of plans', { status: true, limit: true })

/**
 * The plans on a repository's branch.
 *
 * @example
 * ```ts
 * import { open } from 'agentstategraph'
 * import { plans } from 'agentstategraph/plans'
 *
 * const repo = await open()
 * const plan = await plans(repo).create('release')
 * await plan.add({ title: 'Write the notes' })
 * ```
 */
export function plans(repo: Pick<Repository, 'handle'>, options: PlansOptions = {}): Plans {
  checkOptions(plansOptions, options)
  const { verifier } = options
  const { handle } = repo

  async function run<T>(work: Work<T>): Promise<T> {
    assertOpen(handle)
    return handle.journal.run(work)
  }

  function* got(name: string): Work<Plan> {
    return yield* planFrom(handle, yield* getPlan(handle, name, yield* findBranchHead(handle)), verifier)
  }

  function* found(name: string): Work<Plan | undefined> {
    const root = yield* findPlan(handle, name, yield* findBranchHead(handle))
    return root === undefined ? undefined : yield* planFrom(handle, root, verifier)
  }

  function* listed(status: PlanStatus | undefined): Work<readonly Plan[]> {
    const head = yield* findBranchHead(handle)
    const all: Plan[] = []
    for (const name of yield* planNames(handle, head)) {
      const root = yield* getPlan(handle, name, head)
      if (status === undefined || (yield* statusOfPlan(root)) === status) {
        all.push(yield* planFrom(handle, root, verifier))
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
    list: (filter = {}) =>
      keyedListing(() => run(listed(filter.status)), { key: ({ name }) => name }, listOptions, filter),
  }
}
