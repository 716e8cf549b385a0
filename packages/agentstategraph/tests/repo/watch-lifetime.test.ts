/** A watch that waits: what wakes it, what ends it, and what it leaves behind. */
import { describe, expect, it } from 'vitest'
import { open, type Repository } from '../../src/repository/index.ts'
import { type Backend, memoryBackend } from '../../src/store/index.ts'
import { allStores, openNew, refusalOf } from './support/open-stores.ts'

const over = { done: true, value: undefined }

async function openWithOne(store: (typeof allStores)[number]): Promise<Repository> {
  const repo = await openNew(store)
  await repo.set('/n', 0, 'Begin')
  return repo
}

describe.each(allStores)('on $name', store => {
  it('a write wakes it', async () => {
    const repo = await openWithOne(store)
    const watching = repo.watch()[Symbol.asyncIterator]()
    const next = watching.next()
    const { seq } = await repo.set('/n', 1, 'One')
    expect((await next).value).toMatchObject({ seq, kind: 'commit' })
  })

  it('steps asked for at once are answered in order', async () => {
    const repo = await openWithOne(store)
    const watching = repo.watch()[Symbol.asyncIterator]()
    const steps = [watching.next(), watching.next(), watching.next()]
    const seqs: number[] = []
    for (let n = 1; n <= 3; n++) seqs.push((await repo.set('/n', n, `Write ${n}`)).seq)
    expect((await Promise.all(steps)).map(({ value }) => value?.seq)).toEqual(seqs)
  })

  it('a reader that does not read keeps no writer waiting, and misses nothing', async () => {
    const repo = await openWithOne(store)
    const watching = repo.watch()[Symbol.asyncIterator]()
    const seqs: number[] = []
    for (let n = 1; n <= 150; n++) seqs.push((await repo.set('/n', n, `Write ${n}`)).seq)
    const seen: unknown[] = []
    while (seen.length < seqs.length) seen.push((await watching.next()).value?.seq)
    expect(seen).toEqual(seqs)
    await watching.return?.()
  })

  it('leaving it ends a step that waits', async () => {
    const repo = await openWithOne(store)
    const watching = repo.watch()[Symbol.asyncIterator]()
    const next = watching.next()
    expect(await watching.return?.()).toEqual(over)
    expect(await next).toEqual(over)
    expect(await watching.next()).toEqual(over)
  })

  it('aborting ends it, also before the first step', async () => {
    const repo = await openWithOne(store)
    const abort = new AbortController()
    const watching = repo.watch({ signal: abort.signal })[Symbol.asyncIterator]()
    const next = watching.next()
    abort.abort()
    expect(await next).toEqual(over)
    const late = repo.watch({ signal: abort.signal, after: 0 })[Symbol.asyncIterator]()
    expect(await late.next()).toEqual(over)
  })

  it('closing the repository ends it, also before the first step', async () => {
    const repo = await openWithOne(store)
    const waiting = repo.watch()[Symbol.asyncIterator]()
    const unread = repo.watch({ after: 0 })[Symbol.asyncIterator]()
    const next = waiting.next()
    await repo.close()
    expect(await next).toEqual(over)
    expect(await unread.next()).toEqual(over)
    expect(await refusalOf(repo.watch()[Symbol.asyncIterator]().next())).toMatchObject({ code: 'closed' })
  })
})

it('however it ends, nobody listens any more', async () => {
  let listeners = 0
  const repo = await open(
    withListeners(memoryBackend(), change => {
      listeners += change
    }),
  )
  await repo.set('/n', 0, 'Begin')
  const abort = new AbortController()
  const waiting = [repo.watch(), repo.watch({ signal: abort.signal })].map(watching => watching[Symbol.asyncIterator]())
  const steps = waiting.map(watching => watching.next())
  for await (const _ of repo.watch({ after: 0 })) {
    await Promise.resolve()
    expect(listeners).toBe(3)
    break
  }
  expect(listeners).toBe(2)
  abort.abort()
  expect(listeners).toBe(1)
  await repo.close()
  expect(listeners).toBe(0)
  expect(repo.handle.shared.onClose.size).toBe(0)
  await Promise.all(steps)
})

/** The same backend, telling when a listener comes and goes. */
function withListeners(backend: Backend, onCount: (change: 1 | -1) => void): Backend {
  return {
    ...backend,
    namespace(name, options) {
      const log = backend.namespace(name, options)
      return {
        ...log,
        onChange(listener) {
          const stop = log.onChange(listener)
          onCount(1)
          return () => {
            stop()
            onCount(-1)
          }
        },
      }
    },
  }
}
