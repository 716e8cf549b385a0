import { describe, expect, it } from 'vitest'
import { Send, START } from '../../src/graph/model/targets.ts'
import { begin, finalState, gate, goOn } from './support/engine-run.ts'
import { graphOf, logged, says } from './support/told-graph.ts'

describe('fork groups', () => {
  const diamond = (middle: (name: string) => unknown) =>
    logged()
      .addNode('a', says('a'))
      .addNode('b', () => middle('b'))
      .addNode('c', () => middle('c'))
      .addSaying('d e')
      .addEdges('START>a a>b a>c b>d c>e e>d')
      .compile()

  it('runs the join of an uneven diamond once, after both', async () => {
    expect(
      (
        await finalState(
          diamond(name => ({ log: [name] })),
          {},
        )
      )['log'],
    ).toEqual(['a', 'b', 'c', 'e', 'd'])
  })

  it('applies updates in declared order, whoever was first', async () => {
    const b = gate()
    const app = diamond(async name => {
      if (name === 'b') await b.promise
      else b.open()
      return { log: [name] }
    })
    expect((await finalState(app, {}))['log']).toEqual(['a', 'b', 'c', 'e', 'd'])
  })

  it('runs the join of nested diamonds once', async () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'j']
    let graph = logged()
    for (const name of names) graph = graph.addNode(name, says(name))
    for (const [from = '', to = ''] of ['ab', 'ac', 'bd', 'be', 'dj', 'ej', 'cj']) graph = graph.addEdge(from, to)
    const app = graph.addEdge(START, 'a').compile()
    expect((await finalState(app, {}))['log']).toEqual(['a', 'b', 'd', 'e', 'c', 'j'])
  })

  it('runs a join before the one that it leads to', async () => {
    let graph = logged()
    for (const name of ['a', 'b', 'c', 'd', 'x', 'y']) graph = graph.addNode(name, says(name))
    for (const [from = '', to = ''] of ['ab', 'ac', 'ad', 'bx', 'cx', 'xy', 'dy']) graph = graph.addEdge(from, to)
    const app = graph.addEdge(START, 'a').compile()
    expect((await finalState(app, {}))['log']).toEqual(['a', 'b', 'c', 'd', 'x', 'y'])
  })

  it('keeps a nested map and reduce inside its branch', async () => {
    const app = graphOf({ state: { log: [] as string[] }, reducers: { log: 'append' } })
      .addSaying('a b c')
      .addNode('w', (s: { n: number; log: string[] }) => ({ log: [`w${s.n}:${s.log.length}`] }))
      .addNode('m', s => ({ log: [`m:${s.log.join('')}`] }))
      .addNode('j', says('j'))
      .addEdges('START>a a>b a>c')
      .addConditionalEdges('c', () => [1, 2].map(n => new Send('w', { n })), ['w'])
      .addEdges('w>m m>j b>j')
      .compile()
    expect((await finalState(app, {}))['log']).toEqual(['a', 'b', 'c', 'w1:2', 'w2:2', 'm:acw1:2w2:2', 'j'])
  })

  it('lets a loop inside a branch go round without waiting for siblings', async () => {
    const app = graphOf({ state: { log: [] as string[], n: 0 }, reducers: { log: 'append', n: 'sum' } })
      .addNode('agent', () => ({ log: ['agent'], n: 1 }))
      .addSaying('tools b')
      .addNode('j', says('j'), { join: 'all' })
      .addEdges('START>agent START>b')
      .addConditionalEdges('agent', s => (s.n < 3 ? 'tools' : 'j'))
      .addEdges('tools>agent b>j')
      .compile()
    expect((await finalState(app, {}))['log']).toEqual(['agent', 'tools', 'agent', 'tools', 'agent', 'b', 'j'])
  })

  it('runs a deferred node when nothing else is left', async () => {
    const app = logged()
      .addNode('last', says('last'), { defer: true })
      .addSaying('a b c')
      .addEdges('START>a a>last a>b b>c')
      .compile()
    expect((await finalState(app, {}))['log']).toEqual(['a', 'b', 'c', 'last'])
  })

  it('refuses two writers of a plain field, names them, and keeps what they did', async () => {
    let runs = 0
    const make = (value: (name: string) => unknown) =>
      graphOf({ state: { x: null as unknown } })
        .addNode('a', () => ({}))
        .addNode('b', () => {
          runs++
          return { x: value('b') }
        })
        .addNode('c', () => {
          runs++
          return { x: value('c') }
        })
        .addEdges('START>a a>b a>c')
        .compile()
    const app = make(name => ({ from: name }))
    const kept = await begin(app, {})
    const outcome = await goOn(app, kept)
    expect(outcome).toMatchObject({
      status: 'failed',
      error: { code: 'update-conflict', data: { field: 'x', nodes: ['b', 'c'] } },
    })
    expect(kept.facts.map(fact => fact.kind)).toEqual(['task', 'task', 'failure'])
    await goOn(app, kept)
    expect(runs).toBe(2)
    expect(
      await finalState(
        make(() => ({ same: 1 })),
        {},
      ),
    ).toEqual({ x: { same: 1 } })
  })

  it('releases a join that needs any one, and stops the others', async () => {
    const aborted: string[] = []
    const app = logged()
      .addNode('a', says('a'))
      .addNode(
        'slow',
        (_, { signal }) =>
          new Promise((_, reject) =>
            signal.addEventListener('abort', () => {
              aborted.push('slow')
              reject(signal.reason)
            }),
          ),
      )
      .addNode('bad', () => {
        throw new Error('no')
      })
      .addNode('fast', async () => ({ log: ['fast'] }))
      .addNode('j', says('j'), { join: 'any' })
      .addEdges('START>a a>slow a>bad a>fast')
      .addEdge(['slow', 'bad', 'fast'], 'j')
      .compile()
    expect((await finalState(app, {}))['log']).toEqual(['a', 'fast', 'j'])
    expect(aborted).toEqual(['slow'])
  })

  it('releases a join at its quorum', async () => {
    const app = graphOf({ state: { log: [] as number[] }, reducers: { log: 'append' } })
      .addNode('a', () => {})
      .addNode('w', (s: { n: number }) => (s.n === 3 ? new Promise<never>(() => {}) : { log: [s.n] }))
      .addNode('j', s => ({ log: [-s.log.length] }), { join: { quorum: 2 } })
      .addEdge(START, 'a')
      .addConditionalEdges('a', () => [3, 1, 2].map(n => new Send('w', { n })))
      .addEdge('w', 'j')
      .compile()
    expect((await finalState(app, {}))['log']).toEqual([1, 2, -2])
  })

  it('counts failures as closed for a join that takes settled branches', async () => {
    const app = logged()
      .addNode('a', says('a'))
      .addNode('bad', () => {
        throw new Error('no')
      })
      .addNode('b', says('b'))
      .addNode('j', says('j'), { join: 'settled' })
      .addEdges('START>a a>bad a>b')
      .addEdge(['bad', 'b'], 'j')
      .compile()
    const kept = await begin(app, {})
    expect(await goOn(app, kept)).toMatchObject({ status: 'done', state: { log: ['a', 'b', 'j'] } })
    expect(kept.steps[1]?.tasks.map(task => [task.node, (task.collected as Error | undefined)?.message])).toEqual([
      ['bad', 'no'],
      ['b', undefined],
    ])
  })
})
