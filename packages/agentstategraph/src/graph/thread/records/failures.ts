/**
 * Failed attempts, as a step keeps them.
 *
 * A failure is a fact since the last step, and the next step takes the place of those facts. It keeps the failures among
 * them: why a run failed is known also after the thread has gone on or was given new input.
 */

import { encode, type Stored } from '../../../core/index.ts'
import type { FailedAttempt } from '../../model/run-protocol.ts'
import { errorFrom, errorRecord } from './errors.ts'
import type { NumberedFact } from './facts.ts'

/** How many failures a step keeps, of those since the one before: the last ones. */
const MAX_FAILURES = 32

export type StoredFailure = readonly [node: string, attempt: number, error: Stored]

export function storedFailures(failures: readonly FailedAttempt[]): readonly StoredFailure[] {
  return failures
    .slice(-MAX_FAILURES)
    .map(({ node, attempt, error }): StoredFailure => [node, attempt, encode(errorRecord(error))])
}

export function failuresFrom(stored: readonly StoredFailure[], show: (stored: Stored) => unknown): FailedAttempt[] {
  return stored.map(([node, attempt, error]) => ({ node, attempt, error: errorFrom(show(error)) }))
}

/** The failures of runs among facts: those that ended one. */
export function failuresIn(facts: readonly NumberedFact[]): readonly FailedAttempt[] {
  return facts.flatMap(({ fact }) =>
    fact.kind === 'failure' ? [{ node: fact.node, attempt: fact.attempt, error: fact.error }] : [],
  )
}

interface Repeated {
  readonly node: string
  readonly retried?: readonly unknown[] | undefined
}

/** Every attempt that failed and was not the last of its task, among facts or the tasks of a step. */
export function retriedIn(tasks: readonly Repeated[]): readonly FailedAttempt[] {
  return tasks.flatMap(({ node, retried = [] }) => retried.map((error, i) => ({ node, attempt: i + 1, error })))
}

/** All that failed on the way to a step. */
export function failuresBefore({
  failures = [],
  tasks,
}: {
  readonly failures?: readonly FailedAttempt[] | undefined
  readonly tasks: readonly Repeated[]
}): readonly FailedAttempt[] {
  return [...failures, ...retriedIn(tasks)]
}
