/**
 * The data between the engine and a run log: what a run reports, and what it is given to resume.
 *
 * The engine is a function of a resume point: the state after the last step, the position of the token, and the facts kept
 * since. A run log (a journal, or none) sees only these types; it knows no edges and calls no nodes. Two engines that are
 * given the same resume point do the same, whichever task finishes first.
 */

/** A state as nodes see it: one value for each field, deeply frozen. The engine knows no type of it. */
export type State = Readonly<Record<string, unknown>>

/** What a node returns for the fields that it changes: for each, the value or what its reducer takes. */
export type Update = Readonly<Record<string, unknown>>

/** A node that the token goes to; with a payload when it is the target of a Send. */
export interface Target {
  readonly node: string
  /** Lies over the state for this one task. Absent for an edge. */
  readonly payload?: unknown
  readonly isSend: boolean
  /** For a Send of a batch: the join of the batch. */
  readonly join?: string | undefined
}

/**
 * Where the token outside any group goes next.
 *
 * One target that is no Send is a task; several targets, or Sends, open a fork group; a group without targets (of a route
 * that returned an empty list) enters its joins at once. Without a position the run has ended.
 */
export interface Position {
  readonly targets: readonly Target[]
  /** The node that led here, START for the input. The joins of an empty group are found from it. */
  readonly from: string
  /**
   * The targets are joins of a group that has closed. Joins that lead to each other are entered one after the other; the
   * targets of a fan-out begin together.
   */
  readonly areJoins?: true | undefined
  /** The trails of the targets, by name. */
  readonly trails?: Trails | undefined
}

/** What a token has to know of branches that did not lead to it. */
export interface Trail {
  /** The nodes that ran in them, each with the node that opened their group. */
  readonly beside: ReadonlyMap<string, string>
  /** The first undeclared target on the way here, with the node that led to it. */
  readonly stray?: { readonly node: string; readonly target: string } | undefined
}

export type Trails = ReadonlyMap<string, Trail>

/** The address of a task since the last step, such as `0.0/1.3`: equal in every run that resumes from that step. */
export type TaskKey = string

/** An attempt that failed. */
export interface FailedAttempt {
  readonly node: string
  readonly attempt: number
  readonly error: unknown
}

/** The result of a graph task. */
export interface TaskResult {
  readonly task: TaskKey
  readonly node: string
  readonly attempt: number
  /** For a task of a nested graph: the names of the nodes that the graph is inside of, each followed by a slash. */
  readonly path?: string | undefined
  /** Its updates in order: one for a function, those of all its tasks for a subgraph. */
  readonly updates: readonly Update[]
  /** The targets of its Command, which replace the edges. */
  readonly goto?: readonly Target[] | undefined
  /** The paths it read, when its node caches. */
  readonly reads?: readonly string[] | undefined
  readonly cached: boolean
  /** For a kept result: by field, the reducers of the fields that it writes, at the time when it was kept. */
  readonly reducers?: Readonly<Record<string, string>> | undefined
  /** The errors of the attempts before this one. */
  readonly retried?: readonly unknown[] | undefined
  /** The error of a task without updates whose node collects errors or whose join takes failures. */
  readonly collected?: unknown
  /** Updates and targets are for the parent graph. */
  readonly isForParent?: boolean | undefined
}

/** A question that a node asked and that waits for an answer. */
export interface Interrupt {
  readonly id: string
  readonly node: string
  readonly payload: unknown
  /** The JSON Schema of the answer; absent when the node gave no schema, or one that cannot be expressed so. */
  readonly schema?: object | boolean | undefined
}

/** An interrupt of a task, or a pause before or after it. */
export interface InterruptFact extends Interrupt {
  readonly kind: 'interrupt'
  readonly task: TaskKey
  /** For a pause after a node inside a group: the nodes that follow. */
  readonly next?: readonly string[] | undefined
}

/** An answer to an interrupt: what it is, whose it is, and why. */
export interface GivenAnswer {
  readonly value: unknown
  readonly by?: string | undefined
  readonly reason?: string | undefined
}

/** What happened since the last step, in the order in which it was kept. */
export type Fact =
  | ({ readonly kind: 'task' } & TaskResult)
  | { readonly kind: 'once'; readonly task: TaskKey; readonly name: string; readonly value: unknown }
  | InterruptFact
  | Amendment
  | ({ readonly kind: 'answer'; readonly id: string } & GivenAnswer)
  | {
      readonly kind: 'failure'
      readonly task: TaskKey
      readonly node: string
      readonly attempt: number
      readonly error: unknown
      /** The step with the result was refused, so the task has no result. */
      readonly isRefused?: true
    }

/** What an update from outside is called in errors and in history when it is not made as a node. */
export const updateName = 'update'

/**
 * An update from outside that is applied after the result of a task, or to the state that the pending tasks began with.
 *
 * Applied to the state below, it would be undone by the update of the task.
 */
export interface Amendment {
  readonly kind: 'amend'
  readonly task: TaskKey
  readonly update: Update
  /** Whether the routes of the task are called again. */
  readonly reroutes: boolean
}

/** A small change of the state. A step is stored at the cost of its changes. */
export type Change =
  /** `-` at the end of a path appends. */
  | { readonly op: 'set'; readonly path: readonly string[]; readonly value: unknown; readonly task: number }
  | { readonly op: 'delete'; readonly path: readonly string[]; readonly task: number }

/** An interrupt with its answer. */
export interface AnsweredInterrupt extends GivenAnswer {
  readonly node: string
  readonly question: unknown
}

/** What moves a thread's head: an input, a task, a closed group, an update from outside, or a run that is merged. */
export interface Step {
  readonly cause: 'input' | 'task' | 'group' | 'update' | 'merge'
  readonly state: State
  /** Applied in order to the state before, they give this one. `task` is an index of `tasks`, -1 for the step itself. */
  readonly changes: readonly Change[]
  /** In the order in which their updates were applied. */
  readonly tasks: readonly TaskResult[]
  readonly next: Position | undefined
  /** The answered interrupts of its tasks, in the order of the tasks' addresses. */
  readonly answers?: readonly AnsweredInterrupt[] | undefined
  /** The pause after the node of this step. It is kept with the step, and is the first fact since. */
  readonly hold?: InterruptFact | undefined
}

/** Where a run begins or goes on. */
export interface ResumePoint {
  readonly state: State
  readonly next: Position | undefined
  /** The facts kept since the last step, first the pause that the step ends with. */
  readonly facts: readonly Fact[]
}

/**
 * Keeps facts and steps. They are durable when the call returns, or when its promise resolves.
 *
 * A call that returns no promise never makes the engine wait. A call throws when another run has moved the thread.
 */
export interface RunLog {
  keep(facts: readonly Fact[]): void | Promise<void>
  step(step: Step): void | Promise<void>
}

/** How a run ended. An error that belongs to no task (a step limit, an abort) is thrown instead. */
export type Outcome =
  | { readonly status: 'done'; readonly state: State }
  | { readonly status: 'paused'; readonly state: State; readonly interrupts: readonly [Interrupt, ...Interrupt[]] }
  | { readonly status: 'failed'; readonly state: State; readonly node: string; readonly error: unknown }
