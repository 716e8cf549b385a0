import { expect, it } from 'vitest'
import { bytesOfView, findView, reverseEach } from './views.ts'

it('gives the bytes of numbers in little-endian order', () => {
  expect([...bytesOfView(Uint32Array.of(0x01020304))]).toEqual([4, 3, 2, 1])
  expect([...bytesOfView(new DataView(Uint8Array.of(1, 2, 3).buffer, 1))]).toEqual([2, 3])
})

it('makes a view on a buffer of its own', () => {
  const bytes = Uint8Array.of(0, 4, 3, 2, 1, 0).subarray(1, 5)
  const view = findView('Uint32Array', bytes) as Uint32Array
  bytes[0] = 9
  expect([...view]).toEqual([0x01020304])
  expect(view.buffer.byteLength).toBe(4)
})

it('makes no view from bytes that do not fill its elements', () => {
  expect(findView('Float64Array', new Uint8Array(7))).toBeUndefined()
})

it('reverses each group of bytes, for machines of the other order', () => {
  expect([...reverseEach(Uint8Array.of(1, 2, 3, 4), 2)]).toEqual([2, 1, 4, 3])
  expect([...reverseEach(Uint8Array.of(1, 2, 3, 4), 1)]).toEqual([1, 2, 3, 4])
})
