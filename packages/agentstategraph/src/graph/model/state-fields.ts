/**
 * The fields of a graph's state: what each begins as, what it may hold, and how an update becomes part of it.
 *
 * Where the definition came from (a Standard Schema, a JSON Schema, initial values) is not known past this point. What a
 * schema makes of a value is what is kept, so a schema has to accept what it gives: it is asked about a field again
 * whenever the field is written. A value that it gives back as it was keeps its identity and its small changes.
 */

import type { State, Update } from './graph-state.ts'
import type { Change } from './run-protocol.ts'

/** What an update makes of a state: the next one, and the changes that lead there. Both share all that is equal. */
export interface Applied {
  readonly state: State
  readonly changes: readonly DistributiveOmit<Change, 'task'>[]
}
type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never

export interface StateFields {
  /** The names of the fields; undefined when only the schema knows what is one. */
  readonly names: readonly string[] | undefined
  /** The state that a run begins with, from what the caller gave and the defaults. Throws `input-invalid`. */
  begin(input: unknown): State | Promise<State>
  /**
   * The state that was kept, perhaps by another version of the graph: a field that is not there begins as in a new run,
   * what is no field is left out. Values are not judged again.
   */
  inherit(kept: State): State | Promise<State>
  /** The state that a thread goes on with when it is given more input. */
  resume(state: State, input: unknown): Applied | Promise<Applied>
  /**
   * Applies one update of a node through the reducers. Throws when it is no object, has a key that is no field, has a
   * value that its field may not hold, or when a reducer throws; the error names node and field.
   */
  apply(state: State, update: unknown, node: string): Applied | Promise<Applied>
  /** The names of the fields that a state lacks and that begin as nothing by themselves. */
  missing(state: State): readonly string[] | Promise<readonly string[]>
  /** What the reducer of a field is called; undefined when it has none. */
  reducerOf(field: string): string | undefined
  /** The names of the fields that an update writes and that have no reducer: two writers in one group are an error. */
  plain(update: Update): readonly string[]
  /** Whether what the caller of a run is given is more, or less, than the state. */
  readonly hasOutput: boolean
  /** What the caller of a run is given. */
  output(state: State): unknown | Promise<unknown>
}
