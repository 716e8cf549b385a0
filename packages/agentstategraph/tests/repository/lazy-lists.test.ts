/** A list costs what it shows: what is read of the store is counted, not timed. */
import { describe, expect, it } from 'vitest'
import { kvBackend, memory, sqlite } from '../../src/backends/index.ts'
import { open, type Repository } from '../../src/repository/index.ts'
import type { Backend, Log } from '../../src/store/index.ts'
import { memoryKV } from '../../src/testing/index.ts'
import { newFile } from '../store/support/sqlite-file.ts'
import { wrapped } from '../store/support/wrapped-backend.ts'

const stores: readonly [string, () => Backend][] = [
  ['memory', memory],
  ['SQLite', () => sqlite(newFile())],
  ['a key-value store', () => kvBackend(memoryKV(new Map()))],
]

const MANY = 300

interface Counted {
  readonly backend: Backend
  readonly read: { refs: number; entries: number; parts: number }
}

/** A backend that counts the refs, entries and parts that its logs give. */
function counted(backend: Backend): Counted {
  const read = { refs: 0, entries: 0, parts: 0 }
  const counting =
    <A extends unknown[], T>(what: keyof typeof read, call: (...args: A) => Promise<readonly T[]>) =>
    async (...args: A): Promise<readonly T[]> => {
      const found = await call(...args)
      read[what] += found.length
      return found
    }
  const seen = (log: Log): Log => ({
    ...log,
    sync: undefined,
    refs: counting('refs', log.refs),
    entries: counting('entries', log.entries),
    parts: counting('parts', log.parts),
  })
  return { backend: wrapped(backend, seen), read }
}

/** What a call reads of a repository with many branches and speculations, seen by a handle that has cached nothing. */
async function readBy(
  store: () => Backend,
  call: (repo: Repository) => PromiseLike<unknown>,
): Promise<Counted['read']> {
  const { backend, read } = counted(store())
  await using repo = await open(backend)
  await repo.set('/n', 1, 'First')
  for (let n = 0; n < MANY; n++) {
    await repo.branch(`b${n}`)
    await repo.speculate()
  }
  await repo.handle.shared.index!.flush()
  repo.handle.journal.recent.clear()
  Object.assign(read, { refs: 0, entries: 0, parts: 0 })
  await call(repo)
  return read
}

describe.each(stores)('in %s', (_, store) => {
  it.each<[string, (repo: Repository) => PromiseLike<unknown>]>([
    ['a few branches', repo => repo.branches({ limit: 5 })],
    ['a page of branches', repo => repo.branches({ prefix: 'b1' }).page({ limit: 5 })],
    ['a page of speculations', repo => repo.speculations().page({ limit: 5 })],
    [
      'an unknown name',
      repo =>
        repo
          .at('nowhere')
          .head()
          .catch(() => {}),
    ],
  ])('%s take a few refs and entries, however many there are', async (_name, call) => {
    const read = await readBy(store, call)
    expect(read.refs).toBeLessThanOrEqual(70)
    expect(read.entries).toBeLessThanOrEqual(140)
  })

  it('a graph that was drawn before reads the entries since then, and its own commits', async () => {
    const read = await readBy(store, async repo => {
      await repo.commitGraph({ limit: 3 })
      await repo.on('b7').set('/n', 7, 'Seven')
      await repo.commitGraph({ limit: 3 })
    })
    expect(read.refs).toBe(MANY + 1)
  })

  it('the first of many keys and matches are found without reading the others', async () => {
    const { backend, read } = counted(store())
    await using repo = await open(backend)
    const keys = Array.from({ length: 20_000 }, (_, n) => [`key ${String(n).padStart(6, '0')}`, `value ${n}`])
    await repo.set('/many', Object.fromEntries(keys), 'Many')
    await using again = await open({ ...backend, close: async () => {} })
    for (const call of [
      () => again.list('/many').page({ limit: 10 }),
      () => again.search('value').page({ limit: 10 }),
    ]) {
      Object.assign(read, { refs: 0, entries: 0, parts: 0 })
      expect((await call()).items).toHaveLength(10)
      expect(read.parts).toBeLessThan(12)
    }
  })
})

it('a graph that follows the moves of refs is the one that a new handle draws', async () => {
  await using backend = memory()
  const lent = { ...backend, close: async () => {} }
  const repo = await open(lent)
  await repo.set('/n', 0, 'First')
  for (let n = 1; n < 40; n++) {
    const name = `b${n % 7}`
    const names = (await repo.branches()).map(one => one.name)
    if (!names.includes(name)) await repo.branch(name)
    else if (n % 5 === 0) await repo.deleteBranch(name)
    else if (n % 4 === 0) await repo.renameBranch(name, `renamed ${n}`.replace(' ', '-'))
    else await repo.on(name).set('/n', n, `Write ${n}`)
    if (n % 6 === 0) await repo.tag(`t${n}`, { from: 'main' })
    for (const limit of [1, 3, 99]) {
      expect(await repo.commitGraph({ limit })).toEqual(await (await open(lent)).commitGraph({ limit }))
    }
  }
})
