import { expect, it } from 'vitest'
import { decode } from './decode.ts'
import { encode } from './encode.ts'
import { EncryptedValue, erasedTag, findEncrypted } from './encrypted-value.ts'

const stored = { a: [{ $sealed: ['key', '/{subject}', 'data'] }] }

it('comes back as a value of its own, and is stored again as it was', () => {
  const value = decode(stored)
  expect(value).toEqual({ a: [new EncryptedValue('key', '/{subject}', 'data')] })
  expect(encode(value)).toEqual(stored)
})

it('tells when it was erased, and does not store that', () => {
  const value = decode(erasedTag({ key: 'key', pattern: '/{subject}', data: 'data' }, '2026-05-02T00:00:00.000Z'))
  expect(value).toMatchObject({ isErased: true, erasedAt: '2026-05-02T00:00:00.000Z' })
  expect(encode(value)).toEqual({ $sealed: ['key', '/{subject}', 'data'] })
})

it('is not taken for what it is not', () => {
  expect(findEncrypted({ $$sealed: ['key', '/{subject}', 'data'] })).toBeUndefined()
  for (const other of [null, 1, 'text', [], {}, { $date: null }]) expect(findEncrypted(other)).toBeUndefined()
  for (const payload of [
    'x',
    ['key', 'p'],
    ['key', 'p', 1],
    ['key', 'p', 'data', 1],
    ['key', 'p', 'data', 'at', 'more'],
  ]) {
    expect(() => decode({ $sealed: payload })).toThrow(expect.objectContaining({ code: 'value-unreadable' }))
  }
})
