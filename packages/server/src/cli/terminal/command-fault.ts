/** A failure that is already in the form in which every surface tells failures: the command line's own, and a server's. */
import type { Fault } from '../../wire/faults/fault.ts'
import { Refusal } from '../../wire/faults/refusal.ts'

export class CommandFault extends Refusal {}

export function usageFault(message: string, hint?: string): CommandFault {
  return new CommandFault({ code: 'usage', kind: 'usage', message, ...(hint === undefined ? {} : { hint }) })
}

/** What went wrong, whatever was thrown. */
export async function faultFrom(error: unknown): Promise<Fault> {
  if (error instanceof Refusal) return error.fault
  const { faultOf } = await import('../../wire/faults/fault.ts')
  return faultOf(error)
}
