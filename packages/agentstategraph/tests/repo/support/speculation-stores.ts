/** The places that speculations are tested on: each opens the same store as often as it is asked. */
import { onTestFinished } from 'vitest'
import { kvBackend, sqlite } from '../../../src/backends/index.ts'
import { type OpenOptions, open, type Repository } from '../../../src/repository/index.ts'
import { memoryBackend } from '../../../src/store/index.ts'
import { memoryKV } from '../../../src/testing/index.ts'
import { newFile } from '../../store/support/sqlite-file.ts'

/** Opens one store again and again: in one process as another process would. */
export type Reopen = (options?: OpenOptions) => Promise<Repository>

export const stores: readonly { readonly name: string; readonly place: () => Reopen }[] = [
  {
    name: 'memory',
    place() {
      const backend = memoryBackend()
      return options => open(backend, options)
    },
  },
  {
    // It answers every call later, so that what is done at once really races.
    name: 'a key-value store',
    place() {
      const backend = kvBackend(memoryKV())
      return options => open(backend, options)
    },
  },
  {
    name: 'SQLite',
    place() {
      const file = newFile()
      return async options => {
        const repo = await open(await sqlite(file), options)
        onTestFinished(() => repo.close())
        return repo
      }
    },
  },
]

/** A repository with one commit in it. */
export async function begun(reopen: Reopen, options?: OpenOptions): Promise<Repository> {
  const repo = await reopen(options)
  await repo.set('/storage', { type: 'local', size: 1 }, 'Begin')
  return repo
}
