/**
 * What the server notes of each request: one line of JSON.
 *
 * It says which operation, for whom and how it ended; never a URL, a header, a body or a key. Control characters, also those that
 * JSON leaves as they are, are escaped, so that no text from outside can forge a line or move a terminal's cursor.
 */
export interface LogEntry {
  readonly level: 'info' | 'warn' | 'error'
  readonly event: string
  readonly [field: string]: string | number | undefined
}

export type Log = (entry: LogEntry) => void

// biome refuses control characters in a literal, and they are what this is about.
const unsafe = /[\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

export function logLine(time: Date, entry: LogEntry): string {
  const text = JSON.stringify({ time: time.toISOString(), ...entry })
  return `${text.replace(unsafe, one => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`
}
