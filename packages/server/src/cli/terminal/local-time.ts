/** Times as a person reads them: in the zone of this machine, with its offset. */

function two(number: number): string {
  return String(number).padStart(2, '0')
}

/** `2026-11-16 05:08 +01:00`; a text that is no time stays as it is. */
export function localTime(timestamp: string): string {
  const at = new Date(timestamp)
  if (Number.isNaN(at.getTime())) return timestamp
  const offset = -at.getTimezoneOffset()
  const zone = `${offset < 0 ? '-' : '+'}${two(Math.floor(Math.abs(offset) / 60))}:${two(Math.abs(offset) % 60)}`
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())} ${zone}`
}
