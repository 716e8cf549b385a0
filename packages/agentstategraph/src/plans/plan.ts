/** The API of a plan: each method is one transition or one read. */

import { checkOptions, optionsOf } from '../core/index.ts'
import { getBranchHead, type Handle, receipted, type Written, writtenFrom } from '../repo/index.ts'
import type { Listing } from '../repository/listing.ts'
import type { StoredCommit, Work } from '../store/index.ts'
import { addTasks } from './add-tasks.ts'
import { abandonTask, changeTask } from './change-task.ts'
import { type Claim, claimOf } from './claim.ts'
import { assertOpen, getView, statusOfPlan } from './land-plan.ts'
import { claimTask, nextKey } from './lease-task.ts'
import { type Leases, leasesOf, readOne } from './leases.ts'
import { archivePlan, closePlan } from './plan-lifecycle.ts'
import { findBelow, type PlanRoot } from './plan-root.ts'
import { type Judgement, judgeBy, judgeCommits, type Proof, type Verifier } from './proof.ts'
import type { NewTask, PlanStatus, PlanTask, TaskChanges } from './task.ts'
import { checkedLease } from './task-check.ts'
import { listTasks, readTask, type TaskFilter } from './task-reading.ts'

/** A plan: tasks that many processes can claim and complete. */
export interface Plan extends Leases {
  readonly name: string
  readonly description?: string
  /** As it was when the plan was read, or when this handle moved it. */
  readonly status: PlanStatus
  add(task: NewTask): Promise<PlanTask>
  /** Adds several in one commit. They may refer to tasks that exist already. */
  add(tasks: readonly NewTask[]): Promise<readonly PlanTask[]>
  get(id: string): Promise<PlanTask>
  /** By number. */
  tasks(filter?: TaskFilter): Listing<PlanTask>
  /** The task that this agent would claim, without claiming it. */
  next(): Promise<PlanTask | undefined>
  /** Claims the next task, or the named one. Of concurrent claims one succeeds. */
  claim(options?: ClaimOptions): Promise<Claim | undefined>
  change(id: string, changes: TaskChanges): Promise<PlanTask>
  /** Ends a task that will not be done. Tasks that it blocks stay blocked until they are changed. */
  abandon(id: string, reason: string): Promise<PlanTask>
  /** Ends the plan. All its tasks have to be done or abandoned. */
  close(summary: string): Promise<Written>
  /** Archives a closed plan. */
  archive(): Promise<Written>
  /** Checks the proofs of all tasks that are done. */
  verify(): Promise<readonly ProofReport[]>
}

/** Options of `claim`. */
export interface ClaimOptions {
  /** The task to claim. Throws when it cannot be claimed. */
  id?: string | undefined
  /** The length of the lease: 15 minutes unless given, `Infinity` for no end. */
  leaseMs?: number | undefined
}

const claimOptions = optionsOf<ClaimOptions>('claim', { id: true, leaseMs: true })
const addOptions = optionsOf<NewTask>('add', {
  title: true,
  priority: true,
  parent: true,
  blockedBy: true,
  assignee: true,
  payload: true,
})
const changeOptions = optionsOf<TaskChanges>('change', { priority: true, assignee: true, blockedBy: true })

/** What became of the proof of a task. */
export interface ProofReport extends Judgement {
  /** The task's id. */
  readonly id: string
}

/** The plan of a root. Its tasks are not read. */
export function* planFrom(handle: Handle, root: PlanRoot, verifier: Verifier | undefined): Work<Plan> {
  const name = root.plan
  const description = (yield* findBelow(root, ['description'])) as string | undefined
  const { journal } = handle
  let status = yield* statusOfPlan(root)

  async function run<T>(work: Work<T>): Promise<T> {
    assertOpen(handle)
    return journal.run(work)
  }

  async function moved(to: PlanStatus, landing: Promise<StoredCommit | undefined>): Promise<Written> {
    const commit = await landing
    status = to
    const written = writtenFrom(handle, commit ?? (await run(getBranchHead(handle))), commit !== undefined)
    return receipted(handle, await run(written))
  }

  function add(task: NewTask): Promise<PlanTask>
  function add(tasks: readonly NewTask[]): Promise<readonly PlanTask[]>
  async function add(given: NewTask | readonly NewTask[]): Promise<PlanTask | readonly PlanTask[]> {
    for (const task of [given].flat()) checkOptions(addOptions, task ?? undefined)
    if (Array.isArray(given)) return addTasks(handle, name, given)
    return (await addTasks(handle, name, [given as NewTask]))[0]!
  }

  return {
    name,
    ...(description === undefined ? {} : { description }),
    get status() {
      return status
    },
    add,
    get: async id => run(readOne(handle, name, id)),
    tasks: (filter = {}) => listTasks(handle, name, filter),
    next: async () => run(readNext(handle, name)),
    async claim(options = {}) {
      checkOptions(claimOptions, options)
      const { id, leaseMs } = options
      const taken = await claimTask(handle, name, id, checkedLease(name, leaseMs))
      return taken === undefined ? undefined : claimOf(handle, taken, verifier)
    },
    ...leasesOf(handle, name, verifier),
    async change(id, changes) {
      checkOptions(changeOptions, changes ?? undefined)
      return changeTask(handle, name, id, changes)
    },
    abandon: (id, reason) => abandonTask(handle, name, id, reason),
    close: summary => moved('completed', closePlan(handle, name, summary)),
    archive: () => moved('archived', archivePlan(handle, name)),
    verify: () => verifyProofs(handle, name, verifier),
  }
}

function* readNext(handle: Handle, plan: string): Work<PlanTask | undefined> {
  const view = yield* getView(handle, plan)
  if ((yield* statusOfPlan(view.root)) !== 'active') return undefined
  const key = yield* nextKey(view.root, handle.who.agent, view.now)
  return key === undefined ? undefined : yield* readTask(view, key)
}

async function verifyProofs(
  handle: Handle,
  plan: string,
  verifier: Verifier | undefined,
): Promise<readonly ProofReport[]> {
  const proofs: { readonly id: string; readonly proof: Proof }[] = []
  for await (const task of listTasks(handle, plan, { status: 'done' })) {
    if (task.status === 'done') proofs.push({ id: task.id, proof: task.proof })
  }
  const ids = proofs.flatMap(({ proof }) => (proof.kind === 'commit' ? [proof.value] : []))
  const commits = await handle.journal.run(judgeCommits(handle, ids))
  const reports: ProofReport[] = []
  for (const { id, proof } of proofs) {
    const judgement = proof.kind === 'commit' ? commits.get(proof.value)! : await judgeBy(verifier, proof)
    reports.push({ id, ...judgement })
  }
  return reports
}
