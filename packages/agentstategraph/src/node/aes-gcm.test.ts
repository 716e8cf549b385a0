import fc from 'fast-check'
import { expect, it } from 'vitest'
import { secretBytes, subjectKey } from './aes-gcm.ts'

const secret = new Uint8Array(secretBytes).fill(7)
const key = subjectKey('id', 'ann', secret)
const pattern = '/users/{subject}'

it('opens what it sealed, and seals equal bytes to equal bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), plain => {
      const encrypted = key.encrypt(plain, pattern)
      expect(new Uint8Array(key.decrypt(encrypted, pattern)!)).toEqual(plain)
      expect(subjectKey('id', 'ann', secret).encrypt(plain, pattern)).toEqual(encrypted)
    }),
  )
})

it('does not open what was changed in any bit', () => {
  const encrypted = key.encrypt(new TextEncoder().encode('"text"'), pattern)
  for (let bit = 0; bit < encrypted.length * 8; bit++) {
    const changed = Uint8Array.from(encrypted)
    changed[bit >> 3]! ^= 1 << (bit & 7)
    expect(key.decrypt(changed, pattern)).toBeUndefined()
  }
  for (let length = 0; length < encrypted.length; length++)
    expect(key.decrypt(encrypted.subarray(0, length), pattern)).toBeUndefined()
})

it.each([
  ['another subject', subjectKey('id', 'bob', secret)],
  ['another id', subjectKey('other', 'ann', secret)],
  ['another secret', subjectKey('id', 'ann', new Uint8Array(secretBytes))],
])('does not open what belongs to %s', (_name, other) => {
  expect(other.decrypt(key.encrypt(new Uint8Array(9), pattern), pattern)).toBeUndefined()
})

it('does not open what was encrypted for another pattern, and shares no nonce with it', () => {
  const encrypted = key.encrypt(new Uint8Array(9), pattern)
  expect(key.decrypt(encrypted, '/people/{subject}')).toBeUndefined()
  const other = key.encrypt(new Uint8Array(9), '/people/{subject}')
  expect(other.subarray(0, 12)).not.toEqual(encrypted.subarray(0, 12))
})

it('seals as it did when this was written', () => {
  expect(
    Buffer.from(key.encrypt(new TextEncoder().encode('{"mail":"ann@example.org"}'), pattern)).toString('base64url'),
  ).toBe('ct_MK_9_2v5M8VxIwKiXTD0N4pzh9KP1OfiHn0_ftSe0v7864am6eumqytwSRzXRlfpk6qaq')
})
