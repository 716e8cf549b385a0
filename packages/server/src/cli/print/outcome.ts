/** The exit code for a result: `diff` and `verify` report their finding in it. */
import { isRecord } from '../../wire/wired.ts'
import { differences, ok, verificationFailed } from '../terminal/exit-code.ts'

const outcomes: Readonly<Record<string, (result: unknown) => number>> = {
  diff: result =>
    isRecord(result) && Array.isArray(result['changes']) && result['changes'].length > 0 ? differences : ok,
  verify: result => (isRecord(result) && result['ok'] === false ? verificationFailed : ok),
}

export function outcomeOf(operation: string, result: unknown): number {
  return outcomes[operation]?.(result) ?? ok
}
