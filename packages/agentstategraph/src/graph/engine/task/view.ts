/**
 * The state as one task sees it.
 *
 * The payload of a Send lies over the state. All attempts share one frozen view, unless the node asks for a writable copy,
 * or caches: then its reads are tracked.
 */

import { validateWith } from '../../../core/index.ts'
import { graphError } from '../../errors.ts'
import type { PlannedNode, State } from '../../model/compiled-plan.ts'
import { isPromise } from '../../model/maybe-promise.ts'
import type { Target } from '../../model/run-protocol.ts'
import { forTask, frozen, writableCopy } from '../../state/frozen.ts'
import { newTracker } from '../facts/reads.ts'
import type { Flow } from '../flow/flow.ts'
import { type EngineScope, waitIn } from './engine-scope.ts'

/** The state with the payload of a Send over it. Throws `send-invalid` when the input schema of the node refuses that. */
export function* sentView(scope: EngineScope, node: PlannedNode, target: Target, state: State): Flow<State> {
  return frozen({ ...state, ...((yield* checkedPayload(scope, node, target.payload)) as object) })
}

function* checkedPayload(scope: EngineScope, { name, options }: PlannedNode, payload: unknown): Flow<unknown> {
  if (options.input === undefined) return payload
  const answer = validateWith(options.input, payload)
  const found = isPromise(answer) ? yield* waitIn(scope, answer, `the input schema of ${name} takes its time`) : answer
  if ('issues' in found) throw graphError('send-invalid', { node: name, issues: found.issues })
  return found.value
}

export interface AttemptView {
  readonly state: State
  /** The paths read so far, when reads are tracked. */
  readonly reads?: (() => readonly string[]) | undefined
}

/** Makes the view of each attempt. The reads of all attempts count together: an effect of one is replayed in the next. */
export function viewsOfAttempts({ options }: PlannedNode, view: State): () => AttemptView {
  const { mutable, cache } = options
  if (mutable === true) {
    return () => ({ state: writableCopy(view), ...(cache === undefined ? {} : { reads: () => ['/'] }) })
  }
  if (cache === undefined || cache.key !== undefined) return () => ({ state: forTask(view) })
  const track = newTracker()
  return () => track(forTask(view))
}
