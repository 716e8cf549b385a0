/**
 * The state of a thread, read from the tree of its commit.
 *
 * The tree may be older than the graph's fields, or edited on the branch. An absent field gets its initial value; what is
 * not a field of the graph stays in the tree and is not in the state. Values are not checked again, so that edits on the
 * branch hold.
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
  /** The changes that add absent fields to the tree. */
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

/** The state of one of several commits: read now, and assembled when it is called for. */
export function loadVersion(
  { fields }: CompiledGraphPlan,
  { journal }: Handle,
  commit: StoredCommit,
  versions: StateVersions,
): MaybePromise<() => State> {
  return andThen(journal.perform(versions(commit)), version => {
    const isComplete = fields.names?.every(name => version.fields.has(name)) !== false
    // The initial value of an absent field may be a promise, so it is not computed lazily.
    if (isComplete) return once(() => forTask(fields.inherit(version.state()) as State))
    return andThen(fields.inherit(version.state()), state => once(() => forTask(state)))
  })
}

/** A change that writes a whole field and belongs to no task. */
export function setField(field: string, value: unknown): Change {
  return { op: 'set', path: [field], value, task: -1 }
}
