/** Memories for tests: on each kind of place, closed when the test has finished. */
import { onTestFinished } from 'vitest'
import { Versioned } from '../../../src/memory/index.ts'
import { type OpenOptions, open, type Repository } from '../../../src/repository/index.ts'
import type { StoreKind } from '../../repo/support/open-stores.ts'

export async function newMemory(store: StoreKind, options: OpenOptions = {}): Promise<Versioned> {
  return memoryOn(await newRepository(store, options))
}

export async function newRepository({ newStore }: StoreKind, options: OpenOptions = {}): Promise<Repository> {
  const repo = await open(newStore(), options)
  onTestFinished(() => repo.close())
  return repo
}

/** Another memory on a repository, with nothing in common with those there are but what is stored. */
export function memoryOn(repo: Repository, branch?: string): Promise<Versioned> {
  return Versioned.open(repo, { branch })
}

/** How many commits the memory's branch has. */
export async function commitsOf(memory: Versioned): Promise<number> {
  return (await memory.repo.log()).length
}

/** A promise and what settles it, to let tasks meet at a place. */
export function gate(): { readonly passed: Promise<void>; open(): void } {
  let opened = (): void => {}
  const passed = new Promise<void>(resolve => {
    opened = resolve
  })
  return { passed, open: () => opened() }
}
