/**
 * Why a chain of tasks cannot go on: somebody has to answer, something failed, or the run itself has to stop.
 *
 * It is a value, because its siblings still go on to their ends before the run reports it.
 */

import type { Interrupt } from '../../model/run-protocol.ts'

export interface Failure {
  readonly node: string
  readonly error: unknown
}

export interface Halted {
  readonly kind: 'stuck'
  readonly interrupts: readonly Interrupt[]
  readonly failures: readonly Failure[]
  /** What ends the run with an error that is no task's. */
  readonly stops: readonly unknown[]
}

export function stuckBy({ interrupts = [], failures = [], stops = [] }: Partial<Omit<Halted, 'kind'>>): Halted {
  return { kind: 'stuck', interrupts, failures, stops }
}

/** All the reasons, in the order of the members that they come from. */
export function stuckTogether(ends: readonly Halted[]): Halted {
  return {
    kind: 'stuck',
    interrupts: ends.flatMap(({ interrupts }) => interrupts),
    failures: ends.flatMap(({ failures }) => failures),
    stops: ends.flatMap(({ stops }) => stops),
  }
}
