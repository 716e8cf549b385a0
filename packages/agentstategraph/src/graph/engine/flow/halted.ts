/**
 * Why a chain of tasks cannot go on: an interrupt needs an answer, a task failed, or the run itself has to stop.
 *
 * It is a value and not an exception, because sibling chains run to their ends before the run reports it.
 */

import type { Interrupt } from '../../model/run-protocol.ts'

export interface Failure {
  readonly node: string
  readonly error: unknown
}

export interface Halted {
  readonly kind: 'halted'
  readonly interrupts: readonly Interrupt[]
  readonly failures: readonly Failure[]
  /** Errors that end the run and belong to no task. */
  readonly stops: readonly unknown[]
}

export function haltedBy({ interrupts = [], failures = [], stops = [] }: Partial<Omit<Halted, 'kind'>>): Halted {
  return { kind: 'halted', interrupts, failures, stops }
}

/** All the reasons, in the order of the members. */
export function haltedTogether(ends: readonly Halted[]): Halted {
  return {
    kind: 'halted',
    interrupts: ends.flatMap(({ interrupts }) => interrupts),
    failures: ends.flatMap(({ failures }) => failures),
    stops: ends.flatMap(({ stops }) => stops),
  }
}
