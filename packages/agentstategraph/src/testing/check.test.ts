import { expect, it } from 'vitest'
import { StateError } from '../core/errors.ts'
import { check, checkEqual, checkRefuses } from './check.ts'

it('a condition that does not hold throws the message', () => {
  check(true, 'never')
  expect(() => check(false, 'a sentence')).toThrow('a sentence')
})

it('equal content passes, whatever the order of properties, the class of bytes, or undefined ones', () => {
  checkEqual({ a: 1, b: [new Uint8Array([1])] }, { b: [Buffer.from([1])], a: 1, c: undefined }, 'it')
})

it.each([
  [{ a: 1 }, { a: 2 }],
  [
    [1, 2],
    [2, 1],
  ],
  [new Uint8Array([1]), [1]],
  [undefined, null],
  [[undefined], []],
])('%j and %j differ, and the message shows both', (actual, expected) => {
  expect(() => checkEqual(actual, expected, 'it')).toThrow(/^it: expected .* found /)
})

it('a refusal passes only with the code asked for', async () => {
  const refusing = async () => {
    throw new StateError('closed', {}, 'It is closed.')
  }
  await checkRefuses(refusing, 'closed', 'it')
  await expect(checkRefuses(refusing, 'store-busy', 'it')).rejects.toThrow('"store-busy"')
  await expect(checkRefuses(() => 1, 'closed', 'it')).rejects.toThrow('nothing was thrown')
})
