/** The fault of a thrown error. The translation of library errors is loaded only when it is needed. */
import type { Fault } from '../../wire/faults/fault.ts'
import { Refusal } from '../../wire/faults/refusal.ts'

export async function faultFrom(error: unknown): Promise<Fault> {
  if (error instanceof Refusal) return error.fault
  const { faultOf } = await import('../../wire/faults/fault.ts')
  return faultOf(error)
}
