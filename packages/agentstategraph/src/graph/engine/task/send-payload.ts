/** What a Send carries, as its node accepts it. */

import { type Validated, validateWith } from '../../../core/index.ts'
import { graphError } from '../../errors.ts'
import type { PlannedNode } from '../../model/compiled-plan.ts'
import { isPromise, type MaybePromise } from '../../model/maybe-promise.ts'

/** Asks the node's input schema, if it has one. Throws `send-invalid`. */
export function checkPayload({ name, options }: PlannedNode, payload: unknown): MaybePromise<unknown> {
  if (options.input === undefined) return payload
  const answer = validateWith(options.input, payload)
  return isPromise(answer)
    ? (answer as Promise<Validated>).then(one => accepted(name, one))
    : accepted(name, answer as Validated)
}

function accepted(node: string, answer: Validated): unknown {
  if ('issues' in answer) throw graphError('send-invalid', { node, issues: answer.issues })
  return answer.value
}
