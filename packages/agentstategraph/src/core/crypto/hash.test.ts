import * as crypto from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  bytesOfId,
  chooseHash,
  chooseRunningHash,
  digestBytes,
  hashBytes,
  hashText,
  hexOfId,
  idOfBytes,
  idOfHex,
  isId,
  runningHash,
} from './hash.ts'

const ways = {
  'one-shot native': chooseHash(crypto as Parameters<typeof chooseHash>[0]),
  'created native': chooseHash({ createHash: crypto.createHash }),
  portable: chooseHash(undefined),
}

describe.each(Object.entries(ways))('SHA-256, %s', (_name, hash) => {
  it('gives the examples of FIPS 180-4', () => {
    const examples = {
      '': 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
      abc: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
      abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq:
        '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
      ['a'.repeat(1_000_000)]: 'cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0',
    }
    for (const [text, hex] of Object.entries(examples)) expect(hexOfId(hash(text))).toBe(hex)
  })

  it('agrees with the library on any text and any bytes, across the length of a block', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 150 }), text => hash(text) === hashText(text)))
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), bytes => hash(bytes) === hashBytes(bytes)))
  })
})

it('hashes the same as text and as its UTF-8', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), text => {
      expect(hashBytes(new TextEncoder().encode(text))).toBe(hashText(text))
    }),
  )
})

it('converts ids between 43 characters, 64 hex digits and 32 bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), bytes => {
      const id = idOfBytes(bytes)
      expect(id).toMatch(/^[\w-]{43}$/)
      expect(isId(id)).toBe(true)
      expect(bytesOfId(id)).toEqual(new Uint8Array(bytes))
      expect(hexOfId(id)).toMatch(/^[0-9a-f]{64}$/)
      expect(idOfHex(hexOfId(id))).toBe(id)
    }),
  )
  expect(idOfBytes(digestBytes(Uint8Array.of(1, 2)))).toBe(hashBytes(Uint8Array.of(1, 2)))
})

it('refuses what is not an id', () => {
  const id = hashText('x')
  const longer = `${id}A`
  for (const wrong of ['', id.slice(1), longer, `${id.slice(0, 42)}=`, `${id.slice(0, 42)}B`, `é${id.slice(1)}`]) {
    expect(isId(wrong), wrong).toBe(false)
    expect(() => bytesOfId(wrong), wrong).toThrow(expect.objectContaining({ code: 'id-invalid' }))
    expect(() => hexOfId(wrong), wrong).toThrow(expect.objectContaining({ code: 'id-invalid' }))
  }
  for (const wrong of ['', 'ab', hexOfId(id).toUpperCase(), `${hexOfId(id)}00`]) {
    expect(() => idOfHex(wrong), wrong).toThrow(expect.objectContaining({ code: 'id-invalid' }))
  }
  expect(() => idOfBytes(new Uint8Array(31))).toThrow(expect.objectContaining({ code: 'id-invalid' }))
})

it('hashes text in pieces as it hashes it whole, with and without a native module', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 150 }), { maxLength: 8 }), pieces => {
      for (const running of [runningHash(), chooseRunningHash(undefined)]) {
        for (const piece of pieces) running.update(piece)
        expect(running.digest()).toBe(hashText(pieces.join('')))
      }
    }),
  )
  const long = Array.from({ length: 200 }, (_, i) => String(i).repeat(1000))
  for (const running of [runningHash(), chooseRunningHash(undefined)]) {
    for (const piece of long) running.update(piece)
    expect(running.digest()).toBe(hashText(long.join('')))
  }
})
