/**
 * What a run tells whoever keeps it, and what it is told when it goes on.
 *
 * The engine is a function of where a thread stands: the state after its last step, where its token is, and the facts
 * that were kept since. Whoever keeps them (a journal, or nobody) sees only this: it knows no edges and calls no nodes.
 * Two engines that are given the same step and the same facts do the same, whatever finished first.
 */

import type { State, Update } from './graph-state.ts'

/** A place that the token goes to; with a payload when it was sent there. */
export interface Target {
  readonly node: string
  /** Lies over the state for this one task. Absent for an edge. */
  readonly payload?: unknown
  readonly isSend: boolean
  /** For a Send of a batch: the node that sees all its results. */
  readonly join?: string | undefined
}

/**
 * Where the one token outside any group goes next.
 *
 * One target that is no Send is a task; several, or Sends, open a fork group; an empty group (a route that sent nothing)
 * enters its joins at once. No position at all: the run has ended.
 */
export interface Position {
  readonly targets: readonly Target[]
  /** The node that led here, START for the input. Empty groups find their joins from it. */
  readonly from: string
  /**
   * The targets are joins that a group came to when it closed. Those that lead to each other are then entered one after
   * the other; the targets of a fan-out begin together.
   */
  readonly areJoins?: true | undefined
  /** By the name of a target, for those that have one. */
  readonly trails?: Trails | undefined
}

/** What a token has to know of branches that it has not met. */
export interface Trail {
  /** The nodes that ran in them, each with the node that opened their group. */
  readonly beside: ReadonlyMap<string, string>
  /** The first undeclared way that led here. */
  readonly stray?: { readonly node: string; readonly target: string } | undefined
}

export type Trails = ReadonlyMap<string, Trail>

/** The fork tree's address of a task within its step, such as `2.0/1.3`: equal in every run that goes on from the step. */
export type TaskKey = string

/** An attempt of a task that did not succeed. */
export interface FailedAttempt {
  readonly node: string
  readonly attempt: number
  readonly error: unknown
}

/** A task that is over, by itself or by a recorded result. */
export interface TaskResult {
  readonly task: TaskKey
  readonly node: string
  readonly attempt: number
  /** For a task of a graph inside others: the names of the nodes that this graph is inside of, each with a slash after it. */
  readonly path?: string | undefined
  /** What it changes, in order: one update for a function, all of its tasks' for a subgraph. */
  readonly updates: readonly Update[]
  /** Where it said to go instead of its edges. */
  readonly goto?: readonly Target[] | undefined
  /** The paths it read, when its node caches. */
  readonly reads?: readonly string[] | undefined
  readonly cached: boolean
  /** For a result that was kept: the reducers of the fields it writes, by field, as they were then. */
  readonly reducers?: Readonly<Record<string, string>> | undefined
  /** What the attempts before this one failed with. */
  readonly retried?: readonly unknown[] | undefined
  /** Why it gave nothing, when its node collects errors or its join takes failures. */
  readonly collected?: unknown
  /** Updates and way are for the graph that this one is a node of. */
  readonly isForParent?: boolean | undefined
}

export interface Interrupt {
  readonly id: string
  readonly node: string
  readonly payload: unknown
}

/** A question of a task, or a pause before or after it. */
export interface InterruptFact extends Interrupt {
  readonly kind: 'interrupt'
  readonly task: TaskKey
  /** For a pause after a node inside a group: the nodes that follow it. */
  readonly next?: readonly string[] | undefined
}

/** What happened since the last step, in the order in which it was kept. */
export type Fact =
  | ({ readonly kind: 'task' } & TaskResult)
  | { readonly kind: 'once'; readonly task: TaskKey; readonly name: string; readonly value: unknown }
  | InterruptFact
  | Amendment
  | { readonly kind: 'answer'; readonly id: string; readonly value: unknown }
  | {
      readonly kind: 'failure'
      readonly task: TaskKey
      readonly node: string
      readonly attempt: number
      readonly error: unknown
      /** What the task gave was refused with the step, so that it has no result. */
      readonly isRefused?: true
    }

/**
 * A change from outside that follows the result of a task, or belongs to the state that all pending tasks began with.
 *
 * It is applied after the task's result, so that a result that was kept before the change does not undo it.
 */
export interface Amendment {
  readonly kind: 'amend'
  readonly task: TaskKey
  readonly update: Update
  /** Whether the way on from the task is asked for again. */
  readonly reroutes: boolean
}

/** One small change of the state, so that a step is stored at the cost of what it changed. */
export type Change =
  /** `-` at the end of a path appends. */
  | { readonly op: 'set'; readonly path: readonly string[]; readonly value: unknown; readonly task: number }
  | { readonly op: 'delete'; readonly path: readonly string[]; readonly task: number }

/** What moves a thread's head: its input, one task, a closed group, an update from outside, a run beside it that lands. */
export interface Step {
  readonly cause: 'input' | 'task' | 'group' | 'update' | 'merge'
  readonly state: State
  /** Applied in order to the state before, they give this one. `task` is the place in `tasks`, -1 for the step itself. */
  readonly changes: readonly Change[]
  /** In the order in which their updates were applied. */
  readonly tasks: readonly TaskResult[]
  readonly next: Position | undefined
  /** The pause after the node that made this step: the first fact since the step, and kept with it. */
  readonly hold?: InterruptFact | undefined
}

/** Where a run begins or goes on. */
export interface ResumePoint {
  readonly state: State
  readonly next: Position | undefined
  /** What was kept since the last step, beginning with the pause that the step itself holds. */
  readonly facts: readonly Fact[]
}

/**
 * Keeps what happens. What is handed over is kept when the call returns, or when its promise does.
 *
 * A keeper that answers at once never makes the engine wait. One that finds that somebody else moved the thread throws.
 */
export interface RunLog {
  keep(facts: readonly Fact[]): void | Promise<void>
  step(step: Step): void | Promise<void>
}

/** How a run ended. A failure that is the graph's, not a task's (a step limit, an abort), is thrown instead. */
export type Outcome =
  | { readonly status: 'done'; readonly state: State }
  | { readonly status: 'paused'; readonly state: State; readonly interrupts: readonly [Interrupt, ...Interrupt[]] }
  | { readonly status: 'failed'; readonly state: State; readonly node: string; readonly error: unknown }
