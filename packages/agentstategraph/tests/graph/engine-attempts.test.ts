import { describe, expect, it } from 'vitest'
import { Send, START } from '../../src/graph/model/targets.ts'
import { begin, finalState, gate, goOn, run } from './support/engine-run.ts'
import { graphOf, logged, says } from './support/told-graph.ts'

describe('attempts', () => {
  it('are repeated as the options say, with growing waits, and leave nothing when they fail', async () => {
    const waits: number[] = []
    const attempts: number[] = []
    const app = graphOf({ state: { log: [] as string[] }, reducers: { log: 'append' } })
      .addNode(
        'a',
        (s, { attempt }) => {
          attempts.push(attempt)
          s.log.push('leak')
          if (attempt < 4) throw new Error('not yet')
          return { log: [`try ${attempt}`] }
        },
        { retry: { maxAttempts: 4, initialMs: 10, maxMs: 30 }, mutable: true },
      )
      .addEdge(START, 'a')
      .compile()
    const wait = async (ms: number): Promise<void> => void waits.push(ms)
    expect(await finalState(app, {}, { wait })).toEqual({ log: ['try 4'] })
    expect(attempts).toEqual([1, 2, 3, 4])
    expect(waits).toEqual([10, 20, 30])
  })

  it.each([
    ['fixed', [8, 8]],
    ['linear', [8, 16]],
    ['exponential', [8, 16]],
  ] as const)('wait by %s backoff, jitter taking up to half', async (backoff, expected) => {
    const waits: number[] = []
    const fails = (): never => {
      throw new Error('no')
    }
    const app = logged()
      .addNode('a', fails, { retry: { maxAttempts: 3, initialMs: 8, backoff } })
      .compile()
    const wait = async (ms: number): Promise<void> => void waits.push(ms)
    expect(await run(app, {}, { wait })).toMatchObject({ status: 'failed', node: 'a' })
    expect(waits).toEqual(expected)
    waits.length = 0
    await run(app, {}, { wait, random: () => 1 })
    expect(waits).toEqual(expected.map(ms => ms / 2))
  })

  it('stop when retryOn says so', async () => {
    let runs = 0
    const fails = (): never => {
      runs++
      throw new Error('no')
    }
    const app = logged()
      .addNode('a', fails, { retry: { maxAttempts: 5, retryOn: () => false } })
      .compile()
    expect(await run(app, {})).toMatchObject({ status: 'failed', error: { message: 'no' } })
    expect(runs).toBe(1)
  })

  it('run out of time, are told by their signal, and can no longer speak', async () => {
    const late = gate<unknown>()
    const reasons: unknown[] = []
    const app = logged()
      .addNode(
        'a',
        async (_, { attempt, signal, once }) => {
          if (attempt === 2) return { log: ['second'] }
          signal.addEventListener('abort', () => {
            reasons.push(signal.reason)
            once('late', () => reasons.push('ran')).catch(late.open)
          })
          return new Promise(() => {})
        },
        { timeoutMs: 5, retry: { maxAttempts: 2, initialMs: 1000 } },
      )
      .compile()
    const wait = (ms: number, signal: AbortSignal): Promise<void> =>
      ms === 5
        ? new Promise((resolve, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason))
            queueMicrotask(resolve)
          })
        : Promise.resolve()
    // The second attempt ends before its clock does.
    expect(await finalState(app, {}, { wait })).toEqual({ log: ['second'] })
    expect(reasons).toMatchObject([{ code: 'node-timeout', data: { node: 'a', attempt: 1, timeoutMs: 5 } }])
    expect(await late.promise).toMatchObject({ code: 'attempt-over' })
  })

  it('fail with an error that names the node when it returns no object or writes to the state', async () => {
    const returns = (value: unknown) =>
      logged()
        .addNode('a', () => value)
        .compile()
    for (const value of [5, 'text', null, ['list'], new Send('a', {})]) {
      expect(await run(returns(value), {})).toMatchObject({
        status: 'failed',
        node: 'a',
        error: { code: 'update-invalid', data: { node: 'a' } },
      })
    }
    const writes = graphOf({ state: { deep: { list: [1] } } })
      .addNode('a', s => void s.deep.list.push(2))
      .compile()
    expect(await run(writes, {})).toMatchObject({
      error: { code: 'state-frozen', data: { node: 'a', path: '/deep/list/1' } },
    })
  })

  it('let siblings of a failure finish, keep what they did, and run only the failed one again', async () => {
    const runs: string[] = []
    let isBroken = true
    const slow = gate()
    const app = logged()
      .addNode('s', says('s'))
      .addNode('bad', () => {
        runs.push('bad')
        if (isBroken) throw new Error('broken')
        return { log: ['bad'] }
      })
      .addNode('slow', async () => {
        await slow.promise
        runs.push('slow')
        return { log: ['slow'] }
      })
      .addNode('j', says('j'))
      .addEdges('START>s s>bad s>slow')
      .addEdge(['bad', 'slow'], 'j')
      .compile()
    const kept = await begin(app, {})
    const going = goOn(app, kept)
    slow.open()
    expect(await going).toMatchObject({
      status: 'failed',
      node: 'bad',
      error: { message: 'broken' },
      state: { log: ['s'] },
    })
    isBroken = false
    expect(await goOn(app, kept)).toMatchObject({ status: 'done', state: { log: ['s', 'bad', 'slow', 'j'] } })
    expect(runs).toEqual(['bad', 'slow', 'bad'])
  })

  it('go on without a result, or with another, when onError says so', async () => {
    const fails = (): never => {
      throw new Error('no')
    }
    const collects = logged()
      .addNode('a', fails, { onError: 'collect' })
      .addNode('b', says('b'))
      .addEdge('a', 'b')
      .compile()
    const kept = await begin(collects, {})
    expect(await goOn(collects, kept)).toMatchObject({ status: 'done', state: { log: ['b'] } })
    expect(kept.steps[0]?.tasks[0]?.collected).toMatchObject({ message: 'no' })
    const mends = logged()
      .addNode('a', fails, { onError: error => ({ log: [(error as Error).message] }) })
      .compile()
    expect(await finalState(mends, {})).toEqual({ log: ['no'] })
    const worse = logged()
      .addNode('a', fails, {
        onError: () => {
          throw new Error('worse')
        },
      })
      .compile()
    expect(await run(worse, {})).toMatchObject({ status: 'failed', error: { message: 'worse' } })
  })
})

describe('effects', () => {
  it('run once, whatever the number of attempts', async () => {
    let effects = 0
    const app = logged()
      .addNode(
        'a',
        async (_, { attempt, once }) => {
          const paid = await once('pay', () => ++effects)
          if (attempt < 3) throw new Error('after')
          return { log: [`paid ${paid}`] }
        },
        { retry: { maxAttempts: 3 } },
      )
      .compile()
    expect(await finalState(app, {})).toEqual({ log: ['paid 1'] })
  })

  it('run again when they failed, side by side, and never twice under one name', async () => {
    let tries = 0
    const app = logged()
      .addNode(
        'a',
        async (_, { once }) => {
          const got = await Promise.all([
            once('x', async () => 'X'),
            once('y', () => {
              if (++tries < 2) throw new Error('y')
              return 'Y'
            }),
          ])
          return { log: got }
        },
        { retry: { maxAttempts: 2 } },
      )
      .compile()
    expect(await finalState(app, {})).toEqual({ log: ['X', 'Y'] })
    const twice = logged()
      .addNode('a', async (_, { once }) => {
        await once('x', () => 1)
        await once('x', () => 2)
      })
      .compile()
    expect(await run(twice, {})).toMatchObject({
      status: 'failed',
      error: { code: 'once-repeated', data: { node: 'a', name: 'x' } },
    })
  })
})
