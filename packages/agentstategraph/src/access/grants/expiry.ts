/**
 * Expiry times, as callers give them and as the access state stores them.
 *
 * A text must be a valid time with its zone: `Date.parse` would read 30 February as 2 March, and a time without a zone
 * differently on every machine.
 */

import type { Handle } from '../../repo/index.ts'
import { accessFault } from '../errors.ts'

const moment = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:\.\d{1,3})?)?(?:Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/
const LAST_YEAR = 9999

/** The ISO text of a future time. Throws `time-invalid`. */
export function checkedExpiry(
  { journal }: Pick<Handle, 'journal'>,
  expires: Date | string | undefined,
  field = 'expires',
): string | undefined {
  if (expires === undefined) return undefined
  const refuse = (reason: string): never => {
    throw accessFault('time-invalid', { field, given: shown(expires), reason })
  }
  const time = expires instanceof Date ? expires.getTime() : timeOf(expires)
  if (time === undefined || Number.isNaN(time)) return refuse('it is not a moment with its zone')
  if (new Date(time).getUTCFullYear() > LAST_YEAR) return refuse(`it is after the year ${LAST_YEAR}`)
  if (time <= journal.now()) return refuse('it is over already')
  return new Date(time).toISOString()
}

function timeOf(text: unknown): number | undefined {
  const parts = typeof text === 'string' ? moment.exec(text) : null
  if (parts === null) return undefined
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map(part => Number(part ?? 0))
  const date = new Date(Date.UTC(year!, month! - 1, day!))
  const isDay = date.getUTCMonth() === month! - 1 && date.getUTCDate() === day
  return isDay && hour! < 24 && minute! < 60 && second! < 60 ? Date.parse(text as string) : undefined
}

function shown(expires: unknown): string {
  if (!(expires instanceof Date)) return JSON.stringify(expires) ?? String(expires)
  return Number.isNaN(expires.getTime()) ? 'an invalid Date' : expires.toISOString()
}
