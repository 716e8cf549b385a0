import { expect, it } from 'vitest'
import { shownAddress } from './store-address.ts'

it('an address is shown without its secrets', () => {
  expect(shownAddress('s3://key:sec/ret@states/x?region=eu-west-1')).toBe('s3://key@states/x?region=eu-west-1')
  expect(shownAddress('postgres://me:p@ss@db:5432/app')).toBe('postgres://me@db:5432/app')
  expect(shownAddress('postgres://db/app?user=me&password=secret&sslmode=require')).toBe(
    'postgres://db/app?user=me&password=…&sslmode=require',
  )
  for (const plain of ['s3://states/x', 'redis://localhost:6379/0', '/a/state.db', './a:b@c.db', 'http://[::1]:80']) {
    expect(shownAddress(plain)).toBe(plain)
  }
})
