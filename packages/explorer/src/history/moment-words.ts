/** Moments as a person types them: `2026-04-01`, `2026-04-01T02:00`, `02:00`, `2h`. */
const MINUTE_MS = 60_000
const unitsMs: Readonly<Record<string, number>> = { min: MINUTE_MS, h: 60 * MINUTE_MS, d: 24 * 60 * MINUTE_MS }

/** A date, the last time that a clock showed `02:00`, or as long ago as `2h` says. Without a zone it is in that of the reader. */
export function readMoment(text: string, now: Date): Date | undefined {
  const [, count, unit = ''] = /^(\d+)(min|h|d)$/.exec(text) ?? []
  if (count !== undefined) return new Date(now.getTime() - Number(count) * unitsMs[unit]!)
  const [, hour, minute] = /^(\d{1,2}):(\d{2})$/.exec(text) ?? []
  if (hour !== undefined) {
    if (Number(hour) > 23 || Number(minute) > 59) return undefined
    const moment = new Date(now)
    moment.setHours(Number(hour), Number(minute), 0, 0)
    if (moment > now) moment.setDate(moment.getDate() - 1)
    return moment
  }
  // A day alone would be read in UTC.
  const date = new Date(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00` : text)
  return Number.isNaN(date.getTime()) ? undefined : date
}
