/** A failure that is thrown in the form in which every surface tells failures: what a surface itself refuses, or a server told. */
import type { Fault } from './fault.ts'

export class Refusal extends Error {
  readonly fault: Fault

  constructor(fault: Fault) {
    super(fault.message)
    this.fault = fault
  }
}
