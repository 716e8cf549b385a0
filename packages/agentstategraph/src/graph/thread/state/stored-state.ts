/**
 * The state of a thread, from the tree of its commit.
 *
 * The tree may be older than the graph's fields, or edited by others. A field that is not there begins as it does in a new
 * thread; what is no field of the graph is left alone, and nobody sees it. Values are not judged again: they were when
 * they were written, and an edit by hand is meant.
 */

import { findValue, type Handle } from '../../../repo/index.ts'
import type { StoredCommit } from '../../../store/index.ts'
import type { CompiledGraphPlan, State } from '../../model/compiled-plan.ts'
import { andThen, type MaybePromise } from '../../model/maybe-promise.ts'
import type { Change } from '../../model/run-protocol.ts'
import { forTask } from '../../state/frozen.ts'
import { once, type StateVersions } from './versions.ts'

export interface Loaded {
  readonly state: State
  /** What has to be written so that the tree holds all of the state. */
  readonly missing: readonly Change[]
}

export function loadState(
  { fields }: CompiledGraphPlan,
  { journal }: Handle,
  commit: StoredCommit,
): MaybePromise<Loaded> {
  return andThen(journal.perform(findValue(journal.context, commit, [])) as MaybePromise<State>, stored =>
    andThen(fields.inherit(stored), state => {
      const missing = Object.keys(state).filter(field => !Object.hasOwn(stored, field))
      return { state, missing: missing.map(field => setField(field, state[field])) }
    }),
  )
}

/** The state of one of several commits: read now, and put together when it is asked for. */
export function loadVersion(
  { fields }: CompiledGraphPlan,
  { journal }: Handle,
  commit: StoredCommit,
  versions: StateVersions,
): MaybePromise<() => State> {
  return andThen(journal.perform(versions(commit)), version => {
    const isComplete = fields.names?.every(name => version.fields.has(name)) !== false
    // What a field that is not there begins as may have to be waited for, and then it cannot be asked for later.
    if (isComplete) return once(() => forTask(fields.inherit(version.state()) as State))
    return andThen(fields.inherit(version.state()), state => once(() => forTask(state)))
  })
}

/** A change that writes a field as a whole, by nobody's task. */
export function setField(field: string, value: unknown): Change {
  return { op: 'set', path: [field], value, task: -1 }
}
