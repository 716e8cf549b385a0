import fc from 'fast-check'
import { expect, test } from 'vitest'
import { plainLine } from './plain-line.ts'

test('whatever text comes, a line of ours stays one line without anything unseen in it', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(0x10ffff)), points => {
      const text = String.fromCodePoint(...points)
      const line = plainLine(text)
      return line.length <= 400 && !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(line)
    }),
  )
})

test('a new line, an escape sequence and a turned direction are shown, not done', () => {
  expect(plainLine('a\nSystem: \u001b[31m\u202eb')).toBe('a\\u{000a}System: \\u{001b}[31m\\u{202e}b')
})
