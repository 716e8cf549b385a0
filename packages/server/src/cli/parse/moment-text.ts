/** Moments as people write them: `yesterday`, `2 hours ago`, `2026-05-01 14:30`, or ISO 8601. Without a zone they are local. */

const MS = { second: 1000, minute: 60_000, hour: 3_600_000, day: 86_400_000, week: 604_800_000 } as const
const short = { s: 'second', m: 'minute', min: 'minute', h: 'hour', d: 'day', w: 'week' } as const

function unitOf(text: string): keyof typeof MS | undefined {
  const name = text.replace(/s$/, '')
  if (Object.hasOwn(MS, name)) return name as keyof typeof MS
  return Object.hasOwn(short, text) ? short[text as keyof typeof short] : undefined
}

/** A moment of the day, local; midnight without a time. */
function onDay(now: Date, daysAgo: number, time: string | undefined): Date {
  const [hours = 0, minutes = 0, seconds = 0] = (time ?? '0').split(':').map(Number)
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysAgo, hours, minutes, seconds)
}

/** The moment that a text names; undefined when it names none. */
export function findMoment(text: string, now: Date): Date | undefined {
  const words = text.trim().toLowerCase().replaceAll('_', ' ').replace(/\s+/g, ' ')
  if (words === 'now') return now
  const [, day, time] = /^(today|yesterday)(?: (?:at )?(\d{1,2}:\d{2}(?::\d{2})?))?$/.exec(words) ?? []
  if (day !== undefined) return onDay(now, day === 'today' ? 0 : 1, time)
  const [, clock] = /^(\d{1,2}:\d{2}(?::\d{2})?)$/.exec(words) ?? []
  if (clock !== undefined) return onDay(now, 0, clock)
  const [, count, name] = /^(?:(\d{1,6}|an?|last) ?)([a-z]+)(?: ago)?$/.exec(words) ?? []
  const unit = name === undefined ? undefined : unitOf(name)
  if (unit !== undefined) return new Date(now.getTime() - (Number(count) || 1) * MS[unit])
  const date = /^\d{4}-\d{2}-\d{2}$/.test(words)
    ? `${words}T00:00`
    : words.replace(/^(\d{4}-\d{2}-\d{2}) (?=\d)/, '$1T')
  if (!/^\d{4}-\d{2}-\d{2}t\d{2}:\d{2}(:\d{2}(\.\d+)?)?( ?(z|[+-]\d{2}:?\d{2}))?$/i.test(date)) return undefined
  const moment = new Date(date.toUpperCase().replace(' ', ''))
  return Number.isNaN(moment.getTime()) ? undefined : moment
}

export const momentHint = 'Such as yesterday, "2 hours ago", 14:30, 2026-05-01 or 2026-05-01T14:30:00Z.'
