import { expect, it } from 'vitest'
import type { KVStore } from '../../store/contract/backend.ts'
import { memoryKV, sampleAppend } from '../../testing/index.ts'
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

it('a backend over a store is durable and shared unless its maker says otherwise', () => {
  expect(kvBackend(memoryKV()).capabilities).toEqual({ durable: true, shared: true, sync: false })
  const own = kvBackend(memoryKV(), { durable: false, shared: false })
  expect(own.capabilities).toEqual({ durable: false, shared: false, sync: false })
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
