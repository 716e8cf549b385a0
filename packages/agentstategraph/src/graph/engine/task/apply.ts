/** Updates become part of a state, one after the other, as the fields of the graph say. */

import type { State, Update } from '../../model/compiled-plan.ts'
import { isPromise } from '../../model/maybe-promise.ts'
import type { Applied } from '../../model/state-fields.ts'
import type { Flow } from '../flow/flow.ts'
import { type EngineScope, waitAt } from './engine-scope.ts'

/** Applies updates one after the other, and gives all the changes that they make. */
export function* applyAll(place: EngineScope, state: State, updates: readonly Update[], node: string): Flow<Applied> {
  let applied: Applied = { state, changes: [] }
  for (const update of updates) {
    const made = place.plan.fields.apply(applied.state, update, node)
    const next: Applied = isPromise(made)
      ? yield* waitAt(place, made, `the schema of the state takes its time over the update of ${node}`)
      : made
    applied = updates.length === 1 ? next : { state: next.state, changes: [...applied.changes, ...next.changes] }
  }
  return applied
}

/** The same, unless the updates are for the graph around this one. */
export function applyOwn(
  place: EngineScope,
  state: State,
  said: { readonly updates: readonly Update[]; readonly isForParent?: boolean | undefined },
  node: string,
): Flow<Applied> {
  return applyAll(place, state, said.isForParent === true ? [] : said.updates, node)
}
