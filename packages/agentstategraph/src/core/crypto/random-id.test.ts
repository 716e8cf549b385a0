import fc from 'fast-check'
import { expect, it } from 'vitest'
import { randomId } from './random-id.ts'

function idOf(bytes: Uint8Array): string {
  return randomId(target => target.set(bytes))
}

it('writes 128 bits as 26 digits that keep their order', () => {
  const bytes = fc.uint8Array({ minLength: 16, maxLength: 16 })
  expect(idOf(new Uint8Array(16))).toBe('0'.repeat(26))
  expect(idOf(new Uint8Array(16).fill(255))).toBe(`7${'z'.repeat(25)}`)
  fc.assert(
    fc.property(bytes, bytes, (a, b) => {
      expect(idOf(a)).toMatch(/^[0-7][0-9a-hjkmnp-tv-z]{25}$/)
      expect(Math.sign(compare(idOf(a), idOf(b)))).toBe(Math.sign(compare(hex(a), hex(b))))
    }),
  )
})

it('uses the randomness of the runtime when none is given', () => {
  expect(new Set(Array.from({ length: 100 }, () => randomId())).size).toBe(100)
})

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')
}
