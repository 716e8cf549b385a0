import { expect, it } from 'vitest'
import type { KVStore } from '../../store/contract/backend.ts'
import { faultyKV, memoryKV, sampleAppend, sampleEntry } from '../../testing/index.ts'
import { backendError } from '../errors.ts'
import { kvBackend } from './kv-backend.ts'

/** A store in which `meddle` happens once, between the checks of an append and its batch. */
function meddledStore(content: Map<string, Uint8Array>, meddle: () => Promise<unknown>): KVStore {
  const store = memoryKV(content)
  let isDone = false
  return {
    ...store,
    async batch(batch) {
      if (!isDone) {
        isDone = true
        await meddle()
      }
      return store.batch(batch)
    },
  }
}

const toFirst = (expect: number | null) => [{ name: 'main', expect, to: { entry: 0 } }]

it('an append is checked again when another writer was faster', async () => {
  const content = new Map<string, Uint8Array>()
  const other = kvBackend(memoryKV(content)).namespace('main')
  const store = meddledStore(content, () => other.append(sampleAppend(5, 'other', toFirst(null))))
  const log = kvBackend(store).namespace('main')
  expect(await log.append(sampleAppend(9, 'own', toFirst(null)))).toEqual({ kind: 'moved', name: 'main', actual: 1 })
  expect(await log.append(sampleAppend(9, 'own', toFirst(1)))).toEqual({ kind: 'done', first: 2 })
})

it('an append that nothing stands against takes the next number', async () => {
  const content = new Map<string, Uint8Array>()
  const other = kvBackend(memoryKV(content)).namespace('main')
  const store = meddledStore(content, () => other.append(sampleAppend(5, 'other')))
  expect(await kvBackend(store).namespace('main').append(sampleAppend(9, 'own'))).toEqual({ kind: 'done', first: 2 })
})

it('a namespace that was dropped and made again is not taken for the one an append was checked against', async () => {
  const content = new Map<string, Uint8Array>()
  const other = kvBackend(memoryKV(content))
  const log = other.namespace('main')
  await log.append(sampleAppend(1, 'a', toFirst(null)))
  const store = meddledStore(content, async () => {
    await other.dropNamespace('main')
    await log.append(sampleAppend(1, 'b', [{ name: 'else', expect: null, to: { entry: 0 } }]))
  })
  const appended = await kvBackend(store)
    .namespace('main')
    .append(sampleAppend(1, 'c', toFirst(1)))
  expect(appended).toEqual({ kind: 'moved', name: 'main', actual: null })
})

it('an append that loses every race gives up, naming the namespace', async () => {
  const store = { ...memoryKV(), batch: async () => false }
  const appending = kvBackend(store).namespace('main').append(sampleAppend(1, 'a'))
  await expect(appending).rejects.toMatchObject({ code: 'contention-lost', data: { namespace: 'main' } })
})

it('appends of one process are sent one after the other, each once, whatever becomes of those before', async () => {
  const store = memoryKV()
  let batches = 0
  const backend = kvBackend({
    ...store,
    batch(batch) {
      batches++
      return store.batch(batch)
    },
  })
  const moves = (ref: string) => [{ name: ref, expect: null, to: { entry: 0 } }]
  const refs = Array.from({ length: 50 }, (_, i) => `ref-${i % 40}`)
  const appended = await Promise.all(
    refs.map((ref, i) => backend.namespace('main').append(sampleAppend(1, `${i}`, moves(ref)))),
  )
  expect(appended.map(({ kind }) => kind)).toEqual(refs.map((_, i) => (i < 40 ? 'done' : 'moved')))
  expect(batches).toBe(40)
})

it('a store that refuses a batch for certain is asked once, and its error is passed on', async () => {
  let batches = 0
  const batch = async (): Promise<boolean> => {
    batches++
    throw backendError('disk-full', { file: 'x' })
  }
  const log = kvBackend({ ...memoryKV(), batch }).namespace('main')
  await expect(log.append(sampleAppend(1, 'a'))).rejects.toMatchObject({ code: 'disk-full' })
  expect(batches).toBe(1)
})

it('a refusal after a lost reply does not hide that the append was written', async () => {
  const content = new Map<string, Uint8Array>()
  const store = memoryKV(content)
  let batches = 0
  const log = kvBackend({
    ...store,
    async batch(batch) {
      batches++
      if (batches === 2) throw backendError('disk-full', { file: 'x' })
      const isWritten = await store.batch(batch)
      if (batches === 1) throw new Error('lost')
      return isWritten
    },
  }).namespace('main')
  expect(await log.append(sampleAppend(1, 'a'))).toEqual({ kind: 'done', first: 1 })
  expect(await log.head()).toEqual({ seq: 1, time: 1 })
})

it('an append that gets no answer says that its outcome is unknown, and why', async () => {
  const log = kvBackend(faultyKV(memoryKV(), () => 'not-sent')).namespace('main')
  await expect(log.append(sampleAppend(1, 'a'))).rejects.toMatchObject({
    code: 'outcome-unknown',
    data: { namespace: 'main', reason: 'the connection was lost' },
  })
})

it.each(['reply-lost', 'sent-twice'] as const)('a drop after %s leaves alone what was made since', async fault => {
  const content = new Map<string, Uint8Array>()
  const store = memoryKV(content)
  const other = kvBackend(store).namespace('main')
  await other.append(sampleAppend(1, 'a'))
  const slow: KVStore = {
    ...store,
    async batch(batch) {
      const isWritten = await store.batch(batch)
      if (isWritten) await other.append(sampleAppend(1, 'b'))
      return isWritten
    },
  }
  const faults = [fault]
  await kvBackend(faultyKV(slow, () => faults.shift())).dropNamespace('main')
  expect(await other.head()).toEqual({ seq: 1, time: 1 })
})

it('a backend over a store is durable and shared unless its maker says otherwise', () => {
  expect(kvBackend(memoryKV()).capabilities).toEqual({ durable: true, shared: true, sync: false })
  const own = kvBackend(memoryKV(), { durable: false, shared: false })
  expect(own.capabilities).toEqual({ durable: false, shared: false, sync: false })
})

it('a backend for reading only refuses writes, also of the index', async () => {
  const content = new Map<string, Uint8Array>()
  await kvBackend(memoryKV(content)).namespace('main').append(sampleAppend(1, 'a'))
  const before = new Map(content)
  const backend = kvBackend(memoryKV(content), { readOnly: true })
  const log = backend.namespace('main')
  const { leaf } = sampleEntry('a')
  expect(log.index).toMatchObject({ isFixed: true })
  expect(await log.head()).toEqual({ seq: 1, time: 1 })
  for (const write of [
    log.append(sampleAppend(1, 'b')),
    log.dropPacks([1], { first: leaf, seq: 1, leaf }),
    backend.dropNamespace('main'),
    log.index!.add({ from: 0, to: 1, rows: [], counts: [] }),
    log.index!.clear(),
  ]) {
    await expect(write).rejects.toMatchObject({ code: 'read-only' })
  }
  expect(content).toEqual(before)
})

it('closing closes the store', async () => {
  let closed = 0
  const backend = kvBackend({
    ...memoryKV(),
    async close() {
      closed++
    },
  })
  await backend.close()
  await backend.close()
  expect(closed).toBe(1)
})
