/** A cache of a chosen size: it answers what it holds, tells how often, and never stands between a reader and a ref. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { cache, memory, sqlite } from '../../src/backends/index.ts'
import { open } from '../../src/repository/index.ts'
import { memoryKV } from '../../src/testing/index.ts'
import { around, wrapped } from '../store/support/wrapped-backend.ts'

const folder = mkdtempSync(join(tmpdir(), 'asg-cache-'))
afterAll(() => rmSync(folder, { recursive: true }))
let files = 0
const newFile = (): string => join(folder, `${files++}.db`)

const state = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`key ${i}`, 'x'.repeat(400)]))

it('what was read once is read from memory, and the numbers say so', async () => {
  const file = newFile()
  {
    await using repo = await open(file)
    await repo.set('/', state, 'Begin')
  }
  let reads = 0
  const counting = wrapped(sqlite(file), log =>
    around(log, (name, call) => {
      if (name === 'parts') reads++
      return call()
    }),
  )
  const store = cache(counting, { maxBytes: 1e6 })
  await using repo = await open(store)
  expect(await repo.get('/')).toEqual(state)
  const cold = { reads, ...store.stats() }
  expect(await repo.get('/')).toEqual(state)
  expect(reads).toBe(cold.reads)
  expect(store.stats()).toMatchObject({ misses: cold.misses, bytes: cold.bytes, maxBytes: 1e6 })
  expect(store.stats().hits).toBeGreaterThan(cold.hits + 50)
})

it('with less room than the state needs, answers stay right and the bytes within the bound', async () => {
  const store = cache(memory(), { maxBytes: 5000 })
  await using repo = await open(store)
  await repo.set('/', state, 'Begin')
  expect(await repo.get('/')).toEqual(state)
  expect(store.stats().bytes).toBeLessThanOrEqual(5000)
  expect(store.stats().bytes).toBeGreaterThan(0)
})

it('all repositories on one cached store share its bytes', async () => {
  const store = cache(memory(), { maxBytes: 20_000 })
  const repos = await Promise.all(['a', 'b', 'c'].map(namespace => open(store, { namespace })))
  for (const repo of repos) {
    await repo.set('/', state, 'Begin')
    expect(await repo.get('/')).toEqual(state)
    expect(store.stats().bytes).toBeLessThanOrEqual(20_000)
  }
  await store.close()
})

it('a write by another process is seen at once: refs are never kept', async () => {
  const file = newFile()
  await using ours = await open(cache(file))
  await using theirs = await open(file)
  for (let n = 0; n < 5; n++) {
    await theirs.set('/n', n, 'Count')
    expect(await ours.get('/n')).toBe(n)
  }
})

it('a write that the store did not take cannot be read', async () => {
  let isBroken = false
  const store = cache(
    wrapped(memory(), log =>
      around(log, (name, call) => (isBroken && name === 'append' ? Promise.reject(new Error('broken')) : call())),
    ),
  )
  await using repo = await open(store)
  await repo.set('/a', { text: 'x'.repeat(300) }, 'One')
  isBroken = true
  const before = store.stats().bytes
  await expect(repo.set('/a', { text: 'y'.repeat(300) }, 'Two')).rejects.toThrow('broken')
  expect(store.stats().bytes).toBe(before)
  expect(await repo.get('/a')).toEqual({ text: 'x'.repeat(300) })
})

it('is made over a file, its address, a key-value store or a backend', async () => {
  const content = new Map<string, Uint8Array>()
  for (const place of [newFile(), pathToFileURL(newFile()), memoryKV(content), memory()]) {
    await using repo = await open(cache(place))
    await repo.set('/a', 1, 'One')
    expect(await repo.get('/a')).toBe(1)
  }
})

it.each([0, -1, Number.NaN])('a size of %s is refused', maxBytes => {
  expect(() => cache(memory(), { maxBytes })).toThrow(expect.objectContaining({ code: 'option-invalid' }))
})
