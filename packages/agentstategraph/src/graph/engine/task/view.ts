/**
 * The state as one task sees it.
 *
 * What was sent to it lies over the state. All attempts share one frozen view, unless the node asked for a copy that it may
 * write to, or caches: then what it reads is noted.
 */

import type { PlannedNode, State } from '../../model/compiled-plan.ts'
import { isPromise } from '../../model/maybe-promise.ts'
import type { Target } from '../../model/run-protocol.ts'
import { forTask, frozen, writableCopy } from '../../state/frozen.ts'
import { newTracker } from '../facts/reads.ts'
import type { Flow } from '../flow/flow.ts'
import { type EngineScope, waitAt } from './engine-scope.ts'
import { checkPayload } from './send-payload.ts'

/** The state as a task that was sent is to see it: with what was sent laid over. */
export function* sentView(place: EngineScope, node: PlannedNode, target: Target, state: State): Flow<State> {
  const checked = checkPayload(node, target.payload)
  const payload = isPromise(checked)
    ? yield* waitAt(place, checked, `the input schema of ${node.name} takes its time`)
    : checked
  return frozen({ ...state, ...(payload as object) })
}

export interface Seen {
  readonly state: State
  reads?: (() => readonly string[]) | undefined
}

/** What each attempt is handed. Where reads are noted, those of all attempts count. */
export function seenByAttempts({ options }: PlannedNode, view: State): () => Seen {
  const { mutable, cache } = options
  if (mutable === true) {
    return () => ({ state: writableCopy(view), ...(cache === undefined ? {} : { reads: () => ['/'] }) })
  }
  if (cache === undefined || cache.key !== undefined) return () => ({ state: forTask(view) })
  const track = newTracker()
  return () => track(forTask(view))
}
