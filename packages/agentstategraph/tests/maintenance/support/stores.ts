/** The stores that care is tried on: one that answers at once, one in a file, one that answers with promises only. */
import { sqlite } from '../../../src/backends/index.ts'
import { kvBackend } from '../../../src/backends/kv/kv-backend.ts'
import { type Backend, memoryBackend } from '../../../src/store/index.ts'
import { memoryKV } from '../../../src/testing/index.ts'
import { newFile } from '../../store/support/sqlite-file.ts'

export const stores: readonly (readonly [name: string, make: () => Backend])[] = [
  ['memory', memoryBackend],
  ['SQLite', () => sqlite(newFile())],
  ['a key-value store', () => kvBackend(memoryKV())],
]
