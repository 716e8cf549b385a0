/**
 * Moments, as the journal stores them: milliseconds from 1970 to the end of the year 9999.
 *
 * Later years have more than four digits in ISO 8601, so their texts do not sort by time.
 */
import { coreError } from '../errors.ts'

/** The last millisecond of the year 9999. */
export const lastMoment = 253_402_300_799_999

/** False for NaN as well. */
export function isMoment(time: number): boolean {
  return time >= 0 && time <= lastMoment
}

/** The milliseconds of a moment that was given as an option. */
export function checkedMoment(field: string, value: Date | string): number {
  const time = new Date(value).getTime()
  if (isMoment(time)) return time
  throw coreError('option-invalid', { field, reason: `${String(value)} is not a moment from 1970 to 9999` })
}

/** The milliseconds of a clock, which throw when it is not set to a moment. */
export function millisOf(clock: (() => Date) | undefined): () => number {
  if (clock === undefined) return Date.now
  return () => {
    const time = Number(clock())
    if (isMoment(time)) return time
    throw coreError('clock-invalid', { time })
  }
}
