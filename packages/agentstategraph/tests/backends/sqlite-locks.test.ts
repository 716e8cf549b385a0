/** That readers and writers of one SQLite file do not stand in each other's way, and what happens when they must wait. */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { sqlite } from '../../src/backends/index.ts'
import { loadSqliteDriver } from '../../src/backends/sqlite/driver.ts'
import type { SqliteModule, SqliteStatement, SqlValue } from '../../src/backends/sqlite/module.ts'
import { END, START, StateGraph } from '../../src/graph/index.ts'
import { open } from '../../src/repository/index.ts'
import { sampleAppend, sampleEntry, samplePart, seenOf } from '../../src/testing/samples.ts'

const folder = mkdtempSync(join(tmpdir(), 'asg-locks-'))
afterAll(() => rmSync(folder, { recursive: true }))
let files = 0
let file = ''
beforeEach(() => {
  file = join(folder, `${files++}.db`)
})

const { DatabaseSync } = loadSqliteDriver()

it('a writer does not wait for a reader in the middle of its transaction', async () => {
  await using backend = sqlite(file)
  const log = backend.namespace('main')
  await log.append(sampleAppend(1, 'a'))
  const reader = new DatabaseSync(file)
  reader.exec('BEGIN')
  const count = () => reader.prepare('SELECT count(*) AS entries FROM entries').get()
  expect(count()).toEqual({ entries: 1 })
  expect(await log.append(sampleAppend(1, 'b'))).toEqual({ kind: 'done', first: 2 })
  expect(count()).toEqual({ entries: 1 })
  reader.exec('COMMIT')
  expect(count()).toEqual({ entries: 2 })
  reader.close()
})

it('a reader does not wait for a writer in the middle of its transaction, and sees nothing of it', async () => {
  await using backend = sqlite(file)
  const log = backend.namespace('main')
  await log.append(sampleAppend(1, 'a'))
  const writer = new DatabaseSync(file)
  writer.exec("BEGIN IMMEDIATE; UPDATE entries SET text = 'changed'; DELETE FROM refs")
  expect(await log.head()).toEqual({ seq: 1, time: 1 })
  expect((await log.entries(1, 1, ['text']))[0]?.text).toBe(sampleEntry('a').text)
  expect((await log.find('', 9)).length).toBe(1)
  writer.exec('ROLLBACK')
  writer.close()
})

/** The usual driver, which calls `onBusy` each time a transaction finds the file locked. */
function driverThatTells(onBusy: () => void): SqliteModule {
  class Telling extends DatabaseSync {
    override prepare(sql: string): SqliteStatement {
      const statement = super.prepare(sql)
      if (sql !== 'BEGIN IMMEDIATE') return statement
      const run = (...values: SqlValue[]): unknown => {
        try {
          return statement.run(...values)
        } catch (error) {
          onBusy()
          throw error
        }
      }
      return { run, get: run, all: () => [run()] }
    }
  }
  return { DatabaseSync: Telling }
}

it('an append waits for another writer and then goes through', async () => {
  const wasBusy = new Int32Array(new SharedArrayBuffer(4))
  const driver = driverThatTells(() => {
    Atomics.store(wasBusy, 0, 1)
    Atomics.notify(wasBusy, 0)
  })
  await using backend = sqlite(file, { driver })
  const log = backend.namespace('main')
  await log.append(sampleAppend(1, 'a'))
  const holder = new Worker(new URL('../processes/hold-lock.mjs', import.meta.url), { workerData: { file, wasBusy } })
  await new Promise(resolve => holder.once('message', resolve))
  expect(log.sync?.append(sampleAppend(1, 'b'))).toEqual({ kind: 'done', first: 2 })
  expect((await log.entries(1, 1, ['text']))[0]?.text).toBe('held')
  expect(wasBusy[0]).toBe(1)
  await holder.terminate()
})

/** A foreign connection that holds the write lock until it is told to end. */
function holdLock(): { release(): void } {
  const holder = new DatabaseSync(file)
  holder.exec('BEGIN IMMEDIATE')
  return {
    release() {
      holder.exec('ROLLBACK')
      holder.close()
    },
  }
}

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn++) await new Promise(resolve => setImmediate(resolve))
}

describe('a foreign lock does not block the thread', () => {
  it.each(['normal', 'full', 'group'] as const)(
    'of appends that are %s, which land in their order',
    async durability => {
      await using backend = sqlite(file)
      const log = backend.namespace('main', { durability })
      await log.append(sampleAppend(1, 'a'))
      const { release } = holdLock()
      const settled: unknown[] = []
      const labels = ['b', 'c', 'd', 'e', 'f']
      const appends = labels.map(label => log.append(sampleAppend(1, label)).then(done => settled.push(done)))
      await turns()
      expect(settled).toEqual([])
      expect(await log.head()).toEqual({ seq: 1, time: 1 })
      release()
      await Promise.all(appends)
      expect(settled).toEqual([2, 3, 4, 5, 6].map(first => ({ kind: 'done', first })))
      const texts = (await log.entries(2, 6, ['text'])).map(({ text }) => text)
      expect(texts).toEqual(labels.map(label => sampleEntry(label).text))
    },
  )

  it('of anything else that writes: packs, the index, hashes, marks, and whole namespaces', async () => {
    await using backend = sqlite(file)
    const log = backend.namespace('main')
    await log.append({ time: 1, entries: [sampleEntry('a', [samplePart(0, 'a', 10)])], moves: [] })
    await backend.namespace('other').append(sampleAppend(1, 'b'))
    const newest = await seenOf(log)
    const { release } = holdLock()
    let settled = 0
    const writes = [
      log.dropPacks([1], newest),
      log.index!.add({ from: 0, to: 1, rows: [{ seq: 1, terms: ['t'] }], counts: [] }),
      log.index!.hashes.add({ from: 0, to: 1, hashes: [] }),
      backend.tails!.replace('main', 'newest', () => true),
      backend.dropNamespace('other'),
    ].map(write => write.then(() => settled++))
    await turns()
    expect(settled).toBe(0)
    release()
    await Promise.all(writes)
    expect(await log.parts([{ seq: 1, index: 0 }])).toEqual([undefined])
    expect([await log.index!.mark(), await log.index!.hashes.mark()]).toEqual([1, 1])
    expect([await backend.tails!.read('main'), await backend.namespaces()]).toEqual(['newest', ['main']])
  })

  it('of a repository: writes land in the order of their calls, and reads do not wait', async () => {
    await using repo = await open(file)
    await repo.set('/n', 0, 'Begin')
    const other = await repo.branch('other')
    const { release } = holdLock()
    const done: unknown[] = []
    const writes = [
      repo.set('/n', 1, 'One'),
      repo.set('/n', 2, 'Two'),
      other.set('/n', 3, 'Three'),
      repo.tag('t'),
      repo.set('/m', 5, 'Five'),
    ].map((write, call) => write.then(() => done.push(call)))
    await turns()
    expect([done, await repo.get('/n')]).toEqual([[], 0])
    release()
    await Promise.all(writes)
    expect(done.toSorted()).toEqual([0, 1, 2, 3, 4])
    expect([await repo.get('/'), await other.get('/n')]).toEqual([{ m: 5, n: 2 }, 3])
    const reasons: string[] = []
    for await (const { intent } of repo.log()) reasons.push(intent.description)
    expect(reasons).toEqual(['Five', 'Two', 'One', 'Begin'])
  })

  it('of a graph, whose steps wait as well', async () => {
    await using repo = await open(file)
    const graph = new StateGraph({ state: { n: 0 } }).addNode('one', ({ n }) => ({ n: n + 1 }))
    const app = graph.addEdge(START, 'one').addEdge('one', END).compile({ repo })
    const { release } = holdLock()
    let isDone = false
    const running = app.run({}).then(output => {
      isDone = true
      return output
    })
    await turns()
    expect(isDone).toBe(false)
    release()
    expect(await running).toEqual({ n: 1 })
  })

  it('of a store that is closed meanwhile: what waits is refused', async () => {
    const backend = sqlite(file)
    const log = backend.namespace('main')
    await log.append(sampleAppend(1, 'a'))
    const { release } = holdLock()
    const waiting = log.append(sampleAppend(1, 'b'))
    const refused = expect(waiting).rejects.toMatchObject({ code: 'closed' })
    await backend.close()
    await refused
    release()
  })
})

it('the write-ahead log stays small under steady writers, and everything written is there', async () => {
  await using one = sqlite(file, { maxLogBytes: 256 * 1024 })
  await using two = sqlite(file, { maxLogBytes: 256 * 1024 })
  const logs = [one.namespace('main'), two.namespace('main')]
  let largest = 0
  for (let i = 0; i < 400; i++) {
    const entries = [sampleEntry(i, [samplePart(0, i, 16 * 1024)])]
    await logs[i % 2]!.append({ time: 1, entries, moves: [] })
    largest = Math.max(largest, statSync(`${file}-wal`).size)
  }
  expect(largest).toBeLessThan(2 ** 20)
  const entries = await logs[0]!.entries(1, 400, ['text', 'part'])
  expect(entries.map(entry => entry.text)).toEqual(Array.from({ length: 400 }, (_, i) => sampleEntry(i).text))
  expect(entries.at(-1)?.part).toEqual(samplePart(0, 399, 16 * 1024).bytes)
})

it('the write-ahead log moves after 8 MiB, because moving it blocks the thread', async () => {
  await using backend = sqlite(file)
  const log = backend.namespace('main')
  for (let i = 0; i < 180; i++) {
    await log.append({ time: 1, entries: [sampleEntry(i, [samplePart(0, i, 64 * 1024)])], moves: [] })
  }
  expect(statSync(`${file}-wal`).size).toBeLessThan(10 * 2 ** 20)
})

it('a reader that stays keeps its view, and the log is used again from its start once the reader is gone', async () => {
  await using backend = sqlite(file, { maxLogBytes: 128 * 1024 })
  const log = backend.namespace('main')
  const append = (label: string) =>
    log.append({ time: 1, entries: [sampleEntry(label, [samplePart(0, label, 16 * 1024)])], moves: [] })
  await append('first')
  const reader = new DatabaseSync(file)
  reader.exec('BEGIN')
  const count = () => reader.prepare('SELECT count(*) AS entries FROM entries').get()
  expect(count()).toEqual({ entries: 1 })
  for (let i = 0; i < 100; i++) await append(`while ${i}`)
  expect(count()).toEqual({ entries: 1 })
  const grown = statSync(`${file}-wal`).size
  expect(grown).toBeGreaterThan(100 * 16 * 1024)
  reader.exec('COMMIT')
  reader.close()
  for (let i = 0; i < 60; i++) await append(`after ${i}`)
  expect(statSync(`${file}-wal`).size).toBeLessThan(grown + 2 ** 19)
  expect(await log.head()).toEqual({ seq: 161, time: 1 })
})
