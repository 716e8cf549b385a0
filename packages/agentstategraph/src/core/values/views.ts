/**
 * Views on bytes (typed arrays and `DataView`) as little-endian bytes, and back.
 *
 * Bytes are in little-endian order whatever the machine's own order is, so the same numbers give the same text
 * everywhere. A view is read back on a buffer of its own: the rest of its buffer is not part of the value.
 */
import type { ViewName } from '../objects/built-in.ts'

type ViewConstructor = { new (buffer: ArrayBuffer): ArrayBufferView; readonly BYTES_PER_ELEMENT?: number }

const isLittleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1

/** Returns the bytes of a view, little-endian. On most machines they are not copied. */
export function bytesOfView(view: ArrayBufferView): Uint8Array {
  const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength)
  const size = (view as { BYTES_PER_ELEMENT?: number }).BYTES_PER_ELEMENT ?? 1
  return isLittleEndian ? bytes : reverseEach(bytes, size)
}

/** Makes a view of that kind from little-endian bytes; `undefined` when they do not fit or the runtime has no such kind. */
export function findView(name: ViewName, bytes: Uint8Array): ArrayBufferView | undefined {
  const View = (globalThis as unknown as { readonly [name: string]: ViewConstructor | undefined })[name]
  const size = View?.BYTES_PER_ELEMENT ?? 1
  if (View === undefined || bytes.length % size !== 0) return undefined
  const ordered = isLittleEndian ? bytes.slice() : reverseEach(bytes, size)
  return new View(ordered.buffer as ArrayBuffer)
}

/** Returns a copy in which each group of `size` bytes is reversed. */
export function reverseEach(bytes: Uint8Array, size: number): Uint8Array {
  const reversed = bytes.slice()
  for (let i = 0; i < reversed.length; i += size) reversed.subarray(i, i + size).reverse()
  return reversed
}
