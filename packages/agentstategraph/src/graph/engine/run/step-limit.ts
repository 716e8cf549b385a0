/** How many tasks a run may take one after the other. */

import { graphError } from '../../errors.ts'
import type { Position } from '../../model/run-protocol.ts'
import type { EngineScope } from '../task/engine-scope.ts'

/** Enough for long loops, and low enough to stop an endless loop soon. */
export const DEFAULT_MAX_STEPS = 1000

/** The error of a run that took too many steps: where it stopped, and with which state. */
export function stepLimit({ run, path }: EngineScope, { targets, from }: Position): unknown {
  return graphError('run-step-limit', {
    maxSteps: run.maxSteps,
    node: path + (targets[0]?.node ?? from),
    state: run.head(),
  })
}
