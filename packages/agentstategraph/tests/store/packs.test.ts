/** Large commits: cut into parts, so that reading one node reads one part; and a node cache that keeps to its bytes. */
import { beforeAll, describe, expect, it } from 'vitest'
import { sqlite } from '../../src/backends/index.ts'
import { hashBytes, type Stored } from '../../src/core/index.ts'
import { checkPack } from '../../src/maintenance/checks/pack.ts'
import { writer } from '../../src/repo/write/write.ts'
import {
  type Backend,
  findHead,
  type Journal,
  memoryBackend,
  openJournal,
  type StoredCommit,
} from '../../src/store/index.ts'
import {
  containerOfChild,
  findEntry,
  type Link,
  type Node,
  nodeOf,
  nodeText,
  valueOfChild,
  type Walk,
} from '../../src/tree/index.ts'
import { set } from './support/journals.ts'
import { newFile } from './support/sqlite-file.ts'
import { readParts } from './support/stored-parts.ts'
import { around, type CallName, wrapped } from './support/wrapped-backend.ts'

const keys = 10_000
const map = Object.fromEntries(Array.from({ length: keys }, (_, i) => [`key ${i}`, { n: i, text: `value ${i}` }]))
const text = Array.from({ length: 62_500 }, (_, i) => `${i * 7919} is it; `.slice(0, 16)).join('')
const state: Stored = { map, text }

const openHead = async (backend: Backend, cacheBytes?: number): Promise<[Journal, StoredCommit]> => {
  const journal = await openJournal(backend, cacheBytes === undefined ? {} : { cacheBytes })
  return [journal, (await journal.run(findHead(journal, 'branch/main')))!]
}

/** Every link below a root, each after its parent, with its node. */
function* linksBelow({ context }: Journal, root: Link): Walk<{ link: Link; node: Node }[]> {
  const found: { link: Link; node: Node }[] = []
  const waiting: Link[] = [root]
  for (let link = waiting.pop(); link !== undefined; link = waiting.pop()) {
    const node: Node = yield* nodeOf(context.nodes, link)
    found.push({ link, node })
    if ('items' in node) waiting.push(...node.items.map(item => item.link))
    else if ('entries' in node) for (const { child } of node.entries) if (child.kind === 'link') waiting.push(child)
  }
  return found
}

const places: Readonly<Record<string, () => Backend>> = { memory: memoryBackend, SQLite: () => sqlite(newFile()) }

describe.each(Object.entries(places))('a commit of 10,000 keys and a million characters, on %s', (_, make) => {
  it('lies in parts of at most 64 KiB, whose digest its entry names', async () => {
    await using backend = make()
    const journal = await openJournal(backend)
    const { commit } = await set(writer(journal), 'branch/main', { '/': state })
    const parts = await readParts(backend.namespace('default'), commit.seq)
    expect(parts.length).toBeGreaterThan(20)
    expect(Math.max(...parts.map(({ bytes }) => bytes.length))).toBeLessThanOrEqual(64 * 1024)
    const pack = { seq: commit.seq, digest: commit.entry.pack, first: parts[0]!.bytes }
    expect((await journal.run(checkPack(journal, pack))).hasDigest).toBe(true)
  })

  it('reads back whole, each node with its own text', async () => {
    await using backend = make()
    await set(writer(await openJournal(backend)), 'branch/main', { '/': state })
    const [journal, head] = await openHead(backend)
    expect(await journal.run(valueOfChild(journal.context, head.tree))).toEqual(state)
    const all = await journal.run(linksBelow(journal, head.tree))
    expect(all.length).toBeGreaterThan(500)
    for (const { link, node } of all) {
      if (hashBytes(new TextEncoder().encode(nodeText(node))) !== link.id) expect.fail(`${link.id} has another text`)
    }
  })
})

describe('reading a large commit', () => {
  let backend: Backend
  beforeAll(async () => {
    backend = memoryBackend()
    await set(writer(await openJournal(backend)), 'branch/main', { '/': state })
  })

  it('takes one part for one node, and none for a node beside it', async () => {
    const calls: { name: CallName; pointers: number }[] = []
    const counted = wrapped(backend, log =>
      around(log, (name, call, args) => {
        // Every run ends with a look at whether the journal is still the same.
        if (name !== 'check') calls.push({ name, pointers: name === 'parts' ? (args[0] as unknown[]).length : 0 })
        return call()
      }),
    )
    const [journal, head] = await openHead(counted)
    const path = ['map', 'key 5000', 'n']
    let steps = 0
    for (let depth = 1; depth <= path.length; depth++) {
      calls.length = 0
      const entry = await journal.run(findEntry(journal.context, head.tree, path.slice(0, depth)))
      await journal.run(containerOfChild(journal.context, entry!.child))
      expect(calls.every(({ name, pointers }) => name === 'parts' && pointers === 1)).toBe(true)
      steps += calls.length
    }
    // The root, the branch of the map and its leaf: with what lies beside each other read once.
    expect(steps).toBeGreaterThan(0)
    expect(steps).toBeLessThanOrEqual(3)
    calls.length = 0
    const again = await journal.run(findEntry(journal.context, head.tree, path))
    expect(again?.child).toMatchObject({ value: 5000 })
    expect(calls).toEqual([])
  })

  it('keeps no more nodes than the cache may have, and answers right', async () => {
    const cacheBytes = 2 ** 20
    const [journal, head] = await openHead(backend, cacheBytes)
    const all = await journal.run(linksBelow(journal, head.tree))
    const kept = all.filter(({ link }) => journal.nodes.find(link) !== undefined)
    const bytes = kept.reduce((sum, { node }) => sum + nodeText(node).length * 2, 0)
    expect(all.reduce((sum, { node }) => sum + nodeText(node).length * 2, 0)).toBeGreaterThan(2 * cacheBytes)
    // A node of many small entries takes about a dozen times its text on the heap.
    expect(bytes).toBeGreaterThan(cacheBytes / 16)
    expect(bytes).toBeLessThanOrEqual(cacheBytes)
    expect(await journal.run(valueOfChild(journal.context, head.tree))).toEqual(state)
  })

  it('needs no cache to be right', async () => {
    const [journal, head] = await openHead(backend, 0)
    expect(await journal.run(valueOfChild(journal.context, head.tree))).toEqual(state)
    const all = await journal.run(linksBelow(journal, head.tree))
    expect(all.filter(({ link }) => journal.nodes.find(link) !== undefined)).toEqual([])
    const { commit } = await set(writer(journal), 'branch/cold', { '/map': map, '/text': text })
    expect(commit.tree.id).toBe(head.tree.id)
  })
})
