import { describe, expect, it } from 'vitest'
import { Command, Send, SendBatch, START } from '../../src/graph/model/targets.ts'
import { finalState, run } from './support/engine-run.ts'
import { graphOf } from './support/told-graph.ts'

describe('Sends', () => {
  const mapReduce = (items: readonly number[], targets?: readonly string[]) =>
    graphOf({ state: { items: [] as number[], out: [] as number[], seen: -1 }, reducers: { out: 'append' } })
      .addNode('plan', () => ({ items: [...items] }))
      .addNode('one', (s: { item: number }) => ({ out: [s.item * 10] }))
      .addNode('merge', s => ({ seen: s.out.length }))
      .addEdge(START, 'plan')
      .addConditionalEdges('plan', s => s.items.map(item => new Send('one', { item })), targets)
      .addEdge('one', 'merge')
      .compile()

  it('runs a node for each, in order, and the merge once', async () => {
    expect(await finalState(mapReduce([3, 1, 2]), {})).toEqual({ items: [3, 1, 2], out: [30, 10, 20], seen: 3 })
    expect(await finalState(mapReduce([7]), {})).toEqual({ items: [7], out: [70], seen: 1 })
  })

  it('enters the merge when nothing was sent', async () => {
    expect(await finalState(mapReduce([]), {})).toEqual({ items: [], out: [], seen: 0 })
    expect(await finalState(mapReduce([], ['one']), {})).toEqual({ items: [], out: [], seen: 0 })
  })

  it('never writes a payload back, and checks it against the input of its node', async () => {
    const make = (payload: unknown) =>
      graphOf({ state: { a: 1, log: [] as unknown[] }, reducers: { log: 'append' } })
        .addNode('s', () => new Command({ goto: new Send('w', payload) }), { goto: ['w'] })
        .addNode('w', (s: { a: number; extra: unknown }) => ({ log: [s.a, s.extra] }), {
          input: {
            '~standard': {
              version: 1,
              vendor: 'test',
              validate: (value: unknown) =>
                typeof (value as { extra: unknown }).extra === 'string'
                  ? { value }
                  : { issues: [{ message: 'is no text', path: ['extra'] }] },
            },
          },
        })
        .addEdge(START, 's')
        .compile()
    expect(await finalState(make({ a: 9, extra: 'x' }), {})).toEqual({ a: 1, log: [9, 'x'] })
    expect(await run(make({ extra: 1 }), {})).toMatchObject({
      status: 'failed',
      node: 'w',
      error: { code: 'send-invalid' },
    })
    expect(await run(make(5), {})).toMatchObject({ status: 'failed', node: 's', error: { code: 'send-invalid' } })
  })

  it('gathers a batch at the join it names, an empty one too', async () => {
    const make = (items: readonly number[]) =>
      graphOf({ state: { out: [] as number[] }, reducers: { out: 'append' } })
        .addNode('s', () => {})
        .addNode('w', (s: { n: number }) => ({ out: [s.n] }))
        .addNode('j', s => ({ out: [-s.out.length - 1] }))
        .addEdge(START, 's')
        .addConditionalEdges(
          's',
          () =>
            new SendBatch(
              items.map(n => new Send('w', { n })),
              { join: 'j' },
            ),
          ['w', 'j'],
        )
        .compile()
    expect((await finalState(make([1, 2]), {}))['out']).toEqual([1, 2, -3])
    expect((await finalState(make([]), {}))['out']).toEqual([-1])
  })

  it('runs a thousand tasks without a listener each on one signal', async () => {
    const warnings: unknown[] = []
    const warn = (warning: unknown): void => {
      warnings.push(warning)
    }
    process.on('warning', warn)
    const { signal } = new AbortController()
    const app = graphOf({ state: { n: 0 }, reducers: { n: 'sum' } })
      .addNode('s', () => {})
      .addNode('w', async (_, ctx) => {
        ctx.signal.throwIfAborted()
        return { n: 1 }
      })
      .addEdge(START, 's')
      .addConditionalEdges('s', () => Array.from({ length: 1000 }, (_, i) => new Send('w', { i })))
      .compile()
    expect(await finalState(app, {}, { signal })).toEqual({ n: 1000 })
    process.off('warning', warn)
    expect(warnings).toEqual([])
  })

  it('runs no more functions at once than it is told', async () => {
    let open = 0
    let most = 0
    const app = graphOf({ state: { n: 0 }, reducers: { n: 'sum' } })
      .addNode('s', () => {})
      .addNode('w', async () => {
        most = Math.max(most, ++open)
        await null
        await null
        open--
        return { n: 1 }
      })
      .addEdge(START, 's')
      .addConditionalEdges('s', () => Array.from({ length: 20 }, (_, i) => new Send('w', { i })))
      .compile()
    expect(await finalState(app, {}, { maxConcurrency: 3 })).toEqual({ n: 20 })
    expect(most).toBe(3)
  })
})
