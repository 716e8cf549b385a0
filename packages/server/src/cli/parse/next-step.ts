/** After a command that worked, the one that people usually want next. It is shown on a terminal only. */
import { isRecord } from '../../wire/wired.ts'
import type { Done, Steps } from './steps/done.ts'
import { peopleSteps } from './steps/people.ts'
import { stateSteps } from './steps/state.ts'
import { storeSteps } from './steps/store.ts'
import { workSteps } from './steps/work.ts'

const steps: Steps = { ...stateSteps, ...storeSteps, ...peopleSteps, ...workSteps }

/** The command line after `asg`. */
export function findNextStep(operation: string, input: Done['input'], result: unknown): string | undefined {
  return isRecord(result) ? steps[operation]?.({ input, result }) : undefined
}
