/**
 * Lease operations without a `Claim` object: each call may come from another process.
 *
 * Nothing is kept between calls and no timer runs. Each must come from the agent that owns the lease; one
 * that names a claim is refused when the task has another one.
 */

import { checkOptions, optionsOf } from '../core/index.ts'
import type { Handle } from '../repo/index.ts'
import type { Work } from '../store/index.ts'
import { checkedProof } from './claim.ts'
import { getView } from './land-plan.ts'
import { claimTask, completeTask, type Lease, releaseTask, renewLease } from './lease-task.ts'
import type { Proof, Verifier } from './proof.ts'
import type { PlanTask } from './task.ts'
import { checkedLease } from './task-check.ts'
import { getTask, readTask } from './task-reading.ts'

/** A task with the id of its claim. */
export interface TakenTask {
  readonly task: PlanTask
  /** The id of the claim, which distinguishes several claims of one agent. */
  readonly claim: string
}

/** Which claim a call is about, where one agent has several. */
export interface LeaseOptions {
  /** The id of the claim; without it, the claim of the agent. */
  claim?: string | undefined
}

/** Options of `renew`. */
export interface RenewOptions extends LeaseOptions {
  /** The length of the lease from now on. */
  leaseMs?: number | undefined
}

/** Options of `take`. */
export interface TakeOptions {
  /** The task to claim. Throws when it cannot be claimed. */
  id?: string | undefined
  leaseMs?: number | undefined
}

const takeOptions = optionsOf<TakeOptions>('take', { id: true, leaseMs: true })
const renewOptions = optionsOf<RenewOptions>('renew', { claim: true, leaseMs: true })
const completeOptions = optionsOf<LeaseOptions>('complete', { claim: true })
const releaseOptions = optionsOf<LeaseOptions>('release', { claim: true })

/** Claims by id, for callers that cannot keep a `Claim` object. */
export interface Leases {
  /** Claims the next task, or the named one, without a `Claim` object. */
  take(options?: TakeOptions): Promise<TakenTask | undefined>
  /** Starts a lease anew: 15 minutes unless given. */
  renew(id: string, options?: RenewOptions): Promise<PlanTask>
  complete(id: string, proof: Proof, options?: LeaseOptions): Promise<PlanTask>
  release(id: string, options?: LeaseOptions): Promise<PlanTask>
}

export function leasesOf(handle: Handle, plan: string, verifier: Verifier | undefined): Leases {
  function leaseOf(task: string, { claim, leaseMs }: RenewOptions = {}): Lease {
    return { plan, task, claim, leaseMs: checkedLease(plan, leaseMs) }
  }

  return {
    async take(options = {}) {
      checkOptions(takeOptions, options)
      const { id, leaseMs } = options
      const taken = await claimTask(handle, plan, id, checkedLease(plan, leaseMs))
      return taken === undefined ? undefined : { task: taken.task, claim: taken.lease.claim }
    },
    async renew(id, options) {
      checkOptions(renewOptions, options)
      await renewLease(handle, leaseOf(id, options))
      return handle.journal.run(readOne(handle, plan, id))
    },
    async complete(id, proof, options) {
      checkOptions(completeOptions, options)
      const lease = leaseOf(id, options)
      return completeTask(handle, lease, await checkedProof(handle, lease, proof, verifier))
    },
    async release(id, options) {
      checkOptions(releaseOptions, options)
      await releaseTask(handle, leaseOf(id, options))
      return handle.journal.run(readOne(handle, plan, id))
    },
  }
}

export function* readOne(handle: Handle, plan: string, id: string): Work<PlanTask> {
  const view = yield* getView(handle, plan)
  return yield* readTask(view, (yield* getTask(view.root, id)).key)
}
