/** The module of the runtime that hashes faster than code of our own, where there is one. Node, Bun and Deno have it. */

/** The calls that are used of it. */
export interface NativeCrypto extends NativeHashes {
  randomFillSync(bytes: Uint8Array): unknown
}

export interface NativeHashes {
  /** The fastest way, but absent in some runtimes that have the module. */
  hash?(algorithm: 'sha256', data: string | Uint8Array, encoding: 'base64url'): string
  createHash(algorithm: 'sha256'): NativeHash
}

interface NativeHash {
  update(data: string | Uint8Array): NativeHash
  digest(encoding: 'base64url'): string
}

interface Runtime {
  process?: { getBuiltinModule?(name: 'node:crypto'): NativeCrypto | undefined }
}

export const nativeCrypto: NativeCrypto | undefined = (globalThis as Runtime).process?.getBuiltinModule?.('node:crypto')
