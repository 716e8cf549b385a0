/**
 * The failed attempts that a step keeps.
 *
 * A step replaces the facts since the step before it, and keeps the failures among them. So the reason of a failed run is
 * known after the thread has been resumed or was given new input.
 */

import { encode, type Stored } from '../../../core/index.ts'
import type { FailedAttempt } from '../../model/run-protocol.ts'
import { errorFrom, errorRecord } from './errors.ts'
import type { NumberedFact } from './facts.ts'

/** A step keeps the last ones. */
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

/** The failures among facts: those that ended a run. */
export function failuresIn(facts: readonly NumberedFact[]): readonly FailedAttempt[] {
  return facts.flatMap(({ fact }) =>
    fact.kind === 'failure' ? [{ node: fact.node, attempt: fact.attempt, error: fact.error }] : [],
  )
}

interface Repeated {
  readonly node: string
  readonly retried?: readonly unknown[] | undefined
}

/** The failed attempts of these tasks that were repeated. */
export function retriedIn(tasks: readonly Repeated[]): readonly FailedAttempt[] {
  return tasks.flatMap(({ node, retried = [] }) => retried.map((error, i) => ({ node, attempt: i + 1, error })))
}

/** All failed attempts before a step. */
export function failuresBefore({
  failures = [],
  tasks,
}: {
  readonly failures?: readonly FailedAttempt[] | undefined
  readonly tasks: readonly Repeated[]
}): readonly FailedAttempt[] {
  return [...failures, ...retriedIn(tasks)]
}
