/** How a task ended, and what its commit says about it. */

import type { CommitInfo } from '../../repo/index.ts'
import { errorFrom } from '../events/events.ts'

/** How the function of a task ended. */
export type Ending =
  | { readonly status: 'success'; readonly result: unknown }
  | { readonly status: 'failed' | 'aborted'; readonly thrown: unknown }

const MAX_REASONING_CHARACTERS = 100_000

/** The commit info of a task, named as agent/task. Times are milliseconds since 1970. */
export function commitInfoOf(
  task: string,
  run: string,
  ending: Ending,
  { started, ended }: { readonly started: number; readonly ended: number },
): CommitInfo {
  const error = ending.status === 'success' ? undefined : errorText(ending.thrown)
  const result = { status: ending.status, durationMs: ended - started, ...(error === undefined ? {} : { error }) }
  const times = { started: new Date(started).toISOString(), ended: new Date(ended).toISOString() }
  return {
    description: `${task}: ${ending.status}`,
    category: 'Checkpoint',
    reasoning: error,
    tools: [{ name: task, result, ...times }],
    trace: run,
  }
}

function errorText(thrown: unknown): string {
  const { name, message } = errorFrom(thrown)
  return `${name}: ${message}`.slice(0, MAX_REASONING_CHARACTERS).replaceAll(/\p{Surrogate}/gu, '\uFFFD')
}
