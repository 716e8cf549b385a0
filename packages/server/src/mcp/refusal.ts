/** What this surface itself refuses, and what went wrong below it, as one thing to tell. */
import { type Fault, faultOf } from '../wire/faults/fault.ts'
import { Refusal } from '../wire/faults/refusal.ts'

/** A call, or a command, that can never succeed as it is. */
export function usage(code: string, message: string, hint?: string): Refusal {
  return new Refusal({ code, kind: 'usage', message, ...(hint === undefined ? {} : { hint }) })
}

/** What went wrong, whatever was thrown. */
export function faultFrom(error: unknown): Fault {
  return error instanceof Refusal ? error.fault : faultOf(error)
}
