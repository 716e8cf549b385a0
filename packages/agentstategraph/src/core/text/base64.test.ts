import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findBase64, findBase64Url, portableRead, portableWrite, toBase64, toBase64Url } from './base64.ts'

const ways = {
  native: { write: toBase64, read: findBase64, writeUrl: toBase64Url, readUrl: findBase64Url },
  portable: {
    write: (bytes: Uint8Array) => portableWrite(bytes, 'base64'),
    read: (text: string) => portableRead(text, 'base64'),
    writeUrl: (bytes: Uint8Array) => portableWrite(bytes, 'base64url'),
    readUrl: (text: string) => portableRead(text, 'base64url'),
  },
}

describe.each(Object.entries(ways))('base64, %s', (_name, { write, read, writeUrl, readUrl }) => {
  it('writes the examples of RFC 4648', () => {
    const examples = {
      '': '',
      f: 'Zg==',
      fo: 'Zm8=',
      foo: 'Zm9v',
      foob: 'Zm9vYg==',
      fooba: 'Zm9vYmE=',
      foobar: 'Zm9vYmFy',
    }
    for (const [plain, text] of Object.entries(examples)) {
      const bytes = new TextEncoder().encode(plain)
      expect(write(bytes)).toBe(text)
      expect(writeUrl(bytes)).toBe(text.replaceAll('=', ''))
    }
    expect(write(Uint8Array.of(0xfb, 0xff, 0xfe))).toBe('+//+')
    expect(writeUrl(Uint8Array.of(0xfb, 0xff, 0xfe))).toBe('-__-')
  })

  it('reads back what it writes, also from the middle of a buffer', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(5), (whole, start) => {
        const bytes = whole.subarray(start)
        expect(read(write(bytes))).toEqual(new Uint8Array(bytes))
        expect(readUrl(writeUrl(bytes))).toEqual(new Uint8Array(bytes))
      }),
    )
  })

  it('reads no other text', () => {
    for (const text of [
      'Zg=',
      'Zg',
      'Zh==',
      'Zm9=',
      'Zm9',
      'Z',
      'Zg===',
      '====',
      'Zm 9v',
      'Zm9v\n',
      '-__-',
      'Zm9v=',
      'é===',
    ])
      expect(read(text), text).toBeUndefined()
    for (const text of ['Zg==', 'Zh', 'Zm9=', 'Z', '+//+', 'Zm 9v']) expect(readUrl(text), text).toBeUndefined()
  })
})

it('is the same with and without Buffer', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), bytes => {
      expect(portableWrite(bytes, 'base64')).toBe(toBase64(bytes))
      expect(portableWrite(bytes, 'base64url')).toBe(toBase64Url(bytes))
    }),
  )
})
