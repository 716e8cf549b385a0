/** Moments as people write them: `yesterday`, `2 hours ago`, `last monday`, `1 May`, or ISO 8601. Without a zone they are local. */

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

const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const months = 'january february march april may june july august september october november december'.split(' ')

/** The place of a name among others, which may be shortened to three letters. */
function placeOf(word: string, names: readonly string[]): number {
  return word.length < 3 ? -1 : names.findIndex(name => name.startsWith(word))
}

/** The beginning of a weekday before today: `monday` is the last one. */
function onWeekday(now: Date, word: string): Date | undefined {
  const place = placeOf(word, weekdays)
  return place < 0 ? undefined : onDay(now, ((now.getDay() + 6 - place) % 7) + 1, undefined)
}

/** `1 May`, `May 1` or `1 May 2026`; without a year the last one that there was. */
function onDate(now: Date, words: string): Date | undefined {
  const [, before, name, after, year] =
    /^(?:(\d{1,2}) )?([a-z]{3,9})(?: (\d{1,2})(?=,? |$))?(?:,? (\d{4}))?$/.exec(words) ?? []
  const day = Number(before ?? after)
  const month = name === undefined ? -1 : placeOf(name, months)
  if (month < 0 || Number.isNaN(day) || (before !== undefined && after !== undefined)) return undefined
  const date = new Date(Number(year ?? now.getFullYear()), month, day)
  if (year === undefined && date > now) date.setFullYear(date.getFullYear() - 1)
  return date.getDate() === day ? date : undefined
}

/** The same day some months ago, or the last of that month. */
function monthsAgo(now: Date, count: number): Date {
  const first = new Date(now.getFullYear(), now.getMonth() - count, 1)
  const last = new Date(first.getFullYear(), first.getMonth() + 1, 0).getDate()
  const moment = new Date(now)
  moment.setFullYear(first.getFullYear(), first.getMonth(), Math.min(now.getDate(), last))
  return moment
}

/** The moment that a text names; undefined when it names none. */
export function findMoment(text: string, now: Date): Date | undefined {
  // `2.hours.ago` is how Git lets one write it without quotes.
  const plain = /^\w+(?:\.[a-z]+)+$/i.test(text.trim()) ? text.replaceAll('.', ' ') : text
  const words = plain.trim().toLowerCase().replaceAll('_', ' ').replace(/\s+/g, ' ')
  if (words === 'now') return now
  const [, day, time] = /^(today|yesterday)(?: (?:at )?(\d{1,2}:\d{2}(?::\d{2})?))?$/.exec(words) ?? []
  if (day !== undefined) return onDay(now, day === 'today' ? 0 : 1, time)
  const [, clock] = /^(\d{1,2}:\d{2}(?::\d{2})?)$/.exec(words) ?? []
  if (clock !== undefined) return onDay(now, 0, clock)
  const [, count, name] = /^(?:(\d{1,6}|an?|last) ?)([a-z]+)(?: ago)?$/.exec(words) ?? []
  const unit = name === undefined ? undefined : unitOf(name)
  const some = count !== undefined && /^\d/.test(count) ? Number(count) : 1
  if (unit !== undefined) return new Date(now.getTime() - some * MS[unit])
  if (name !== undefined && /^(?:month|year)s?$/.test(name))
    return monthsAgo(now, name.startsWith('y') ? 12 * some : some)
  const named = onWeekday(now, words.replace(/^last /, '')) ?? onDate(now, words)
  if (named !== undefined) return named
  const date = /^\d{4}-\d{2}-\d{2}$/.test(words)
    ? `${words}T00:00`
    : words.replace(/^(\d{4}-\d{2}-\d{2}) (?=\d)/, '$1T')
  if (!/^\d{4}-\d{2}-\d{2}t\d{2}:\d{2}(:\d{2}(\.\d+)?)?( ?(z|[+-]\d{2}:?\d{2}))?$/i.test(date)) return undefined
  const moment = new Date(date.toUpperCase().replace(' ', ''))
  return Number.isNaN(moment.getTime()) ? undefined : moment
}

export const momentHint =
  'Such as yesterday, "2 hours ago", monday, "1 May", 14:30, 2026-05-01 or 2026-05-01T14:30:00Z.'
