/** A failure that is thrown as a `Fault`: a surface refused the call itself, or a server reported it. */
import type { Fault } from './fault.ts'

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
