/** The options of a node, for one node or as defaults of a graph. `compile` checks them and the engine implements them. */

import { type Options, optionsOf, type StandardSchema } from '../../core/index.ts'

/** How a failed node is tried again. */
export interface RetryOptions {
  /** The number of attempts, the first included. */
  readonly maxAttempts: number
  readonly backoff?: 'exponential' | 'linear' | 'fixed' | undefined
  /** The delay before the second attempt. */
  readonly initialMs?: number | undefined
  readonly maxMs?: number | undefined
  readonly jitter?: boolean | undefined
  /** Whether an error is retried. Default: every error is. */
  readonly retryOn?: ((error: unknown) => boolean) | undefined
}

/** How the results of a node are cached. */
export interface CacheOptions<State = unknown> {
  readonly ttlMs?: number | undefined
  /** To be changed with the node's code: results of another version are not used. */
  readonly version?: string | undefined
  /** What the result depends on. Default: the values that the node reads. */
  readonly key?: ((state: State) => unknown) | undefined
}

/** When a join is entered: after all members, one, a number of them, or when all have settled. */
export type JoinRule = 'all' | 'any' | 'settled' | { readonly quorum: number }

/** Options of `addNode`. */
export interface NodeOptions<State = unknown, Update = unknown> {
  readonly retry?: RetryOptions | undefined
  readonly cache?: CacheOptions<State> | undefined
  readonly timeoutMs?: number | undefined
  /** The schema of the payload of a Send to this node. */
  readonly input?: StandardSchema | undefined
  /** Gives the node a private, writable copy of the state. */
  readonly mutable?: boolean | undefined
  /** When a node that several branches lead to may start. Default: `all`. */
  readonly join?: JoinRule | undefined
  /** Runs only when nothing else is left to run. */
  readonly defer?: boolean | undefined
  /** What happens when all attempts have failed. Default: `fail`. A function returns the update to use instead. */
  readonly onError?: 'fail' | 'collect' | ((error: unknown, state: State) => Update | Promise<Update>) | undefined
  /** The nodes that its Commands may lead to. A node that neither an edge nor this names is unreachable. */
  readonly goto?: readonly string[] | undefined
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
}

/** The options that can be defaults of a graph. */
export type DefaultOptions<State = unknown, Update = unknown> = Omit<
  NodeOptions<State, Update>,
  'defer' | 'goto' | 'input'
>

export const retryOptions: Options<RetryOptions> = optionsOf<RetryOptions>('retry', {
  maxAttempts: true,
  backoff: true,
  initialMs: true,
  maxMs: true,
  jitter: true,
  retryOn: true,
})

export const cacheOptions: Options<CacheOptions> = optionsOf<CacheOptions>('cache', {
  ttlMs: true,
  version: true,
  key: true,
})

const nodeOptions: Options<NodeOptions> = optionsOf<NodeOptions>('a node', {
  retry: retryOptions as Options,
  cache: cacheOptions as Options,
  timeoutMs: true,
  input: true,
  mutable: true,
  join: true,
  defer: true,
  onError: true,
  goto: true,
  metadata: true,
})

/** The names of the options, to find them among the properties of a node object. */
export const optionNames: readonly string[] = [...nodeOptions.names.keys()]

/** The options of a node over the defaults of its graph. An option of the node replaces the default as a whole. */
export function optionsOver(defaults: NodeOptions, own: NodeOptions): NodeOptions {
  const options: Record<string, unknown> = { ...defaults }
  for (const [name, value] of Object.entries(own)) if (value !== undefined) options[name] = value
  return Object.freeze(options)
}
