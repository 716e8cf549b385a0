/**
 * What the holder of a task does when no claim is at hand: each call may come from another process than the one before.
 *
 * Nothing is kept between calls and no timer runs. Whoever names the claim is refused when it is another; whoever names
 * none has to be the agent that holds the task.
 */

import { checkOptions, optionsOf } from '../core/index.ts'
import type { Handle } from '../repo/index.ts'
import type { Work } from '../store/index.ts'
import { checkedProof } from './claim.ts'
import { completeHold, type Hold, releaseHold, renewHold, takeTask } from './hold-task.ts'
import { getView } from './land-plan.ts'
import type { Proof, Verifier } from './proof.ts'
import type { PlanTask } from './task.ts'
import { checkedLease } from './task-check.ts'
import { getTask, readTask } from './task-reading.ts'

export interface TakenTask {
  readonly task: PlanTask
  /** The id of the claim: names it among several of one agent. */
  readonly claim: string
}

export interface HoldOptions {
  /** The id of the claim that is meant; without it, the one that the agent has. */
  claim?: string | undefined
}

export interface RenewOptions extends HoldOptions {
  /** How long it is held from now on. */
  leaseMs?: number | undefined
}

export interface TakeOptions {
  /** The task to take; one that cannot be taken is an error that says why. */
  id?: string | undefined
  leaseMs?: number | undefined
}

const takeOptions = optionsOf<TakeOptions>('take', { id: true, leaseMs: true })
const renewOptions = optionsOf<RenewOptions>('renew', { claim: true, leaseMs: true })
const completeOptions = optionsOf<HoldOptions>('complete', { claim: true })
const releaseOptions = optionsOf<HoldOptions>('release', { claim: true })

export interface Holding {
  /** Takes the next task, or the one named, for calls that come later and from anywhere. */
  take(options?: TakeOptions): Promise<TakenTask | undefined>
  /** Holds a task for the length of a lease from now on: 15 minutes unless given. */
  renew(id: string, options?: RenewOptions): Promise<PlanTask>
  complete(id: string, proof: Proof, options?: HoldOptions): Promise<PlanTask>
  release(id: string, options?: HoldOptions): Promise<PlanTask>
}

export function holdingOf(handle: Handle, plan: string, verifier: Verifier | undefined): Holding {
  function holdOf(task: string, { claim, leaseMs }: RenewOptions = {}): Hold {
    return { plan, task, claim, leaseMs: checkedLease(plan, leaseMs) }
  }

  return {
    async take(options = {}) {
      checkOptions(takeOptions, options)
      const { id, leaseMs } = options
      const taken = await takeTask(handle, plan, id, checkedLease(plan, leaseMs))
      return taken === undefined ? undefined : { task: taken.task, claim: taken.hold.claim }
    },
    async renew(id, options) {
      checkOptions(renewOptions, options)
      await renewHold(handle, holdOf(id, options))
      return handle.journal.run(readOne(handle, plan, id))
    },
    async complete(id, proof, options) {
      checkOptions(completeOptions, options)
      const hold = holdOf(id, options)
      return completeHold(handle, hold, await checkedProof(handle, hold, proof, verifier))
    },
    async release(id, options) {
      checkOptions(releaseOptions, options)
      await releaseHold(handle, holdOf(id, options))
      return handle.journal.run(readOne(handle, plan, id))
    },
  }
}

export function* readOne(handle: Handle, plan: string, id: string): Work<PlanTask> {
  const view = yield* getView(handle, plan)
  return yield* readTask(view, (yield* getTask(view.root, id)).key)
}
