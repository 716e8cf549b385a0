/** The kinds of place on which a promise of repositories is checked: one that answers at once, a file, and one that waits. */
import { onTestFinished } from 'vitest'
import { kvBackend } from '../../../src/backends/index.ts'
import { type OpenOptions, open, type Repository, type Store } from '../../../src/repository/index.ts'
import { memoryKV } from '../../../src/testing/index.ts'
import { newFile } from '../../store/support/sqlite-file.ts'

export interface StoreKind {
  readonly name: string
  readonly newStore: () => Store | undefined
}

export const stores: readonly StoreKind[] = [
  { name: 'memory', newStore: () => undefined },
  { name: 'SQLite', newStore: newFile },
]

/** Those, and one that answers every call later. */
export const allStores: readonly StoreKind[] = [
  ...stores,
  { name: 'a key-value store', newStore: () => kvBackend(memoryKV()) },
]

/** A new repository, closed when the test has finished. */
export async function openNew({ newStore }: StoreKind, options: OpenOptions = {}): Promise<Repository> {
  const repo = await open(newStore(), options)
  onTestFinished(() => repo.close())
  return repo
}

/** The code of the error that something is refused with, with the error itself for what it says. */
export async function refusalOf(work: Promise<unknown>): Promise<{ code: string; message: string; data: unknown }> {
  try {
    await work
  } catch (error) {
    const { code, message, data } = error as { code: string; message: string; data: unknown }
    return { code, message, data }
  }
  throw new Error('It was not refused.')
}
