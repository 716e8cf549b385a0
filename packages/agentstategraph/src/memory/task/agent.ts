/**
 * Agents and their tasks: functions with a memory.
 *
 * An agent defines what it remembers; a call of one of its tasks decides where: nowhere, in this process, or in a
 * repository. A state that cannot be stored is a type error where it is used with `Versioned`.
 */

import { checkOptions, optionsOf, type StateFrom, type StateSource, type Storable } from '../../core/index.ts'
import type { Policies } from '../../tree/index.ts'
import type { Versioned } from '../branch/versioned.ts'
import type { MemoryEvent } from '../events/events.ts'
import {
  type AgentDefinition,
  checkedName,
  defineAgent,
  keepDefinition,
  type Remembering,
} from '../state/agent-definition.ts'
import type { Live } from './live.ts'
import { runTask, type TaskContext } from './run-task.ts'

/** Options of `agent`. */
export interface AgentOptions<S extends StateSource, T> {
  /** The state: initial values, or a Standard Schema whose keys all have defaults or are optional. */
  state?: S | undefined
  /** Keys that stay in this process and are never stored. In a process that never set one it has its initial value. */
  transient?: readonly T[] | undefined
  /** How concurrent changes are merged, by key, or by a pattern below one, such as `scores/*`. */
  policies?: Policies | undefined
}

/** Options of `task`. */
export interface TaskOptions {
  /**
   * What happens to the changes of a task that fails or is aborted: `commit` keeps them, `rollback` drops them. `Live` has no
   * earlier state to return to and always keeps them.
   */
  onError?: 'commit' | 'rollback' | undefined
}

/** An agent: a name, a state, and tasks that work on it. */
export interface Agent<S, Kept = S> extends Remembering<S> {
  readonly name: string
  task<Input = void, Output = void>(
    name: string,
    run: (input: Input, ctx: TaskContext<S>) => Output | Promise<Output>,
    options?: TaskOptions,
  ): Task<Kept, Input, Output>
}

/** A task of an agent: a function with memory. */
export interface Task<Kept, Input, Output> {
  (input: Input, call?: TaskCall<Kept>): Promise<Output>
  readonly taskName: string
}

/** Options of one call of a task. */
export interface TaskCall<Kept> {
  /** `Live` keeps the state in this process, `Versioned` in a repository. Without it the task starts fresh every time. */
  state?: Live | VersionedFor<Kept> | undefined
  /** Called for each event once it is stored. What it throws is reported when the task has ended. */
  onEvent?: ((event: MemoryEvent) => void) | undefined
  /** Ends the task at once, with its changes so far. */
  signal?: AbortSignal | undefined
}

const agentOptions = optionsOf<AgentOptions<StateSource, unknown>>('agent', {
  state: true,
  transient: true,
  policies: true,
})
const taskOptions = optionsOf<TaskOptions>('task', { onError: true })
const callOptions = optionsOf<TaskCall<unknown>>('a task', { state: true, onEvent: true, signal: true })

/** `Versioned` if everything in the state can be stored; else a type that names the key that cannot. */
export type VersionedFor<Kept> = [Unstorable<Kept>] extends [never]
  ? Versioned
  : Versioned & { readonly error: `'${Unstorable<Kept>}' cannot be stored: use Live, or make it transient` }

/** The keys whose values only `Live` can hold. */
export type Unstorable<S> = { [K in keyof S]-?: S[K] extends Storable<S[K]> ? never : K }[keyof S] & string

/**
 * Defines an agent. Its memory is stored under its name.
 *
 * @example
 * ```ts
 * import { agent, Versioned } from 'agentstategraph/memory'
 *
 * const memory = await Versioned.open()
 * const counter = agent('counter', { state: { count: 0 } })
 * const add = counter.task('add', (by: number, { state }) => (state.count += by))
 * await add(2, { state: memory })
 * ```
 */
export function agent<S extends StateSource = Record<string, unknown>, const T extends keyof StateFrom<S> = never>(
  name: string,
  options: AgentOptions<S, T> = {},
): Agent<StateFrom<S>, Omit<StateFrom<S>, T>> {
  checkOptions(agentOptions, options as AgentOptions<StateSource, unknown>)
  const definition = defineAgent(name, options)
  const made: Agent<StateFrom<S>, Omit<StateFrom<S>, T>> = {
    name,
    task: (taskName, run, taskOptions) => taskOf(definition, taskName, run as AnyRun, taskOptions ?? {}) as never,
  }
  keepDefinition(made, definition)
  return made
}

type AnyRun = (input: unknown, ctx: TaskContext<Record<string, unknown>>) => unknown

function taskOf(
  definition: AgentDefinition,
  name: string,
  run: AnyRun,
  options: TaskOptions,
): Task<unknown, unknown, unknown> {
  checkOptions(taskOptions, options)
  const { onError = 'commit' } = options
  const task = { definition, name: checkedName('task', name), run, onError }
  const call = async (input: unknown, how: TaskCall<unknown> = {}): Promise<unknown> => {
    checkOptions(callOptions, how)
    return runTask(task, input, how)
  }
  return Object.assign(call, { taskName: name })
}
