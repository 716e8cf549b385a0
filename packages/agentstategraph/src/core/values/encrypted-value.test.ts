import { expect, it } from 'vitest'
import { decode } from './decode.ts'
import { encode } from './encode.ts'
import { EncryptedValue, erasedTag, findEncrypted } from './encrypted-value.ts'

const stored = { a: [{ $sealed: ['key', 'data'] }] }

it('comes back as a value of its own, and is stored again as it was', () => {
  const value = decode(stored)
  expect(value).toEqual({ a: [new EncryptedValue('key', 'data')] })
  expect(encode(value)).toEqual(stored)
})

it('tells when it was erased, and does not store that', () => {
  const value = decode(erasedTag({ key: 'key', data: 'data' }, '2026-05-02T00:00:00.000Z'))
  expect(value).toMatchObject({ isErased: true, erasedAt: '2026-05-02T00:00:00.000Z' })
  expect(encode(value)).toEqual({ $sealed: ['key', 'data'] })
})

it('is not taken for what it is not', () => {
  expect(findEncrypted({ $$sealed: ['key', 'data'] })).toBeUndefined()
  for (const other of [null, 1, 'text', [], {}, { $date: null }]) expect(findEncrypted(other)).toBeUndefined()
  for (const payload of ['x', ['key'], ['key', 1], ['key', 'data', 1], ['key', 'data', 'at', 'more']]) {
    expect(() => decode({ $sealed: payload })).toThrow(expect.objectContaining({ code: 'value-unreadable' }))
  }
})
