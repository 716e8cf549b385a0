/**
 * What can be said about how a node is run, for one node or as a graph's default.
 *
 * Only the words: what they do is the engine's, and whether they make sense is checked by `compile`.
 */

import type { StandardSchema } from '../../core/index.ts'
import { type Options, optionsOf } from '../../core/index.ts'

export interface RetryOptions {
  /** How often it is tried in all. */
  readonly maxAttempts: number
  readonly backoff?: 'exponential' | 'linear' | 'fixed' | undefined
  /** How long it waits before the second attempt. */
  readonly initialMs?: number | undefined
  readonly maxMs?: number | undefined
  readonly jitter?: boolean | undefined
  /** Which errors are worth another attempt. Default: all. */
  readonly retryOn?: ((error: unknown) => boolean) | undefined
}

export interface CacheOptions<State = unknown> {
  readonly ttlMs?: number | undefined
  /** Changes when the node's code does: results of another version are not used. */
  readonly version?: string | undefined
  /** What the result depends on. Default: the values that the node reads. */
  readonly key?: ((state: State) => unknown) | undefined
}

export type JoinRule = 'all' | 'any' | 'settled' | { readonly quorum: number }

export interface NodeOptions<State = unknown, Update = unknown> {
  readonly retry?: RetryOptions | undefined
  readonly cache?: CacheOptions<State> | undefined
  readonly timeoutMs?: number | undefined
  /** What a Send to this node must carry. */
  readonly input?: StandardSchema | undefined
  /** Gives the node a private, writable copy of the state. */
  readonly mutable?: boolean | undefined
  /** When a node that several branches lead to may start. Default: `all`. */
  readonly join?: JoinRule | undefined
  /** Runs only when nothing else is left to run. */
  readonly defer?: boolean | undefined
  /** What a failure does, after all attempts. Default: `fail`. A function gives the update to use instead. */
  readonly onError?: 'fail' | 'collect' | ((error: unknown, state: State) => Update | Promise<Update>) | undefined
  /** The nodes that its Commands may lead to: what no edge leads to is otherwise unreachable. */
  readonly goto?: readonly string[] | undefined
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
}

/** What can be said for all nodes of a graph at once. */
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

export const nodeOptions: Options<NodeOptions> = optionsOf<NodeOptions>('a node', {
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

/** The options by name, to tell them from what else an object has. */
export const optionNames: readonly string[] = [...nodeOptions.names.keys()]

/** The options of one node over the defaults of its graph: what it says itself wins, whole. */
export function optionsOver(defaults: NodeOptions, own: NodeOptions): NodeOptions {
  const options: Record<string, unknown> = { ...defaults }
  for (const [name, value] of Object.entries(own)) if (value !== undefined) options[name] = value
  return Object.freeze(options)
}
