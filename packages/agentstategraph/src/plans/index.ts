/** Plans and their tasks: what a fleet of agents agrees on. */

export type { Claim } from './claim.ts'
export { type PlanErrors, planError } from './errors.ts'
export type { LeaseOptions, Leases, RenewOptions, TakenTask, TakeOptions } from './leases.ts'
export type { ClaimOptions, Plan, ProofReport } from './plan.ts'
export { type PlanFilter, type Plans, type PlansOptions, plans } from './plans.ts'
export type { Judgement, Proof, Verdict, Verifier } from './proof.ts'
export type { NewTask, PlanStatus, PlanTask, Priority, TaskChanges, TaskState, TaskStatus } from './task.ts'
export type { TaskFilter } from './task-reading.ts'
