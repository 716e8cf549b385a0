/**
 * A `KVStore` whose batches meet the faults of a network, for tests of what is built on it.
 *
 * Faults hit batches only. What a store answers to reads is left alone.
 */
import type { KVBatch, KVStore } from '../../store/contract/backend.ts'

/** What happens to a batch. */
export type KVFault =
  /** It is written, and the call fails. */
  | 'reply-lost'
  /** It is written, and a second copy of it gives the answer: `false`, because the first one changed what it compares. */
  | 'sent-twice'
  /** It is not written, and the call fails. */
  | 'not-sent'
  /** The call fails, and the batch reaches the store before the call of this number after it. */
  | { readonly lateBy: number }

/** Wraps a store. `next` is asked before each batch for the fault that it meets; undefined means none. */
export function faultyKV(store: KVStore, next: () => KVFault | undefined): KVStore {
  let late: { batch: KVBatch; in: number }[] = []

  /** Writes what is late and due, before a call. */
  async function arrive(): Promise<void> {
    for (const one of late) one.in--
    const due = late.filter(one => one.in <= 0)
    late = late.filter(one => one.in > 0)
    for (const { batch } of due) await store.batch(batch)
  }

  async function meet(fault: KVFault | undefined, batch: KVBatch): Promise<boolean> {
    if (fault === undefined) return store.batch(batch)
    if (typeof fault === 'object') late.push({ batch, in: fault.lateBy })
    else if (fault !== 'not-sent') await store.batch(batch)
    if (fault === 'sent-twice') return store.batch(batch)
    throw new Error('the connection was lost')
  }

  return {
    async get(key) {
      await arrive()
      return store.get(key)
    },
    async getMany(keys) {
      await arrive()
      return store.getMany(keys)
    },
    async batch(batch) {
      await arrive()
      return meet(next(), batch)
    },
    async *list(prefix) {
      await arrive()
      yield* store.list(prefix)
    },
    close: () => store.close(),
  }
}
