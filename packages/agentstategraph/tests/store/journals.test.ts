/** What journals promise on a real file: one beginning, time that never runs back, keys used once, durability, namespaces apart. */
import { describe, expect, it } from 'vitest'
import { kvBackend, sqlite } from '../../src/backends/index.ts'
import { writer } from '../../src/repo/write/write.ts'
import {
  appendEntries,
  type Backend,
  entryText,
  findHead,
  leafOfEntry,
  memoryBackend,
  openJournal,
  readEntries,
  readGenesis,
} from '../../src/store/index.ts'
import { memoryKV } from '../../src/testing/index.ts'
import { formatLimits, valueOfChild } from '../../src/tree/index.ts'
import { set } from './support/journals.ts'
import { newFile } from './support/sqlite-file.ts'

const makers: Readonly<Record<string, () => Backend>> = {
  memory: memoryBackend,
  'a key-value store': () => kvBackend(memoryKV()),
  SQLite: () => sqlite(newFile()),
}

describe.each(Object.entries(makers))('on %s', (_, make) => {
  it('handles that begin a journal at once begin it once', async () => {
    await using backend = make()
    const journals = await Promise.all(Array.from({ length: 8 }, () => openJournal(backend)))
    await Promise.all(journals.map((journal, i) => set(writer(journal), `branch/${i}`, { '/a': i })))
    const entries = await journals[0]!.run(readEntries(1, 99, ['text']))
    expect(entries.map(({ record }) => record.kind)).toEqual(['genesis', ...Array(8).fill('commit')])
  })

  it('opening a journal and finding nothing writes nothing', async () => {
    await using backend = make()
    const journal = await openJournal(backend)
    expect(await journal.run(findHead(journal, 'branch/main'))).toBeUndefined()
    expect(await backend.namespaces()).toEqual([])
  })

  it('time never runs backwards, whatever the clocks say', async () => {
    await using backend = make()
    const times = [5000, 3000, 4000, 9000, 1000, 0].map(time => () => new Date(time))
    for (const [i, clock] of times.entries()) {
      const journal = await openJournal(backend, { clock })
      const { commit } = await set(writer(journal), 'branch/main', { '/a': i })
      expect(commit.record.time).toBe(commit.entry.time)
      await journal.run(appendEntries(journal, [{ kind: 'note', agent: 'agent/test' }]))
    }
    const journal = await openJournal(backend)
    const entries = await journal.run(readEntries(2, 99, ['text']))
    const seconds = entries.map(({ record, row }) => [record.time, row.time])
    expect(seconds).toEqual([5000, 5000, 5000, 5000, 5000, 5000, 9000, 9000, 9000, 9000, 9000, 9000].map(t => [t, t]))
  })

  it('a journal begun with a clock that stands at 1970 begins like any other', async () => {
    await using backend = make()
    const journal = await openJournal(backend, { clock: () => new Date(0) })
    await set(writer(journal), 'branch/main', { '/a': 1 })
    const again = await openJournal(backend)
    expect(await again.run(readGenesis())).toMatchObject({ format: 2 })
  })

  it('a repeated key is answered with the first commit, and nothing is written', async () => {
    await using backend = make()
    const writing = writer(await openJournal(backend))
    const first = await set(writing, 'branch/main', { '/a': 1 }, { idempotencyKey: 'once' })
    await set(writing, 'branch/main', { '/b': 2 })
    const head = await writing.journal.log.head()
    // The state already has what is asked for; then it has something else.
    const again = await set(writing, 'branch/main', { '/a': 1 }, { idempotencyKey: 'once' })
    expect([again.commit.seq, again.changed]).toEqual([first.commit.seq, false])
    const other = writer(await openJournal(backend))
    const elsewhere = await set(other, 'branch/main', { '/a': 9 }, { idempotencyKey: 'once' })
    expect([elsewhere.commit.id, elsewhere.changed]).toEqual([first.commit.id, false])
    expect(await writing.journal.log.head()).toEqual(head)
  })

  it('a key is used up by a write that changed nothing', async () => {
    await using backend = make()
    const writing = writer(await openJournal(backend))
    await set(writing, 'branch/main', { '/a': 1 })
    const first = await set(writing, 'branch/main', { '/a': 1 }, { idempotencyKey: 'once' })
    await set(writing, 'branch/main', { '/a': 2 })
    const again = await set(writing, 'branch/main', { '/a': 1 }, { idempotencyKey: 'once' })
    expect(again.commit.seq).toBe(first.commit.seq)
    const head = (await writing.journal.run(findHead(writing.journal, 'branch/main')))!
    expect(await writing.journal.run(valueOfChild(writing.journal.context, head.tree))).toEqual({ a: 2 })
  })

  it('namespaces are strictly apart', async () => {
    await using backend = make()
    const [a, b] = await Promise.all(['a', 'b'].map(namespace => openJournal(backend, { namespace })))
    const first = await set(writer(a!), 'branch/main', { '/in': 'a' }, { idempotencyKey: 'key' })
    const second = await set(writer(b!), 'branch/main', { '/in': 'b' }, { idempotencyKey: 'key' })
    expect([first.commit.seq, second.commit.seq]).toEqual([2, 2])
    for (const [journal, value] of [
      [a!, 'a'],
      [b!, 'b'],
    ] as const) {
      const head = (await journal.run(findHead(journal, 'branch/main')))!
      expect(await journal.run(valueOfChild(journal.context, head.tree))).toEqual({ in: value })
    }
    await backend.dropNamespace('a')
    expect((await b!.log.head()).seq).toBe(2)
    expect(await b!.log.find(hexBeginning(second.commit.id), 9)).toHaveLength(1)
    expect(await a!.log.refs('')).toEqual([])
  })

  it.each([1, 3])('a journal of format %d is refused', async found => {
    await using backend = make()
    const body = { format: found, limits: formatLimits as never, origin: 'later' }
    const text = entryText({ kind: 'genesis', time: 1, agent: 'a', moves: [['system/genesis', null, 0]], body })
    const entry = { text, leaf: leafOfEntry(text), parts: [] }
    const early = await openJournal(backend)
    await backend.namespace('default').append({ time: 1, entries: [entry], moves: [genesisMove] })
    const refusal = { code: 'format-unsupported', data: { found, supported: 2 } }
    await expect(openJournal(backend)).rejects.toMatchObject(refusal)
    await expect(set(writer(early), 'branch/main', { '/a': 1 })).rejects.toMatchObject(refusal)
    expect((await early.log.head()).seq).toBe(1)
  })

  it('a journal that was begun elsewhere with other limits takes no commits cut by ours', async () => {
    await using backend = make()
    const early = await openJournal(backend, { treeLimits: { ...formatLimits, inlineBytes: 64 } })
    await set(writer(await openJournal(backend)), 'branch/main', { '/a': 1 })
    await expect(set(writer(early), 'branch/main', { '/b': 1 })).rejects.toMatchObject({ code: 'limits-differ' })
    const again = await openJournal(backend, { treeLimits: { ...formatLimits, inlineBytes: 64 } })
    expect((await set(writer(again), 'branch/main', { '/b': 1 })).commit.seq).toBe(3)
  })
})

const genesisMove = { name: 'system/genesis', expect: null, to: { entry: 0 } } as const

function hexBeginning(id: string): string {
  return Buffer.from(id, 'base64url').toString('hex').slice(0, 8)
}

describe.each(['normal', 'full', 'group'] as const)('with durability %s', durability => {
  it('what was acknowledged is there after the file was closed and opened again', async () => {
    const file = newFile()
    await using backend = sqlite(file)
    const writing = writer(await openJournal(backend, { durability }))
    for (let i = 0; i < 10; i++) await set(writing, 'branch/main', { '/i': i, [`/k/${i}`]: 'x'.repeat(i * 50) })
    await backend.close()
    await using again = sqlite(file)
    const journal = await openJournal(again)
    const head = (await journal.run(findHead(journal, 'branch/main')))!
    expect(head.seq).toBe(11)
    expect(await journal.run(valueOfChild(journal.context, head.tree))).toMatchObject({ i: 9 })
  })

  it('50 writes at once on 50 branches all land, and those on one branch lose no race for good', async () => {
    await using backend = sqlite(newFile())
    const writing = writer(await openJournal(backend, { durability }))
    const refs = Array.from({ length: 50 }, (_, i) => (i < 40 ? `branch/${i}` : 'branch/shared'))
    const written = await Promise.all(refs.map((ref, i) => set(writing, ref, { [`/${i}`]: i })))
    const seqs = written.map(({ commit }) => commit.seq).sort((a, b) => a - b)
    expect(seqs).toEqual(Array.from({ length: 50 }, (_, i) => i + 2))
    const shared = (await writing.journal.run(findHead(writing.journal, 'branch/shared')))!
    const state = await writing.journal.run(valueOfChild(writing.journal.context, shared.tree))
    expect(state).toEqual(Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`${i + 40}`, i + 40])))
  })
})
