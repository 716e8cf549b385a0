import fc from 'fast-check'
import { expect, test } from 'vitest'
import { logLine } from './log-line.ts'

test('a line is one line of printable JSON, whatever is noted', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(0x24ff)), codes => {
      const text = String.fromCharCode(...codes)
      const line = logLine(new Date(0), { level: 'info', event: 'request', text })
      expect(line.endsWith('\n')).toBe(true)
      expect(/[\p{Cc}\u2028\u2029\u202a-\u202e]/u.test(line.slice(0, -1))).toBe(false)
      expect(JSON.parse(line)).toMatchObject({ text, time: '1970-01-01T00:00:00.000Z' })
    }),
  )
})
