/** The class of the runtime that converts texts and bytes faster than code of our own, where there is one. */

type Base64 = 'base64' | 'base64url'

/** The calls that are used of it. */
interface NativeBuffer {
  from(text: string, encoding: Base64): Uint8Array & { toString(encoding: 'hex'): string }
  from(buffer: ArrayBufferLike, offset: number, length: number): Uint8Array & { toString(encoding: Base64): string }
  byteLength(text: string): number
}

export const nativeBuffer: NativeBuffer | undefined = (globalThis as { readonly Buffer?: NativeBuffer }).Buffer
