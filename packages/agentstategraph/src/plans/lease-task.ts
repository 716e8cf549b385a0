/**
 * Claiming a task, and what its lease allows: renew, complete, release.
 *
 * A claim is held by its agent, and has an id, so that two claims of one agent differ: knowing the id gives nothing. The lease is checked at each call: one that has run out is lost,
 * whether or not the task was claimed again.
 */

import { type Handle, newId, type TaskRecord, taskIdOf } from '../repo/index.ts'
import type { Work } from '../store/index.ts'
import { planError } from './errors.ts'
import { changeTasks } from './indexed-plan.ts'
import { assertActive, type Decision, type PlanView, transit } from './land-plan.ts'
import { firstReady, type IndexedPlan, openWaits, runOut } from './plan-index.ts'
import { findTask } from './plan-root.ts'
import type { Proof } from './proof.ts'
import { type PlanTask, type StoredState, stateAt, stateMap } from './task.ts'
import { leaseEnd } from './task-check.ts'
import { getTask, readTask } from './task-reading.ts'
import { type Action, assertTransition } from './transitions.ts'

export interface Lease {
  readonly plan: string
  /** The task's id. */
  readonly task: string
  /** The id of a claim of the agent; without one, any of them. */
  readonly claim: string | undefined
  readonly leaseMs: number
}

export interface ClaimedTask {
  readonly lease: Lease & { readonly claim: string }
  readonly task: PlanTask
  readonly leaseEnds: string | undefined
}

/** Claims the next task, or the named one; undefined when no task is ready. */
export async function claimTask(
  handle: Handle,
  plan: string,
  id: string | undefined,
  leaseMs: number,
): Promise<ClaimedTask | undefined> {
  const { agent } = handle.who
  const claim = newId(handle)
  const landed = await transit(handle, plan, 'claim', function* ({ root, now }): Decision<{
    readonly key: string
    readonly leaseEnds: string | undefined
  }> {
    yield* assertActive(root, 'claim')
    const key = id === undefined ? yield* nextKey(root, agent, now) : yield* claimableKey(root, id, agent, now)
    if (key === undefined) return undefined
    const leaseEnds = leaseEnd(now, leaseMs)
    const { title } = (yield* findTask(root, key))!
    const ending = leaseEnds === undefined ? {} : { leaseEnds }
    const state = stateMap({ status: 'in-progress', owner: agent, claim, ...ending })
    yield* changeTasks(root, [{ key, fields: { state } }])
    return { description: `Claim ${taskIdOf(key)} of ${plan}: ${title}`, result: { key, leaseEnds } }
  })
  if (landed === undefined) return undefined
  const { key, leaseEnds } = landed.result
  const lease = { plan, task: taskIdOf(key), claim, leaseMs }
  return { lease, task: await handle.journal.run(readTask(landed.view, key)), leaseEnds }
}

/** The next task for an agent. Tasks whose lease has run out become pending first. */
export function* nextKey(root: IndexedPlan, agent: string, now: number): Work<string | undefined> {
  const free = stateMap({ status: 'pending' })
  const keys = yield* runOut(root, agent, now)
  if (keys.length > 0)
    yield* changeTasks(
      root,
      keys.map(key => ({ key, fields: { state: free } })),
    )
  return yield* firstReady(root, agent)
}

function* claimableKey(root: IndexedPlan, id: string, agent: string, now: number): Work<string> {
  const { plan } = root
  const { key, record } = yield* getTask(root, id)
  const state = stateAt(record, now)
  if (state.status === 'in-progress') {
    throw planError('task-taken', { plan, task: id, owner: state.owner, leaseEnds: state.leaseEnds })
  }
  assertTransition(plan, id, 'claim', state, agent)
  const { assignee } = record
  if (assignee !== undefined && assignee !== agent) {
    throw planError('task-assigned', { plan, task: id, assignee, agent })
  }
  yield* assertNotWaiting(root, key, record)
  return key
}

function* assertNotWaiting(root: IndexedPlan, key: string, record: TaskRecord): Work<void> {
  const by = (yield* openWaits(root, key, record)).map(taskIdOf)
  if (by.length > 0) throw planError('task-blocked', { plan: root.plan, task: taskIdOf(key), by })
}

/** Starts the lease anew; returns when it ends. */
export async function renewLease(handle: Handle, lease: Lease): Promise<string | undefined> {
  const landed = await transit(handle, lease.plan, 'renew', function* ({ root, now }): Decision<string> {
    const { key, record, state } = yield* getLeasedTask(handle, { root, now }, lease, 'renew')
    const leaseEnds = leaseEnd(now, lease.leaseMs)
    // A lease without an end cannot be longer.
    if (leaseEnds === undefined || leaseEnds === state.leaseEnds) return undefined
    yield* changeTasks(root, [{ key, fields: { state: stateMap({ ...state, leaseEnds }) } }])
    return { description: `Renew ${lease.task} of ${lease.plan}: ${record.title}`, result: leaseEnds }
  })
  return landed?.result
}

export async function completeTask(handle: Handle, lease: Lease, proof: Proof): Promise<PlanTask> {
  const { plan, task } = lease
  const landed = await transit(handle, plan, 'complete', function* ({ root, now }): Decision<string> {
    const { key, record, state: before } = yield* getLeasedTask(handle, { root, now }, lease, 'complete')
    yield* assertNotWaiting(root, key, record)
    const claimed = before.claim === undefined ? {} : { claim: before.claim }
    const state = stateMap({ status: 'done', owner: handle.who.agent, proof, ...claimed })
    yield* changeTasks(root, [{ key, fields: { state } }])
    const told = proof.note ?? `Proved by ${proof.kind} ${proof.value}`
    return { description: `Complete ${task} of ${plan}: ${record.title}`, reasoning: told, result: key }
  })
  return handle.journal.run(readTask(landed!.view, landed!.result))
}

export async function releaseTask(handle: Handle, lease: Lease): Promise<void> {
  const { plan, task } = lease
  await transit(handle, plan, 'release', function* ({ root, now }): Decision<undefined> {
    const { key, record } = yield* getLeasedTask(handle, { root, now }, lease, 'release')
    yield* changeTasks(root, [{ key, fields: { state: stateMap({ status: 'pending' }) } }])
    return { description: `Give back ${task} of ${plan}: ${record.title}`, result: undefined }
  })
}

interface LeasedTask {
  readonly key: string
  readonly record: TaskRecord
  readonly state: Extract<StoredState, { readonly status: 'in-progress' }>
}

/** The task of a lease. Throws when the lease is lost, with the present owner. */
function* getLeasedTask(
  { who }: Handle,
  { root, now }: PlanView,
  { plan, task, claim }: Lease,
  action: Action,
): Work<LeasedTask> {
  const { agent } = who
  const { key, record } = yield* getTask(root, task)
  const state = stateAt(record, now)
  const isOwner = 'owner' in state && state.owner === agent
  const isOurs = isOwner && (claim === undefined || state.claim === claim)
  if (state.status === 'in-progress' && isOurs) return { key, record, state }
  if (isOurs || state.status === 'abandoned') assertTransition(plan, task, action, state, agent)
  const owner = 'owner' in state ? state.owner : undefined
  throw planError('lease-lost', { plan, task, agent, owner })
}
