/**
 * Which reducers fit a field of a type, and what a node may then return for it.
 *
 * The names are those of `reducers.ts`; a name that does not fit does not compile, and the message lists those that do.
 */

import type { DeepReadonly } from '../../core/index.ts'

/** The reducers that make sense for a field of this type. */
export type ReducerFor<V> =
  | 'last'
  | 'first'
  | ([NonNullable<V>] extends [number | bigint] ? 'sum' | 'max' | 'min' : never)
  | ([NonNullable<V>] extends [string | Date] ? 'max' | 'min' : never)
  | ([NonNullable<V>] extends [readonly (infer E)[]]
      ? 'append' | 'union' | (E extends object ? 'messages' | { readonly unionBy: keyof E & string } : never)
      : never)
  | ([NonNullable<V>] extends [ReadonlySet<infer _>] ? 'union' : never)
  | ([NonNullable<V>] extends [readonly unknown[] | ReadonlySet<infer _> | Date]
      ? never
      : [NonNullable<V>] extends [ReadonlyMap<infer _, infer _>]
        ? 'merge'
        : [NonNullable<V>] extends [object]
          ? 'merge' | 'deepMerge'
          : never)
  | ReducerFunction<V>

/** Written as a method, so that `base` and `delta` may be declared narrower than they are known to be here. */
type ReducerFunction<V> = { reduce(base: DeepReadonly<V>, delta: unknown): DeepReadonly<V> }['reduce']

/** Each in full, so that the compiler's message lists what would fit instead of naming the list. */
export type Reducers<State> = {
  readonly [K in keyof State]?: Exclude<ReducerFor<State[K]>, undefined> | undefined
}

/** Nothing, or a sentence about the names that are no fields. */
export type OnlyFields<R, State> = [Exclude<keyof R, keyof State>] extends [never]
  ? unknown
  : { readonly error: `'${Exclude<keyof R, keyof State> & string}' is not a field of the state` }

/** What a node may return for each field: the field, or what its reducer takes. */
export type UpdateFor<State, R> = {
  readonly [K in keyof State]?: (K extends keyof R ? DeltaOf<R[K], State[K]> : DeepReadonly<State[K]>) | undefined
}

/** What a run may begin with: where a reducer takes something else than the field, that. */
export type InputFor<Input, R> = {
  readonly [K in keyof Input]: K extends keyof R ? DeltaOf<R[K], Input[K]> : DeepReadonly<Input[K]>
}

type DeltaOf<R, V> = R extends (base: never, delta: infer D) => unknown
  ? D
  : R extends 'merge'
    ? DeepReadonly<Partial<NonNullable<V>>>
    : R extends 'deepMerge'
      ? DeepPartial<NonNullable<V>>
      : R extends 'messages'
        ? readonly MessageDelta<NonNullable<V>>[]
        : DeepReadonly<V>

/** A message to add or to put in the place of the one with its id, or the order to take one or all away. */
type MessageDelta<V> = (V extends readonly (infer E)[] ? DeepReadonly<E> : never) | RemoveMessage

export interface RemoveMessage {
  /** The id of the message to take away, or `true` for all that came before. */
  readonly remove: string | number | true
}

type DeepPartial<V> = V extends readonly unknown[] | ReadonlyMap<unknown, unknown> | ReadonlySet<unknown> | Date
  ? DeepReadonly<V>
  : V extends object
    ? { readonly [K in keyof V]?: DeepPartial<V[K]> | undefined }
    : V
