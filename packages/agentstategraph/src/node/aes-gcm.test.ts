import fc from 'fast-check'
import { expect, it } from 'vitest'
import { secretBytes, subjectKey } from './aes-gcm.ts'

const secret = new Uint8Array(secretBytes).fill(7)
const key = subjectKey('id', 'ann', secret)

it('opens what it sealed, and seals equal bytes to equal bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), plain => {
      const sealed = key.seal(plain)
      expect(new Uint8Array(key.open(sealed)!)).toEqual(plain)
      expect(subjectKey('id', 'ann', secret).seal(plain)).toEqual(sealed)
    }),
  )
})

it('does not open what was changed in any bit', () => {
  const sealed = key.seal(new TextEncoder().encode('"text"'))
  for (let bit = 0; bit < sealed.length * 8; bit++) {
    const changed = Uint8Array.from(sealed)
    changed[bit >> 3]! ^= 1 << (bit & 7)
    expect(key.open(changed)).toBeUndefined()
  }
  for (let length = 0; length < sealed.length; length++) expect(key.open(sealed.subarray(0, length))).toBeUndefined()
})

it.each([
  ['another subject', subjectKey('id', 'bob', secret)],
  ['another id', subjectKey('other', 'ann', secret)],
  ['another secret', subjectKey('id', 'ann', new Uint8Array(secretBytes))],
])('does not open what belongs to %s', (_name, other) => {
  expect(other.open(key.seal(new Uint8Array(9)))).toBeUndefined()
})

it('seals as it did when this was written', () => {
  expect(Buffer.from(key.seal(new TextEncoder().encode('{"mail":"ann@example.org"}'))).toString('base64url')).toBe(
    'cegmecfryXZ4ZLX-xRfNA7tzz5MPTz0Txk7wL0OiR0I3pmFEqnFUtTCd93UkCKiWWosAIvuU',
  )
})
