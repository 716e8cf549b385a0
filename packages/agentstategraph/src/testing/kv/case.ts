/** The cases of the suite for key-value stores, and the place they run on. They know no test runner and no particular store. */
import type { KVStore } from '../../store/contract/backend.ts'

/** Where a key-value store can be. */
export interface KVPlace {
  /** Opens a handle; several handles see one store. */
  open(): KVStore | Promise<KVStore>
}

/** One promise of the contract of key-value stores, as a test. */
export interface KVCase {
  readonly name: string
  /** Throws when the promise is broken. The place must be fresh. */
  run(place: KVPlace): Promise<void>
}

/** Makes a case with one open store, which is closed at its end. */
export function kvCase(name: string, test: (store: KVStore) => Promise<void>): KVCase {
  return {
    name,
    async run(place) {
      const store = await place.open()
      try {
        await test(store)
      } finally {
        await store.close()
      }
    },
  }
}
