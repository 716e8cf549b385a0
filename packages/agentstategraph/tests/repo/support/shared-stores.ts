/** Stores that several open at once, as processes would. */
import { kvBackend, sqlite } from '../../../src/backends/index.ts'
import { type Backend, memoryBackend } from '../../../src/store/index.ts'
import { memoryKV } from '../../../src/testing/index.ts'
import { newFile } from '../../store/support/sqlite-file.ts'

/** Each makes a store, and gives what opens it any number of times. The last tells whether it answers at once. */
export const sharedStores: readonly (readonly [string, () => () => Backend, boolean])[] = [
  [
    'memory',
    () => {
      const backend = memoryBackend()
      return () => backend
    },
    memoryBackend().capabilities.sync,
  ],
  [
    'key-value',
    () => {
      const content = new Map<string, Uint8Array>()
      return () => kvBackend(memoryKV(content))
    },
    false,
  ],
  [
    'SQLite',
    () => {
      const file = newFile()
      return () => sqlite(file)
    },
    true,
  ],
]
