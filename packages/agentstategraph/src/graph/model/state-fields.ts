/**
 * The fields of a graph's state: their initial values, their checks, and how an update is applied to them.
 *
 * Where the definition came from (a Standard Schema, a JSON Schema, initial values) is not known here. The output of a
 * schema is what is kept, so a schema has to accept its own output: it checks a field whenever the field is written. When
 * the output equals the input, the value keeps its identity and its small changes.
 */

import type { MaybePromise } from './maybe-promise.ts'
import type { Change, State, Update } from './run-protocol.ts'

/** The state after an update, and the changes that lead there. It shares unchanged parts with the state before. */
export interface Applied {
  readonly state: State
  readonly changes: readonly DistributiveOmit<Change, 'task'>[]
}
type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never

export interface StateFields {
  /** The names of the fields; undefined when only the schema knows them. */
  readonly names: readonly string[] | undefined
  /** The state that a run begins with, from its input and the defaults. Throws `input-invalid`. */
  begin(input: unknown): MaybePromise<State>
  /**
   * A stored state, perhaps of another version of the graph: an absent field gets its initial value, and what is no field
   * is left out. Values are not checked again.
   */
  inherit(kept: State): MaybePromise<State>
  /** The state of a thread after more input. */
  resume(state: State, input: unknown): MaybePromise<Applied>
  /**
   * Applies an update of a node through the reducers. Throws when it is no object, when a key is no field, when a check
   * refuses a value, or when a reducer throws; the error names node and field.
   */
  apply(state: State, update: unknown, node: string): MaybePromise<Applied>
  /** The names of the fields that a state lacks and that have no initial value. */
  missing(state: State): MaybePromise<readonly string[]>
  /** The name of the reducer of a field; undefined when it has none. */
  reducerOf(field: string): string | undefined
  /** The fields without a reducer that an update writes: two writers of one in a group are a conflict. */
  plain(update: Update): readonly string[]
  /** Whether the output has a schema of its own. */
  readonly hasOutput: boolean
  /** The result of a run for its caller. */
  output(state: State): MaybePromise<unknown>
}
