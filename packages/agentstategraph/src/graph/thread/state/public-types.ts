/** The public types of threads. A thread is a conversation, a case or a job whose state outlives a run. */

import type { Listing } from '../../../repository/index.ts'
import type { EventKind, EventOf } from '../../model/event-types.ts'
import type { GraphTypes } from '../../model/graph-types.ts'
import type { Strict } from '../../model/node-types.ts'
import type { Interrupt } from '../../model/run-protocol.ts'
import type { Run, RunOptions } from '../../model/run-types.ts'

/** The answer to an interrupt. The id may be left out when only one interrupt is pending. */
export interface Answer {
  readonly id?: string | undefined
  readonly value: unknown
  /** Who answers. Default: the agent of the repository that the graph is compiled with. */
  readonly by?: string | undefined
  readonly reason?: string | undefined
}

/** Options of `run` of a thread. */
export interface ThreadRunOptions<G extends GraphTypes, E extends EventKind = 'updates'> extends RunOptions<G, E> {
  /** What happens when another run holds the thread. Default: `reject`. */
  readonly whenBusy?: 'reject' | 'queue' | 'merge' | undefined
}

/** An attempt of a node that failed. */
export interface FailedTask<N extends string = string> {
  readonly node: N
  readonly attempt: number
  readonly error: Error
}

/** A thread as it stands: its state, its status, and what it waits for. */
export type ThreadState<G extends GraphTypes, N extends string = string> = {
  readonly thread: string
  readonly commit: string
  readonly timestamp: string
  readonly state: G['state']
  /** The attempts that failed after this commit and before the next, those with a successful retry included. */
  readonly failures?: readonly FailedTask<N>[] | undefined
} & (
  | { readonly status: 'idle' | 'running'; readonly next: readonly N[] }
  | {
      readonly status: 'paused'
      readonly next: readonly N[]
      readonly interrupts: readonly [Interrupt, ...Interrupt[]]
    }
  | { readonly status: 'failed'; readonly next: readonly N[]; readonly node: N; readonly error: Error }
  | { readonly status: 'done'; readonly output: G['output'] }
)

/** Options of `history` of a thread. */
export interface ThreadHistoryOptions {
  readonly limit?: number | undefined
}

/** Options of `events` of a thread. */
export interface ThreadEventsOptions<E extends EventKind = EventKind> {
  /** The kinds of events. Default: `updates`. */
  readonly events?: readonly E[] | undefined
  readonly signal?: AbortSignal | undefined
}

/** Options of `update` of a thread. */
export interface UpdateOptions<N extends string> {
  /** The node that the update is made as. */
  readonly as?: N | undefined
}

/** Options of `fork`: the step that the new thread starts from. */
export interface ForkOptions {
  /** A commit of the thread, by its id or a prefix of it. Default: the last one. */
  readonly from?: string | undefined
}

/** A thread of a graph: a named history of steps that can pause, go on, fork and be edited. */
export interface Thread<G extends GraphTypes, N extends string = string> {
  readonly id: string
  /** The thread's branch: `repo.on(thread.branchName)` diffs, blames, tags and merges it. */
  readonly branchName: string
  run<const E extends EventKind = 'updates'>(
    input: G['input'],
    options?: ThreadRunOptions<G, E>,
  ): Run<ThreadState<G, N>, EventOf<G, N, E>>
  /** Resumes the thread: with answers to its interrupts, or without after a pause at a node, a failure or a crash. */
  resume<const E extends EventKind = 'updates'>(
    answers?: Answer | readonly Answer[],
    options?: RunOptions<G, E>,
  ): Run<ThreadState<G, N>, EventOf<G, N, E>>
  /**
   * The events of the thread's runs in this process: of the one that is under way, and of those that follow, until the signal aborts.
   * Leaving the loop stops no run.
   */
  events<const E extends EventKind = 'updates'>(options?: ThreadEventsOptions<E>): AsyncIterable<EventOf<G, N, E>>
  state(): Promise<ThreadState<G, N>>
  history(options?: ThreadHistoryOptions): Listing<ThreadState<G, N>>
  /** Updates the state as if a node had returned the update. */
  update<const U extends G['update']>(
    update: U & Strict<() => U, G['update']>,
    options?: UpdateOptions<N>,
  ): Promise<ThreadState<G, N>>
  /** Makes a new thread that begins where this one is, or was at a commit. */
  fork(id: string, options?: ForkOptions): Promise<Thread<G, N>>
  delete(): Promise<void>
}
