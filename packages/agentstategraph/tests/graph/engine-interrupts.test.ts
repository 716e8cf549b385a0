import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { END, START } from '../../src/graph/model/targets.ts'
import { begin, goOn } from './support/engine-run.ts'
import { graphOf, logged, says } from './support/told-graph.ts'

describe('interrupts', () => {
  it.each([false, 0, '', null])('take %j as an answer', async value => {
    const app = graphOf({ state: { got: 'nothing' as unknown } })
      .addNode('a', async (_, { interrupt }) => ({ got: await interrupt('ok?') }))
      .compile()
    const kept = await begin(app, {})
    expect(await goOn(app, kept)).toMatchObject({ status: 'paused', interrupts: [{ node: 'a', payload: 'ok?' }] })
    expect(await goOn(app, kept, { answers: [{ value }] })).toMatchObject({ status: 'done', state: { got: value } })
  })

  it('can be several in one node, with effects before them run once', async () => {
    const effects: string[] = []
    const app = logged()
      .addNode('a', async (_, { interrupt, once }) => {
        await once('first', () => effects.push('first'))
        const x = await interrupt('x')
        await once('second', () => effects.push('second'))
        const y = await interrupt('y')
        return { log: [`${x}${y}`] }
      })
      .compile()
    const kept = await begin(app, {})
    const first = await goOn(app, kept)
    const again = await goOn(app, kept)
    expect(again).toEqual(first)
    const second = await goOn(app, kept, { answers: [{ value: 1 }] })
    expect(second).toMatchObject({ status: 'paused', interrupts: [{ payload: 'y' }] })
    expect(await goOn(app, kept, { answers: [{ value: 2 }] })).toMatchObject({ state: { log: ['12'] } })
    expect(effects).toEqual(['first', 'second'])
  })

  it('of several branches are told together, answered by id, and never by a bare answer', async () => {
    const runs: string[] = []
    const app = logged()
      .addNode('s', says('s'))
      .addNode('a', async (_, { interrupt }) => ({ log: [`a:${await interrupt('a')}`] }))
      .addNode('b', async (_, { interrupt }) => ({ log: [`b:${await interrupt('b')}`] }))
      .addNode('c', () => {
        runs.push('c')
        return { log: ['c'] }
      })
      .addEdges('START>s s>a s>b s>c')
      .compile()
    const kept = await begin(app, {})
    const paused = await goOn(app, kept)
    if (paused.status !== 'paused') throw new Error(paused.status)
    const [a, b] = paused.interrupts
    expect(paused.interrupts.map(({ payload }) => payload)).toEqual(['a', 'b'])
    expect(a.id).not.toBe(b!.id)
    await expect(goOn(app, kept, { answers: [{ value: 1 }] })).rejects.toMatchObject({ code: 'answer-ambiguous' })
    await expect(goOn(app, kept, { answers: [{ id: 'other', value: 1 }] })).rejects.toMatchObject({
      code: 'interrupt-unknown',
    })
    expect(await goOn(app, kept, { answers: [{ id: b!.id, value: 'B' }] })).toEqual({
      status: 'paused',
      state: { log: ['s'] },
      interrupts: [a],
    })
    expect(await goOn(app, kept, { answers: [{ value: 'A' }] })).toMatchObject({
      status: 'done',
      state: { log: ['s', 'a:A', 'b:B', 'c'] },
    })
    expect(runs).toEqual(['c'])
  })

  it('refuse an answer that does not fit, and still wait', async () => {
    const schema = {
      '~standard': {
        version: 1 as const,
        vendor: 'test',
        validate: (value: unknown) =>
          typeof value === 'boolean' ? { value } : { issues: [{ message: 'is no boolean' }] },
      },
    }
    const app = logged()
      .addNode('a', async (_, { interrupt }) => ({ log: [String(await interrupt('?', schema))] }))
      .compile()
    const kept = await begin(app, {})
    await goOn(app, kept)
    const before = kept.resumePoint
    await expect(goOn(app, kept, { answers: [{ value: 'yes' }] })).rejects.toMatchObject({
      code: 'answer-invalid',
      data: { reason: 'is no boolean' },
    })
    expect(kept.resumePoint).toEqual(before)
    expect(await goOn(app, kept, { answers: [{ value: true }] })).toMatchObject({ state: { log: ['true'] } })
  })

  it('carry the JSON Schema of their answer, where the node gave a schema that has one', async () => {
    const app = graphOf({ state: { got: '' } })
      .addNode('a', async (_, { interrupt }) => ({ got: await interrupt('Which?', z.enum(['x', 'y'])) }))
      .compile()
    const paused = await goOn(app, await begin(app, {}))
    expect(paused).toMatchObject({ interrupts: [{ payload: 'Which?', schema: { type: 'string', enum: ['x', 'y'] } }] })
  })

  it('pause a node that swallows them or does not wait', async () => {
    const swallows = logged()
      .addNode('a', async (_, { interrupt }) => ({ log: [String(await interrupt('?').catch(() => 'swallowed'))] }))
      .compile()
    const kept = await begin(swallows, {})
    expect(await goOn(swallows, kept)).toMatchObject({ status: 'paused' })
    expect(await goOn(swallows, kept, { answers: [{ value: 'yes' }] })).toMatchObject({ state: { log: ['yes'] } })
    const sync = logged()
      .addNode('a', (_, { interrupt }) => {
        void interrupt('?')
        return { log: ['a'] }
      })
      .compile()
    const other = await begin(sync, {})
    expect(await goOn(sync, other)).toMatchObject({ status: 'paused' })
    expect(await goOn(sync, other, { answers: [{ value: 1 }] })).toMatchObject({ state: { log: ['a'] } })
  })

  it('before and after nodes are passed by going on', async () => {
    let runs = 0
    const app = logged()
      .addNode('a', () => {
        runs++
        return { log: ['a'] }
      })
      .addNode('b', says('b'))
      .addEdge('a', 'b')
      .compile({ interruptBefore: ['a'], interruptAfter: ['a'] })
    const kept = await begin(app, {})
    expect(await goOn(app, kept)).toMatchObject({
      status: 'paused',
      interrupts: [{ node: 'a', payload: { when: 'before', node: 'a' } }],
    })
    expect(runs).toBe(0)
    expect(await goOn(app, kept)).toMatchObject({
      status: 'paused',
      interrupts: [{ payload: { when: 'after', node: 'a' } }],
    })
    expect(await goOn(app, kept)).toMatchObject({ status: 'done', state: { log: ['a', 'b'] } })
    expect(runs).toBe(1)
  })

  it('stop at a node in a loop each time', async () => {
    const app = graphOf({ state: { n: 0 }, reducers: { n: 'sum' } })
      .addNode('a', () => ({ n: 1 }))
      .addEdge(START, 'a')
      .addConditionalEdges('a', s => (s.n < 3 ? 'a' : END))
      .compile({ interruptBefore: ['a'] })
    const kept = await begin(app, {})
    const statuses: string[] = []
    for (let i = 0; i < 4; i++) statuses.push((await goOn(app, kept)).status)
    expect(statuses).toEqual(['paused', 'paused', 'paused', 'done'])
  })
})
