import fc from 'fast-check'
import { expect, it } from 'vitest'
import { secretBytes, subjectKey } from './aes-gcm.ts'

const secret = new Uint8Array(secretBytes).fill(7)
const key = subjectKey('id', 'ann', secret)

it('opens what it sealed, and seals equal bytes to equal bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), plain => {
      const encrypted = key.encrypt(plain)
      expect(new Uint8Array(key.decrypt(encrypted)!)).toEqual(plain)
      expect(subjectKey('id', 'ann', secret).encrypt(plain)).toEqual(encrypted)
    }),
  )
})

it('does not open what was changed in any bit', () => {
  const encrypted = key.encrypt(new TextEncoder().encode('"text"'))
  for (let bit = 0; bit < encrypted.length * 8; bit++) {
    const changed = Uint8Array.from(encrypted)
    changed[bit >> 3]! ^= 1 << (bit & 7)
    expect(key.decrypt(changed)).toBeUndefined()
  }
  for (let length = 0; length < encrypted.length; length++)
    expect(key.decrypt(encrypted.subarray(0, length))).toBeUndefined()
})

it.each([
  ['another subject', subjectKey('id', 'bob', secret)],
  ['another id', subjectKey('other', 'ann', secret)],
  ['another secret', subjectKey('id', 'ann', new Uint8Array(secretBytes))],
])('does not open what belongs to %s', (_name, other) => {
  expect(other.decrypt(key.encrypt(new Uint8Array(9)))).toBeUndefined()
})

it('seals as it did when this was written', () => {
  expect(Buffer.from(key.encrypt(new TextEncoder().encode('{"mail":"ann@example.org"}'))).toString('base64url')).toBe(
    'cegmecfryXZ4ZLX-xRfNA7tzz5MPTz0Txk7wL0OiR0I3pmFEqnFUtTCd93UkCKiWWosAIvuU',
  )
})
