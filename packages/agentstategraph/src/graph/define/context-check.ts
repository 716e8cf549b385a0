/** Checks the context of a run against the schema of its graph. */

import { formatPath, validateWith } from '../../core/index.ts'
import { graphError } from '../errors.ts'
import type { CompiledGraphPlan } from '../model/compiled-plan.ts'
import { andThen, type MaybePromise } from '../model/maybe-promise.ts'

/** Returns the output of the schema, or throws `context-invalid`. */
export function checkContext(plan: CompiledGraphPlan, context: unknown): MaybePromise<unknown> {
  if (plan.context === undefined) return context
  return andThen(validateWith(plan.context, context), found => {
    if (!('issues' in found)) return found.value
    const issues = found.issues.map(({ path, message }) => ({ field: path[0] ?? '', path: formatPath(path), message }))
    throw graphError('context-invalid', { issues })
  })
}
