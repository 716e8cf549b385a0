/** Which operations the Explorer asks for, and what each answers. */
import type { Calibration, Caller, Grant, Principal, Proposal, Refusals, Session, Taint } from './shapes/access.ts'
import type { Comparison, MergePreview, Speculation, Undone } from './shapes/choices.ts'
import type { Blame, Change, Commit, Described, Entry, Page, Ref } from './shapes/state.ts'
import type { Activity, Collected, Epoch, Stats, StoreReport } from './shapes/store.ts'
import type {
  MemoryEvent,
  Picture,
  Plan,
  ProofReport,
  Task,
  ThreadEvent,
  ThreadState,
  ThreadStatus,
} from './shapes/work.ts'

export interface Answers {
  readonly query: Page<Commit>
  readonly get_commit: Described
  readonly diff: { readonly changes: readonly Change[] }
  readonly list_branches: Page<Ref>
  readonly list_tags: Page<Ref>
  readonly list_paths: Page<Entry>
  readonly get: { readonly commit: string; readonly path: string; readonly value: unknown }
  readonly search: Page<{ readonly path: string; readonly value?: unknown }>
  readonly blame: Blame
  readonly history: Page<Blame>
  readonly activity: Activity
  readonly undo: Undone
  readonly merge: Commit
  readonly preview_merge: MergePreview
  readonly list_specs: Page<Speculation>
  readonly compare: Comparison
  readonly commit_spec: Commit
  readonly discard: { readonly id: string }
  readonly list_graphs: { readonly graphs: readonly string[] }
  readonly get_graph: { readonly graph: string; readonly picture: Picture }
  readonly list_threads: Page<{ readonly id: string; readonly status: ThreadStatus }>
  readonly get_thread: ThreadState
  readonly thread_history: Page<ThreadState>
  readonly run_thread: ThreadState
  readonly resume_thread: ThreadState
  readonly update_thread: ThreadState
  readonly fork_thread: ThreadState
  readonly delete_thread: { readonly thread: string }
  readonly list_agents: { readonly agents: readonly { readonly name: string; readonly tasks: readonly string[] }[] }
  readonly memory_view: { readonly text: string }
  readonly memory_events: Page<MemoryEvent>
  readonly list_plans: Page<Plan>
  readonly list_tasks: Page<Task>
  readonly verify_plan: { readonly reports: readonly ProofReport[] }
  readonly change_task: Task
  readonly whoami: Caller
  readonly list_principals: Page<Principal>
  readonly list_grants: Page<Grant>
  readonly revoke_grant: { readonly id: string }
  readonly sessions: Page<Session>
  readonly list_proposals: Page<Proposal>
  readonly approve: Commit
  readonly reject: { readonly id: string }
  readonly list_refusals: Page<Refusals>
  readonly list_taints: Page<Taint>
  readonly taint: Taint
  readonly release_taint: { readonly id: string }
  readonly calibration: Calibration
  readonly list_epochs: Page<Epoch>
  readonly create_epoch: Epoch
  readonly seal_epoch: Epoch
  readonly witness_request: { readonly id: string; readonly request: string }
  readonly cosign_epoch: Epoch
  readonly stats: Stats
  readonly gc_dry_run: Collected
  readonly gc_sweep: Collected
  readonly set_retention: Readonly<Record<string, never>>
  readonly compact: { readonly bytes_before: number; readonly bytes_after: number }
  readonly reindex: { readonly reindexed: true }
  readonly verify: StoreReport
}

/** Operations that answer one item after another. */
export interface Streams {
  readonly export_epoch: string
  readonly watch_thread: ThreadEvent
}

export type Fields = Readonly<Record<string, unknown>>
