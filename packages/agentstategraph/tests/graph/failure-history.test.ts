/** Why a run failed stays in the history of its thread, with what the error says. */
import { describe, expect, it } from 'vitest'
import { START, StateGraph } from '../../src/graph/index.ts'
import { verify } from '../../src/maintenance/index.ts'
import type { Repository } from '../../src/repository/index.ts'
import { allStores, openNew } from '../repo/support/open-stores.ts'

class RateLimit extends Error {
  readonly status = 429
  readonly limits = { perMinute: 3 }
  readonly socket = { write: () => {} }
  readonly code = 'too_many'
}

class Unusable extends RangeError {
  override readonly name = 'UnusableReply'
}

/** Fails as it is told to, and again and again within one run when it is to be repeated. */
function calling(repo: Repository, failing: { with: unknown[] }) {
  return new StateGraph({ state: { question: '', log: [] as string[] }, reducers: { log: 'append' } })
    .addNode('plan', s => ({ log: [`plan ${s.question}`] }))
    .addNode(
      'call',
      () => {
        if (failing.with.length > 0) throw failing.with.shift()
        return { log: ['called'] }
      },
      { retry: { maxAttempts: 2, initialMs: 0 } },
    )
    .addEdge(START, 'plan')
    .addEdge('plan', 'call')
    .compile({ repo, name: 'calling' })
}

describe.each(allStores)('failures on $name', store => {
  it('are in the history after new input, each attempt with its error', async () => {
    const repo = await openNew(store)
    const thread = calling(repo, {
      with: [new Unusable('first'), new RateLimit('slow down', { cause: 'quota' })],
    }).thread('t')
    const failed = await thread.run({ question: 'a' })
    expect(failed).toMatchObject({ status: 'failed', node: 'call' })
    await thread.run({ question: 'b' })
    const history = await thread.history()
    expect(history.map(({ status }) => status)).toEqual(['done', 'idle', 'idle', 'failed', 'idle'])
    const entry = history[3]!
    if (entry.status !== 'failed') throw new Error(entry.status)
    expect(entry.commit).toBe(failed.commit)
    expect(entry.error).toBeInstanceOf(Error)
    expect(entry.error).toMatchObject({
      name: 'RateLimit',
      message: 'slow down',
      code: 'too_many',
      status: 429,
      limits: { perMinute: 3 },
    })
    expect(entry.error.cause).toMatchObject({ message: 'quota' })
    expect(entry.error).not.toHaveProperty('socket')
    expect(entry.failures?.map(({ node, attempt, error }) => [node, attempt, error.name])).toEqual([
      ['call', 2, 'RateLimit'],
    ])
    const [second] = (
      await thread.history().page({ limit: 1, after: (await thread.history().page({ limit: 3 })).next! })
    ).items
    expect(second).toEqual(entry)
    expect(await verify(repo)).toMatchObject({ ok: true, damage: [] })
  })

  it('are in the history after the thread was resumed, and also attempts that were repeated with success', async () => {
    const repo = await openNew(store)
    const failing = { with: [new Unusable('one'), new Unusable('two'), new Unusable('three')] as unknown[] }
    const thread = calling(repo, failing).thread('t')
    expect(await thread.run({})).toMatchObject({ status: 'failed', failures: [{ node: 'call', attempt: 2 }] })
    expect(await thread.resume()).toMatchObject({ status: 'done' })
    const [, planned] = await thread.history()
    expect(planned).toMatchObject({ status: 'failed', node: 'call', error: { name: 'UnusableReply', message: 'two' } })
    expect(planned!.failures?.map(({ attempt, error }) => [attempt, error.message])).toEqual([
      [2, 'two'],
      [1, 'three'],
    ])
  })

  it('of several branches are all there', async () => {
    const repo = await openNew(store)
    const bad = (name: string) => (): never => {
      throw new TypeError(name)
    }
    const thread = new StateGraph({ state: { log: [] as string[] }, reducers: { log: 'append' } })
      .addNodes({ left: bad('left'), right: bad('right'), good: () => ({ log: ['good'] }) })
      .addEdge(START, 'left')
      .addEdge(START, 'right')
      .addEdge(START, 'good')
      .compile({ repo })
      .thread('t')
    const failed = await thread.run({})
    expect(failed).toMatchObject({ status: 'failed', next: ['left', 'right'], state: { log: ['good'] } })
    expect(failed.failures?.map(({ error }) => error.message)).toEqual(['left', 'right'])
  })
})
