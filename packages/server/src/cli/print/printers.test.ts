import { expect, test } from 'vitest'
import { printerOf, printers } from './printers.ts'

const trick = '\u001b]0;owned\u0007\u001b[2J\u202e\r'

/** What a hostile server may send in place of any value: no field is what it should be. */
const hostile: Readonly<Record<string, unknown>> = new Proxy(
  {},
  { get: (_, name) => (name === 'kind' ? 'epoch' : trick), has: () => true },
)

test('no printer shows a control character of a server, whatever is in its fields', () => {
  const show = {
    paint: (_: unknown, text: string) => `\u001b[31m${text}\u001b[39m`,
    columns: 80,
    shortcuts: {},
    input: {},
  }
  const printed = Object.keys(printers).map(name => {
    try {
      return printerOf(name)(hostile, show)
    } catch {
      // A result of another shape is not printed.
      return ''
    }
  })
  expect(printed.filter(text => text !== '').length).toBeGreaterThan(2)
  for (const text of printed) expect(text.replaceAll(/\n|\p{Cc}\[\d{1,2}m/gu, '')).not.toMatch(/[\p{Cc}\u202e]/u)
})
