/** What a SQLite store does when something goes wrong: nothing half-written, one failure failing alone, damage named. */
import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { sqlite } from '../../src/backends/index.ts'
import { loadSqliteDriver } from '../../src/backends/sqlite/driver.ts'
import { appendSamples, sampleAppend, sampleEntry } from '../../src/testing/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'asg-failures-'))
afterAll(() => rmSync(folder, { recursive: true }))
let files = 0
const newFile = () => join(folder, `${files++}.db`)

/** A batch that fails in the middle of its writes: no table takes one key twice. */
const broken = {
  ...sampleAppend(1, 'broken', [{ name: 'main', expect: null, to: { entry: 0 } }]),
  keys: [
    { key: 'twice', entry: 0 },
    { key: 'twice', entry: 0 },
  ],
}

it('an append that fails in the middle leaves nothing behind, and the next one goes through', async () => {
  const file = newFile()
  await using backend = sqlite(file)
  const log = backend.namespace('main')
  await expect(log.append(broken)).rejects.toMatchObject({ code: 'store-failed', data: { file } })
  expect(await backend.namespaces()).toEqual([])
  expect(await log.append(sampleAppend(1, 'a'))).toEqual({ kind: 'done', first: 1 })
  await expect(log.append(broken)).rejects.toMatchObject({ code: 'store-failed' })
  expect(await log.head()).toEqual({ seq: 1, time: 1 })
  expect(await log.refs('')).toEqual([])
})

it('of appends made durable together, one that fails and one that is refused fail alone', async () => {
  await using backend = sqlite(newFile())
  const log = backend.namespace('main', { durability: 'group' })
  const move = [{ name: 'main', expect: null, to: { entry: 0 } }]
  const settled = await Promise.allSettled([
    log.append(sampleAppend(1, 'a', move)),
    log.append(broken),
    log.append({ ...broken, moves: [] }),
    log.append(sampleAppend(1, 'b', move)),
    log.append(sampleAppend(1, 'c')),
  ])
  expect(settled.map(one => (one.status === 'fulfilled' ? one.value : one.reason.code))).toEqual([
    { kind: 'done', first: 1 },
    { kind: 'moved', name: 'main', actual: 1 },
    'store-failed',
    { kind: 'moved', name: 'main', actual: 1 },
    { kind: 'done', first: 2 },
  ])
  const entries = await log.entries(1, 9, ['text'])
  expect(entries.map(entry => entry.text)).toEqual([sampleEntry('a').text, sampleEntry('c').text])
})

it('appends made durable together share one transaction', async () => {
  const file = newFile()
  await using backend = sqlite(file)
  const log = backend.namespace('main', { durability: 'group' })
  await log.append(sampleAppend(1, 'first'))
  const reader = new (loadSqliteDriver().DatabaseSync)(file)
  const version = () => (reader.prepare('PRAGMA data_version').get() as { data_version: number }).data_version
  const before = version()
  await Promise.all(Array.from({ length: 50 }, (_, i) => log.append(sampleAppend(1, i))))
  expect(version() - before).toBe(1)
  reader.close()
  expect(await log.head()).toEqual({ seq: 51, time: 1 })
})

it('appends that wait when the store is closed are written first', async () => {
  const file = newFile()
  const backend = sqlite(file)
  const log = backend.namespace('main', { durability: 'group' })
  const waiting = [log.append(sampleAppend(1, 'a')), log.append(sampleAppend(1, 'b'))]
  await backend.close()
  expect(await Promise.all(waiting)).toEqual([
    { kind: 'done', first: 1 },
    { kind: 'done', first: 2 },
  ])
  await using again = sqlite(file)
  expect(await again.namespace('main').head()).toEqual({ seq: 2, time: 1 })
})

it('a synchronous append comes after those that wait', async () => {
  await using backend = sqlite(newFile())
  const log = backend.namespace('main', { durability: 'group' })
  const waiting = log.append(sampleAppend(1, 'a'))
  expect(log.sync?.append(sampleAppend(2, 'b'))).toEqual({ kind: 'done', first: 2 })
  expect(await waiting).toEqual({ kind: 'done', first: 1 })
})

it('a damaged file is named as damaged', async () => {
  const file = newFile()
  const backend = sqlite(file)
  await appendSamples(backend.namespace('main'), 200)
  await backend.close()
  const descriptor = openSync(file, 'r+')
  for (let at = 8192 * 12; at < statSync(file).size; at += 8192)
    writeSync(descriptor, Buffer.alloc(100, 0xff), 0, 100, at)
  closeSync(descriptor)
  await using damaged = sqlite(file)
  await expect(damaged.namespace('main').entries(1, 999, ['text', 'part'])).rejects.toMatchObject({
    code: 'store-damaged',
    data: { file },
  })
})
