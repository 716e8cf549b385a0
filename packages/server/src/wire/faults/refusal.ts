/** The form in which every surface reports a failure, and an error that carries one: a surface refused the call, or a server did. */
import type { JsonValue } from '../json-value.ts'
import type { FaultKind } from './fault-kind.ts'

/** An error as every face tells it: kind, code, message, hint. */
export interface Fault {
  readonly code: string
  readonly kind: FaultKind
  readonly message: string
  readonly hint?: string | undefined
  readonly data?: JsonValue | undefined
}

export class Refusal extends Error {
  readonly fault: Fault

  constructor(fault: Fault) {
    super(fault.message)
    this.fault = fault
  }
}

/** For a call or a command that can never succeed as it is. */
export function usageRefusal(message: string, hint?: string, code = 'usage'): Refusal {
  return new Refusal({ code, kind: 'usage', message, ...(hint === undefined ? {} : { hint }) })
}
