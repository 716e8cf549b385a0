import { expect, it } from 'vitest'
import type { Node } from '../../tree/index.ts'
import { memoryBackend } from '../memory/memory-backend.ts'
import { ask, type Work, work, workSync } from './work.ts'

const failure = new Error('the store failed')

function* caught(): Work<unknown> {
  try {
    return yield* ask(() => {
      throw failure
    })
  } catch (e) {
    return [e, yield* ask(async log => (await log.head()).seq)]
  }
}

function* caughtAtOnce(): Work<unknown> {
  try {
    return yield* ask(() => {
      throw failure
    })
  } catch (e) {
    return [e, yield* ask(log => log.refs(''))]
  }
}

it('what the store throws can be caught where it was asked, and the work goes on', async () => {
  await using backend = memoryBackend()
  const log = backend.namespace('main')
  const load = (): Node => expect.fail('no node is asked for')
  expect(await work(caught(), log, { load: async () => load(), loadAll: async () => {} })).toEqual([failure, 0])
  expect(workSync(caughtAtOnce(), log.sync!, { load, loadAll() {} })).toEqual([failure, []])
})

it('what nobody catches comes out of it', async () => {
  await using backend = memoryBackend()
  const log = backend.namespace('main')
  function* failing(): Work<unknown> {
    return yield* ask(() => Promise.reject(failure))
  }
  const load = (): Node => expect.fail('no node is asked for')
  await expect(work(failing(), log, { load: async () => load(), loadAll: async () => {} })).rejects.toBe(failure)
})
