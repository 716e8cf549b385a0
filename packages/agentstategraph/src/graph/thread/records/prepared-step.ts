/**
 * A step with encoded values, so that a value that cannot be stored is found before anything is written.
 *
 * Consecutive steps can be joined: a run with durability `exit` lands as one commit.
 */

import { encode, type Stored } from '../../../core/index.ts'
import type { Edit } from '../../../tree/index.ts'
import type { Change, Step } from '../../model/run-protocol.ts'
import type { Encoding } from './encoding.ts'
import { storedBy } from './facts.ts'
import type { Drafts, StepEvents } from './steps.ts'

export interface PreparedStep {
  readonly step: Step
  readonly events: StepEvents
  /** For each change of the step, its encoded value. */
  readonly values: readonly (Stored | undefined)[]
}

/** Throws `value-refused`, naming the node, when a value cannot be stored. */
export function prepareStep(step: Step, events: StepEvents, encoding: Encoding): PreparedStep {
  return { step, events, values: step.changes.map(change => storedValue(change, step, encoding)) }
}

function storedValue(change: Change, step: Step, { limits, classes }: Encoding): Stored | undefined {
  if (change.op === 'delete') return undefined
  const whose = step.tasks[change.task]?.node ?? `the ${step.cause}`
  return storedBy(whose, () => encode(change.value, { at: change.path, limits, classes }))
}

/** The edits that lead to the state of a step, each with the number of its draft. */
export function editsOfStep({ step, values }: PreparedStep, { numbers }: Drafts): Edit[] {
  return step.changes.map(({ op, path, task }, i): Edit => {
    const draft = numbers[task] ?? 0
    return op === 'delete' ? { op, path, draft } : { op, path, value: values[i]!, draft }
  })
}

/** Two consecutive steps as one. */
export function joinedSteps(first: PreparedStep, second: PreparedStep): PreparedStep {
  const before = first.step.tasks.length
  const moved = second.step.changes.map(change => ({ ...change, task: change.task < 0 ? -1 : change.task + before }))
  return {
    step: {
      cause: first.step.cause === 'task' ? 'group' : first.step.cause,
      state: second.step.state,
      changes: [...first.step.changes, ...moved],
      tasks: [...first.step.tasks, ...second.step.tasks],
      answers: [...(first.step.answers ?? []), ...(second.step.answers ?? [])],
      next: second.step.next,
      hold: second.step.hold,
    },
    events: { tasks: [...first.events.tasks, ...second.events.tasks], state: second.events.state },
    values: [...first.values, ...second.values],
  }
}
