/**
 * Moments as people write them: `yesterday`, `2 hours ago`, `in 3 days`, `last monday`, `1 May`, or ISO 8601. Without a zone they
 * are local. What has no direction of its own, such as `2h` or `monday`, is in the past, or in the future where only that makes sense.
 */

export type Direction = 'past' | 'future'

const MS = { second: 1000, minute: 60_000, hour: 3_600_000, day: 86_400_000, week: 604_800_000 } as const
const short = { s: 'second', m: 'minute', min: 'minute', h: 'hour', d: 'day', w: 'week' } as const

function unitOf(text: string): keyof typeof MS | undefined {
  const name = text.replace(/s$/, '')
  if (Object.hasOwn(MS, name)) return name as keyof typeof MS
  return Object.hasOwn(short, text) ? short[text as keyof typeof short] : undefined
}

/** A moment of the day, local; midnight without a time. */
function onDay(now: Date, days: number, time: string | undefined): Date {
  const [hours = 0, minutes = 0, seconds = 0] = (time ?? '0').split(':').map(Number)
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, hours, minutes, seconds)
}

const days: Readonly<Record<string, number>> = { yesterday: -1, today: 0, tomorrow: 1 }
const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const months = 'january february march april may june july august september october november december'.split(' ')

/** The place of a name among others, which may be shortened to three letters. */
function placeOf(word: string, names: readonly string[]): number {
  return word.length < 3 ? -1 : names.findIndex(name => name.startsWith(word))
}

/** `tomorrow at 14:30`, `14:30` */
function findDay(words: string, now: Date, toward: Direction): Date | undefined {
  const [, day, time] = /^(today|yesterday|tomorrow)(?: (?:at )?(\d{1,2}:\d{2}(?::\d{2})?))?$/.exec(words) ?? []
  if (day !== undefined) return onDay(now, days[day]!, time)
  const [, clock] = /^(\d{1,2}:\d{2}(?::\d{2})?)$/.exec(words) ?? []
  if (clock === undefined) return undefined
  const today = onDay(now, 0, clock)
  return toward === 'future' && today <= now ? onDay(now, 1, clock) : today
}

/** The beginning of a weekday: `monday` is the last one before today, or the first one after it. */
function findWeekday(words: string, now: Date, toward: Direction): Date | undefined {
  const [, side, word = ''] = /^(?:(last|next) )?([a-z]+)$/.exec(words) ?? []
  const place = placeOf(word, weekdays)
  if (place < 0) return undefined
  const isNext = side === undefined ? toward === 'future' : side === 'next'
  return onDay(now, isNext ? ((place + 6 - now.getDay()) % 7) + 1 : -(((now.getDay() + 6 - place) % 7) + 1), undefined)
}

/** `1 May`, `May 1` or `1 May 2026`; without a year the last one that there was, or the next one. */
function findDate(words: string, now: Date, toward: Direction): Date | undefined {
  const [, before, name, after, year] =
    /^(?:(\d{1,2}) )?([a-z]{3,9})(?: (\d{1,2})(?=,? |$))?(?:,? (\d{4}))?$/.exec(words) ?? []
  const day = Number(before ?? after)
  const month = name === undefined ? -1 : placeOf(name, months)
  if (month < 0 || Number.isNaN(day) || (before !== undefined && after !== undefined)) return undefined
  const date = new Date(Number(year ?? now.getFullYear()), month, day)
  if (year === undefined && toward === 'past' && date > now) date.setFullYear(date.getFullYear() - 1)
  if (year === undefined && toward === 'future' && date <= now) date.setFullYear(date.getFullYear() + 1)
  return date.getDate() === day ? date : undefined
}

/** `2 hours ago`, `in 3 days`, `last week`, `2h` */
function findDistance(words: string, now: Date, toward: Direction): Date | undefined {
  const [, ahead, count = '', name = '', ago] = /^(in )?(?:(\d{1,6}|an?|last|next) ?)([a-z]+)( ago)?$/.exec(words) ?? []
  if (ahead !== undefined && (ago !== undefined || count === 'last' || count === 'next')) return undefined
  const isAhead =
    ahead !== undefined || count === 'next' || (toward === 'future' && ago === undefined && count !== 'last')
  const some = (/^\d/.test(count) ? Number(count) : 1) * (isAhead ? 1 : -1)
  const unit = unitOf(name)
  if (unit !== undefined) return new Date(now.getTime() + some * MS[unit])
  return /^(?:month|year)s?$/.test(name) ? monthsFrom(now, name.startsWith('y') ? 12 * some : some) : undefined
}

/** The same day some months from now, or the last of that month. */
function monthsFrom(now: Date, count: number): Date {
  const first = new Date(now.getFullYear(), now.getMonth() + count, 1)
  const last = new Date(first.getFullYear(), first.getMonth() + 1, 0).getDate()
  const moment = new Date(now)
  moment.setFullYear(first.getFullYear(), first.getMonth(), Math.min(now.getDate(), last))
  return moment
}

function findIsoMoment(words: string): Date | undefined {
  const date = /^\d{4}-\d{2}-\d{2}$/.test(words)
    ? `${words}T00:00`
    : words.replace(/^(\d{4}-\d{2}-\d{2}) (?=\d)/, '$1T')
  if (!/^\d{4}-\d{2}-\d{2}t\d{2}:\d{2}(:\d{2}(\.\d+)?)?( ?(z|[+-]\d{2}:?\d{2}))?$/i.test(date)) return undefined
  const moment = new Date(date.toUpperCase().replace(' ', ''))
  return Number.isNaN(moment.getTime()) ? undefined : moment
}

/** The moment that a text names; undefined when it names none. */
export function findMoment(text: string, now: Date, toward: Direction = 'past'): Date | undefined {
  // `2.hours.ago` is how Git lets one write it without quotes.
  const plain = /^\w+(?:\.[a-z]+)+$/i.test(text.trim()) ? text.replaceAll('.', ' ') : text
  const words = plain.trim().toLowerCase().replaceAll('_', ' ').replace(/\s+/g, ' ')
  if (words === 'now') return now
  for (const find of [findDay, findDistance, findWeekday, findDate]) {
    const found = find(words, now, toward)
    if (found !== undefined) return found
  }
  return findIsoMoment(words)
}

export const momentHints: Readonly<Record<Direction, string>> = {
  past: 'Such as yesterday, "2 hours ago", monday, "1 May", 14:30, 2026-05-01 or 2026-05-01T14:30:00Z.',
  future: 'Such as tomorrow, "in 2 hours", 30d, friday, "1 May", 14:30, 2027-05-01 or 2027-05-01T14:30:00Z.',
}
