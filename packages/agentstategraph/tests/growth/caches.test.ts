/** A cache that is bounded in bytes keeps about as much of the heap, whatever the nodes in it are like. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { cache } from '../../src/backends/index.ts'
import { open } from '../../src/repository/index.ts'
import { memoryBackend, readCommit } from '../../src/store/index.ts'
import { type Link, type Nodes, nodeOf, type Walk } from '../../src/tree/index.ts'

const MAX_BYTES = 1e6
const VALUES = 100
/** What the heap may differ by for other reasons. */
const NOISE = 3e5

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

function heapUsed(): number {
  collect()
  return process.memoryUsage().heapUsed
}

const times = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i))
const mapOf = <T>(n: number, make: (i: number) => T): Record<string, T> =>
  Object.fromEntries(times(n, i => [`key${i}`, make(i)]))

/** Reads every node below a link. */
function* readAll(nodes: Nodes, link: Link): Walk<void> {
  const node = yield* nodeOf(nodes, link)
  if ('items' in node) for (const item of node.items) yield* readAll(nodes, item.link)
  if (!('entries' in node)) return
  for (const { child } of node.entries) if (child.kind === 'link') yield* readAll(nodes, child)
}

it.each<[string, (n: number) => unknown]>([
  ['numbers', n => mapOf(60, i => n * i)],
  ['small maps', n => mapOf(60, i => mapOf(8, j => n + i + j))],
  ['small lists', n => mapOf(60, i => times(8, j => n + i + j))],
  ['maps in maps', n => mapOf(60, i => mapOf(3, () => mapOf(2, j => n + i + j)))],
  ['lists', n => times(60, i => n * i)],
  ['texts', n => mapOf(60, i => `${n} ${i} `.repeat(4))],
  ['long texts', n => `${n} `.repeat(300)],
  ['links', n => mapOf(60, i => `${n} ${i}`.repeat(40))],
  ['moments', n => mapOf(60, i => new Date(n * i))],
])('a cache full of %s takes at most twice its bytes', async (_, made) => {
  const backend = cache(memoryBackend(), { maxBytes: MAX_BYTES })
  const repo = await open(backend)
  const { journal } = repo.handle
  const expectBounded = (): void => {
    const { bytes } = backend.stats()
    const full = heapUsed()
    journal.nodes.clear()
    expect(full - heapUsed()).toBeLessThanOrEqual(2 * bytes + NOISE)
  }
  for (let n = 0; n < VALUES; n++) await repo.set(`/at/${n}`, made(n), 'Write')
  expectBounded()
  const { tree } = await journal.run(readCommit(journal, (await journal.log.head()).seq))
  await journal.run(readAll(journal.nodes, tree))
  expectBounded()
  await repo.close()
})
