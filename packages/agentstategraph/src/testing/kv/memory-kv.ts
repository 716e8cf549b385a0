/**
 * A `KVStore` in memory: the smallest one that keeps the contract, for tests of what is built on it.
 *
 * Several stores over one map are several handles on one store. Every call yields to the event loop once before it reads,
 * so that writers interleave as they would over a network.
 */
import type { KVStore } from '../../store/contract/backend.ts'

/** Makes a store over a map, which keeps its content after `close`. */
export function memoryKV(content: Map<string, Uint8Array> = new Map()): KVStore {
  return {
    async get(key) {
      await null
      return content.get(key)
    },
    async getMany(keys) {
      await null
      return keys.map(key => content.get(key))
    },
    async batch({ put = new Map<string, Uint8Array>(), delete: deleted = [], clear = [], compareAndSet = [] }) {
      await null
      if (!compareAndSet.every(({ key, expect }) => isSame(content.get(key), expect))) return false
      for (const key of deleted) content.delete(key)
      if (clear.length > 0) {
        for (const key of content.keys()) if (clear.some(prefix => key.startsWith(prefix))) content.delete(key)
      }
      for (const [key, bytes] of put) content.set(key, bytes.slice())
      for (const { key, value } of compareAndSet) content.set(key, value.slice())
      return true
    },
    async *list(prefix) {
      for (const key of [...content.keys()]) if (key.startsWith(prefix)) yield key
    },
    async close() {},
  }
}

function isSame(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  if (a === undefined || b === undefined) return a === b
  return a.length === b.length && a.every((byte, i) => byte === b[i])
}
