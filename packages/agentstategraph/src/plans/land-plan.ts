/**
 * Reading plans, and landing each transition as one commit of category `Plan`.
 *
 * A transition is decided on the current head and lands only on that head. When another writer was first, it is decided again
 * on the new head, and may then be refused. Code that decides does not handle races.
 */

import { bytesOfId, hashText, userKey } from '../core/index.ts'
import {
  assertReads,
  assertWritable,
  branchRef,
  branchScopeOf,
  detailLink,
  findBranchHead,
  type Handle,
  landOnce,
  mainBranch,
  type PlanStatus,
  plansKey,
  reasonOf,
  refNotFound,
  repoError,
} from '../repo/index.ts'
import { emptyRoot } from '../repo/state/roots.ts'
import { momentAfter, type StoredCommit, type Work } from '../store/index.ts'
import { containerOfChild, entriesOf, findEntry } from '../tree/index.ts'
import { planError } from './errors.ts'
import { indexed } from './indexed-plan.ts'
import type { IndexedPlan } from './plan-index.ts'
import { findBelow, type PlanRoot, planRoot } from './plan-root.ts'

/** A plan at a commit, and the time by which its leases are judged. */
export interface PlanView {
  readonly root: IndexedPlan
  readonly now: number
}

/** The description of a transition for its commit, and its result. */
export interface Described<T> {
  readonly description: string
  readonly reasoning?: string | undefined
  readonly result: T
}

/** Decides a transition; undefined when there is nothing to land. */
export type Decision<T> = Work<Described<T> | undefined>

const SHOWN_PLANS = 20
const FIRST_WINDOW_MS = 64
const LAST_WINDOW_MS = 1024

export function assertOpen({ shared }: Handle): void {
  if (shared.isClosed) throw repoError('closed', { what: 'The repository' })
}

/** The time of a decision. It is not before the head, so a slow clock cannot prolong leases. */
export function momentOn({ journal }: Handle, head: StoredCommit | undefined): number {
  return momentAfter(journal.now(), head?.record.time ?? 0)
}

/** The names of the readable plans. */
export function* planNames(handle: Handle, head: StoredCommit | undefined): Work<string[]> {
  const { journal } = handle
  const scope = yield* branchScopeOf(handle)
  const entry = head === undefined ? undefined : yield* findEntry(journal.context, head.system, [plansKey])
  const map = entry === undefined ? undefined : yield* containerOfChild(journal.context, entry.child)
  const names = map === undefined ? [] : (yield* entriesOf(journal.context, map)).map(({ key }) => userKey(key))
  return scope === undefined ? names : names.filter(name => scope.readability([plansKey, name]) === 'all')
}

/** The plan at a commit, without an index; undefined when there is none. */
export function* findPlan(handle: Handle, name: string, head: StoredCommit | undefined): Work<PlanRoot | undefined> {
  yield* assertReads(handle, [plansKey, name])
  if (head === undefined) return undefined
  const root = planRoot(handle.journal, name, head.system)
  return (yield* findBelow(root, ['state'])) === undefined ? undefined : root
}

export function* getPlan(handle: Handle, name: string, head: StoredCommit | undefined): Work<PlanRoot> {
  const root = yield* findPlan(handle, name, head)
  if (root !== undefined) return root
  const known = yield* planNames(handle, head)
  throw planError('plan-not-found', { plan: name, branch: handle.branch, known: known.slice(0, SHOWN_PLANS) })
}

/** The plan on the handle's branch now, with its index. */
export function* getView(handle: Handle, name: string, at?: StoredCommit | undefined): Work<PlanView> {
  const head = at ?? (yield* findBranchHead(handle))
  return { root: yield* indexed(yield* getPlan(handle, name, head)), now: momentOn(handle, head) }
}

export function* statusOfPlan(root: PlanRoot): Work<PlanStatus> {
  return ((yield* findBelow(root, ['state'])) as ReadonlyMap<string, unknown>).get('status') as PlanStatus
}

/** Throws when the plan is closed or archived. */
export function* assertActive(root: PlanRoot, operation: string): Work<void> {
  const status = yield* statusOfPlan(root)
  if (status !== 'active') throw planError('plan-closed', { plan: root.plan, status, operation })
}

export interface Landed<T> {
  /** The plan as it is now. */
  readonly view: PlanView
  readonly result: T
  readonly commit: StoredCommit
}

/** Decides a transition and lands it; undefined when there was nothing to land. */
export async function transit<T>(
  handle: Handle,
  name: string,
  operation: string,
  decide: (view: PlanView) => Decision<T>,
): Promise<Landed<T> | undefined> {
  return untilLanded(handle, operation, function* (): Work<Landed<T> | 'lost' | undefined> {
    const head = yield* findBranchHead(handle)
    const view = yield* getView(handle, name, head)
    const told = yield* decide(view)
    if (told === undefined) return undefined
    const commit = yield* landPlan(handle, head, view.root, told)
    return commit === undefined ? 'lost' : { view, result: told.result, commit }
  })
}

/** Retries a landing that lost a race, with randomized backoff. */
export async function untilLanded<T>(handle: Handle, operation: string, attempt: () => Work<T | 'lost'>): Promise<T> {
  const { journal, shared } = handle
  for (let windowMs = FIRST_WINDOW_MS; ; windowMs = Math.min(2 * windowMs, LAST_WINDOW_MS)) {
    assertOpen(handle)
    assertWritable(shared, operation)
    const outcome = await journal.run(attempt())
    if (outcome !== 'lost') return outcome
    const chance = bytesOfId(hashText(journal.ids()))[0]! / 256
    await new Promise(resolve => setTimeout(resolve, chance * windowMs))
  }
}

/** Lands a changed plan; undefined when the head has moved. */
export function* landPlan(
  handle: Handle,
  head: StoredCommit | undefined,
  root: PlanRoot,
  { description, reasoning }: Omit<Described<unknown>, 'result'>,
): Work<StoredCommit | undefined> {
  const { journal, branch } = handle
  // The first write creates main. Any other missing branch is more likely a typing error.
  if (head === undefined && branch !== mainBranch) throw yield* refNotFound(handle, branch)
  const { info, ...reason } = reasonOf(handle, { description, reasoning }, 'Plan')
  const ref = branchRef(branch)
  const { system } = root
  const tree = head?.tree ?? emptyRoot(journal)
  const landing = { ref, head, tree, system, info, ...detailLink(handle, reason) }
  const outcome = yield* landOnce(handle, landing)
  return outcome.kind === 'done' ? outcome.commit : undefined
}
