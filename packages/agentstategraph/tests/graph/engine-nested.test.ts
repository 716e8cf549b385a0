import { describe, expect, it } from 'vitest'
import { memoryNodeCache } from '../../src/graph/engine/facts/node-cache.ts'
import { Command, START } from '../../src/graph/model/targets.ts'
import { begin, finalState, goOn, run } from './support/engine-run.ts'
import { graphOf, logged, says } from './support/told-graph.ts'

describe('graphs inside graphs', () => {
  const inner = () =>
    graphOf({ state: { log: [] as string[], n: 0, own: 0 }, reducers: { log: 'append', n: 'sum' } })
      .addNode('x', s => ({ log: [`x${s.n}`], n: 1, own: 5 }))
      .addNode('y', s => ({ log: [`y${s.n}:${s.own}`], n: 1 }))
      .addEdge('x', 'y')
      .compile()

  it('share fields by name, keep their own, and count nothing twice', async () => {
    const app = graphOf({ state: { log: ['seed'], n: 10 }, reducers: { log: 'append', n: 'sum' } })
      .addNode('sub', inner())
      .addNode('z', s => ({ log: [`z${s.n}`] }))
      .addEdge('sub', 'z')
      .compile()
    const kept = await begin(app, {})
    expect(await goOn(app, kept)).toMatchObject({ state: { log: ['seed', 'x10', 'y11:5', 'z12'], n: 12 } })
    expect(kept.steps.map(step => step.tasks.map(task => task.node))).toEqual([['sub'], ['z']])
  })

  it('pause and go on with the graph around them', async () => {
    const runs: string[] = []
    const asks = logged()
      .addNode('p', () => {
        runs.push('p')
        return { log: ['p'] }
      })
      .addNode('q', async (_, { interrupt }) => ({ log: [String(await interrupt('deep?'))] }))
      .addEdge('p', 'q')
      .compile()
    const app = logged().addNode('outer', asks).compile()
    const kept = await begin(app, {})
    expect(await goOn(app, kept)).toMatchObject({
      status: 'paused',
      interrupts: [{ node: 'outer/q', payload: 'deep?' }],
    })
    expect(await goOn(app, kept, { answers: [{ value: 'yes' }] })).toMatchObject({
      status: 'done',
      state: { log: ['p', 'yes'] },
    })
    expect(runs).toEqual(['p'])
  })

  it('fail their node, whose second attempt goes on from what had finished', async () => {
    const runs: string[] = []
    const fails = logged()
      .addNode('p', () => {
        runs.push('p')
        return { log: ['p'] }
      })
      .addNode('q', () => {
        runs.push('q')
        if (runs.length < 3) throw new Error('q failed')
        return { log: ['q'] }
      })
      .addEdge('p', 'q')
      .compile()
    expect(await run(logged().addNode('outer', fails).compile(), {})).toMatchObject({
      status: 'failed',
      node: 'outer',
      error: { message: 'q failed' },
    })
    runs.length = 0
    const retried = logged()
      .addNode('outer', fails, { retry: { maxAttempts: 2 } })
      .compile()
    expect(await finalState(retried, {})).toEqual({ log: ['p', 'q'] })
    expect(runs).toEqual(['p', 'q', 'q'])
  })

  it('can send the graph around them on its way', async () => {
    const sub = logged()
      .addNode('p', () => new Command({ graph: 'parent', update: { log: ['p'] }, goto: 'there' }))
      .addNode('never', says('never'))
      .addEdges('START>p p>never')
      .compile()
    const app = logged()
      .addNode('sub', sub, { goto: ['there'] })
      .addSaying('here there')
      .addEdges('START>sub sub>here')
      .compile()
    expect(await finalState(app, {})).toEqual({ log: ['p', 'there'] })
    expect(await run(sub, {})).toMatchObject({ status: 'failed', error: { code: 'parent-missing' } })
  })

  it('run by a function have their own input and output, slots and pauses', async () => {
    const double = graphOf({ state: { n: 0 } })
      .addNode('d', async (s, { interrupt }) => ({ n: s.n * Number(await interrupt(`times? ${s.n}`)) }))
      .compile()
    const app = graphOf({ state: { out: [] as number[] }, reducers: { out: 'append' } })
      .addNode('a', async (_, ctx) => {
        const [x, y] = await Promise.all([ctx.run(double, { n: 2 }), ctx.run(double, { n: 3 })])
        return { out: [(x as { n: number }).n, (y as { n: number }).n] }
      })
      .compile()
    const kept = await begin(app, {})
    const paused = await goOn(app, kept, { maxConcurrency: 1 })
    if (paused.status !== 'paused') throw new Error(paused.status)
    expect(paused.interrupts.map(({ node, payload }) => [node, payload])).toEqual([
      ['a/d', 'times? 2'],
      ['a/d', 'times? 3'],
    ])
    const answers = paused.interrupts.map(({ id }, i) => ({ id, value: (i + 1) * 10 }))
    expect(await goOn(app, kept, { answers, maxConcurrency: 1 })).toMatchObject({
      status: 'done',
      state: { out: [20, 60] },
    })
  })
})

describe('caching', () => {
  it('knows a node again by what it read, not by the rest', async () => {
    let runs = 0
    const cache = memoryNodeCache()
    const app = graphOf({ state: { user: { name: 'Ann', age: 1 }, noise: 0, out: '', list: [1, 2] } })
      .addNode(
        'a',
        s => {
          runs++
          return { out: `${s.user.name}${s.list.map(x => x * 2).join('')}` }
        },
        { cache: { ttlMs: 100 } },
      )
      .compile()
    const once = async (input: object, now = 0) =>
      ((await finalState(app, input, { cache, now: () => now })) as { out: string }).out
    expect(await once({})).toBe('Ann24')
    expect(await once({ noise: 5, user: { name: 'Ann', age: 99 } })).toBe('Ann24')
    expect(runs).toBe(1)
    expect(await once({ user: { name: 'Bob', age: 1 } })).toBe('Bob24')
    expect(await once({ list: [1, 2, 3] })).toBe('Ann246')
    expect(runs).toBe(3)
    await once({}, 100)
    expect(runs).toBe(4)
    await once({}, 150)
    expect(runs).toBe(4)
  })

  it('keeps the way on, tells a hit, and minds version, key and kind of value', async () => {
    let runs = 0
    const cache = memoryNodeCache()
    const make = (version: string) =>
      graphOf({ state: { m: new Map<string, number>() as unknown, log: [] as string[] }, reducers: { log: 'append' } })
        .addNode(
          'a',
          s => {
            runs++
            return new Command({ update: { log: [String((s.m as Map<string, number>).size)] }, goto: 'b' })
          },
          { cache: { version }, goto: ['b'] },
        )
        .addNode('b', says('b'))
        .addEdge(START, 'a')
        .compile()
    const kept = async (version: string, m: unknown) => {
      const app = make(version)
      const at = await begin(app, { m })
      await goOn(app, at, { cache })
      return at.steps.map(step => step.tasks.map(task => task.cached))
    }
    expect(await kept('1', new Map([['a', 1]]))).toEqual([[false], [false]])
    expect(await kept('1', new Map([['a', 1]]))).toEqual([[true], [false]])
    expect(await kept('1', new Map([['b', 1]]))).toEqual([[false], [false]])
    expect(await kept('2', new Map([['a', 1]]))).toEqual([[false], [false]])
    expect(runs).toBe(3)
  })

  it('is not changed by who still holds a result', async () => {
    const cache = memoryNodeCache()
    const held = ['a']
    const app = logged()
      .addNode('a', () => ({ log: held }), { cache: {} })
      .compile()
    await finalState(app, {}, { cache })
    expect(() => held.push('later')).toThrow(TypeError)
    expect(await finalState(app, {}, { cache })).toEqual({ log: ['a'] })
  })

  it('does not answer for people', async () => {
    const cache = memoryNodeCache()
    const app = logged()
      .addNode('a', async (_, { interrupt }) => ({ log: [String(await interrupt('?'))] }), { cache: {} })
      .compile()
    const kept = await begin(app, {})
    await goOn(app, kept, { cache })
    await goOn(app, kept, { cache, answers: [{ value: 'yes' }] })
    expect(await run(app, {}, { cache })).toMatchObject({ status: 'paused' })
  })
})
