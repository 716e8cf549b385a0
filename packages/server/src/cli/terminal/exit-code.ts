/** The exit codes of `asg`. */
import type { FaultKind } from '../../wire/faults/fault.ts'

export const ok = 0
export const differences = 1
export const usage = 2
export const verificationFailed = 6

const codes: Readonly<Record<FaultKind, number>> = {
  usage,
  invalid: 2,
  'too-large': 2,
  unsupported: 2,
  conflict: 3,
  denied: 4,
  unauthenticated: 4,
  'not-found': 5,
  verification: verificationFailed,
  moved: 7,
  'too-many': 1,
  unavailable: 1,
  full: 1,
  internal: 1,
}

export function exitCodeOf(kind: FaultKind): number {
  // A newer server may send kinds that this table lacks.
  return codes[kind] ?? 1
}
