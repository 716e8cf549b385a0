/**
 * Which reducers fit a field by its type, and what a node may return for the field.
 *
 * The names are those of `state/reducers/named.ts`. A name that does not fit does not compile, and the compiler's message
 * lists those that do.
 */

import type { DeepReadonly } from '../../core/index.ts'

/** The reducers for a field of this type. */
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

/** A method type, which is bivariant: a reducer may declare narrower types for `base` and `delta`. */
type ReducerFunction<V> = { reduce(base: DeepReadonly<V>, delta: unknown): DeepReadonly<V> }['reduce']

/** Written out in full, so that the compiler's message lists the reducers instead of the name of their type. */
export type Reducers<State> = {
  readonly [K in keyof State]?: Exclude<ReducerFor<State[K]>, undefined> | undefined
}

/** No constraint, or a message about the names that are not fields. */
export type OnlyFields<R, State> = [Exclude<keyof R, keyof State>] extends [never]
  ? unknown
  : { readonly error: `'${Exclude<keyof R, keyof State> & string}' is not a field of the state` }

/** What a node may return for each field: a value of the field, or what its reducer takes. */
export type UpdateFor<State, R> = {
  readonly [K in keyof State]?: (K extends keyof R ? DeltaOf<R[K], State[K]> : DeepReadonly<State[K]>) | undefined
}

/** The input of a run: for each field its value, or what its reducer takes. */
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

/** A message to add or to replace by its id, or an order to remove one or all. */
type MessageDelta<V> = (V extends readonly (infer E)[] ? DeepReadonly<E> : never) | RemoveMessage

/** An update that removes a message from a list of messages. */
export interface RemoveMessage {
  /** The id of the message to remove, or `true` for all before. */
  readonly remove: string | number | true
}

type DeepPartial<V> = V extends readonly unknown[] | ReadonlyMap<unknown, unknown> | ReadonlySet<unknown> | Date
  ? DeepReadonly<V>
  : V extends object
    ? { readonly [K in keyof V]?: DeepPartial<V[K]> | undefined }
    : V
