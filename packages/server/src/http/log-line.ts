/**
 * The log format: one line of JSON for each entry.
 *
 * A line never contains a query, a header other than X-Request-Id, a body or a key. All control characters are escaped, including those that JSON leaves, so
 * that no outside text can forge a line or move the cursor of a terminal.
 */
export interface LogEntry {
  readonly level: 'info' | 'warn' | 'error'
  readonly event: string
  readonly [field: string]: string | number | undefined
}

export type Log = (entry: LogEntry) => void

// Escapes, because biome refuses literal control characters.
const unsafe = /[\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

export function logLine(time: Date, entry: LogEntry): string {
  const text = JSON.stringify({ time: time.toISOString(), ...entry })
  return `${text.replace(unsafe, one => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`
}
