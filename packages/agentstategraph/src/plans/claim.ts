/// <reference lib="esnext.disposable" preserve="true" />

/** A claimed task: the object with which its owner renews, completes or releases the lease. Disposing it releases the task. */

import { isStateError } from '../core/index.ts'
import type { Handle } from '../repo/index.ts'
import { planError } from './errors.ts'
import { type ClaimedTask, completeTask, type Lease, releaseTask, renewLease } from './lease-task.ts'
import { formFault, judgeBy, type Proof, pinned, type Verifier } from './proof.ts'
import type { PlanTask } from './task.ts'

/** A claimed task: its lease is renewed until it is completed or released. */
export interface Claim extends AsyncDisposable {
  /** The task as it was when it was claimed. */
  readonly task: PlanTask
  /** Aborts when the lease has run out, or when a call finds that another claim has the task. */
  readonly signal: AbortSignal
  /** Starts the lease anew, with the same length. */
  renew(): Promise<void>
  complete(proof: Proof): Promise<PlanTask>
  release(): Promise<void>
}

/** The result of `setTimeout`: on Node an object with `unref`. */
type Timer = number | { unref(): void }

const gone = ['lease-lost', 'transition-refused', 'task-not-found', 'plan-not-found'] as const
const MAX_TIMER_MS = 2 ** 31 - 1

export function claimOf(
  handle: Handle,
  { lease, task, leaseEnds }: ClaimedTask,
  verifier: Verifier | undefined,
): Claim {
  const { journal, shared } = handle
  const lost = new AbortController()
  let isOver = false
  let end = leaseEnds
  let timer: Timer | undefined

  function stopWaiting(): void {
    clearTimeout(timer as number | undefined)
    shared.onClose.delete(stopWaiting)
  }

  function finish(): void {
    isOver = true
    stopWaiting()
  }

  function lose(error: unknown): void {
    finish()
    lost.abort(error)
  }

  /** Sets a timer for the end of the lease. The journal's clock decides, so an early timer is set again. */
  function watchLease(): void {
    stopWaiting()
    if (end === undefined || isOver) return
    const left = Date.parse(end) - journal.now()
    if (left <= 0) {
      const { plan, task: id } = lease
      lose(planError('lease-lost', { plan, task: id, agent: handle.who.agent, owner: undefined }))
      return
    }
    shared.onClose.add(stopWaiting)
    timer = setTimeout(watchLease, Math.min(left, MAX_TIMER_MS)) as Timer
    if (typeof timer === 'object') timer.unref()
  }

  /** Runs a transition that needs the lease; a lost lease aborts the signal. */
  async function withLease<T>(act: () => Promise<T>): Promise<T> {
    try {
      return await act()
    } catch (error) {
      if (isStateError(error, 'lease-lost')) lose(error)
      throw error
    }
  }

  async function release(): Promise<void> {
    await withLease(() => releaseTask(handle, lease))
    finish()
  }

  watchLease()
  return {
    task,
    signal: lost.signal,
    async renew() {
      end = (await withLease(() => renewLease(handle, lease))) ?? end
      watchLease()
    },
    async complete(proof) {
      const kept = await checkedProof(handle, lease, proof, verifier)
      const done = await withLease(() => completeTask(handle, lease, kept))
      finish()
      return done
    },
    release,
    async [Symbol.asyncDispose]() {
      if (isOver) return
      try {
        await release()
      } catch (error) {
        // The lease is already gone, so there is nothing to release.
        if (!gone.some(code => isStateError(error, code))) throw error
      }
    },
  }
}

/** The proof as it is stored. Throws `proof-invalid`. */
export async function checkedProof(
  handle: Handle,
  { plan, task }: Lease,
  proof: Proof,
  verifier: Verifier | undefined,
): Promise<Proof> {
  const refuse = (reason: string): Error =>
    planError('proof-invalid', { plan, task, kind: String(proof?.kind), reason })
  const fault = formFault(proof)
  if (fault !== undefined) throw refuse(fault)
  const kept = await handle.journal.run(pinned(handle, proof))
  if ('fault' in kept) throw refuse(kept.fault)
  if (kept.kind !== 'commit' && verifier !== undefined) {
    const { status } = await judgeBy(verifier, kept)
    if (status === 'decayed') throw refuse('the verifier says that it does not hold')
  }
  return kept
}
