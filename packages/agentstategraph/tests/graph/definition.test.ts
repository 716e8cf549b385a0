/** Definitions as a whole: what the pages show runs, and states leak neither to siblings nor out of failed attempts. */
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { Command, END, Send, START, StateGraph } from '../../src/graph/index.ts'
import { jsonSchema } from '../../src/repository/index.ts'

const ResearchState = z.object({
  prompt: z.string(),
  notes: z.array(z.string()).default([]),
  draft: z.string().default(''),
  confidence: z.number().default(0),
})

describe('a defined graph', () => {
  it('runs the research loop of a schema with defaults, without an edge from START', () => {
    const app = new StateGraph({ state: ResearchState, reducers: { notes: 'append' } })
      .addNode('plan', s => ({ notes: [`Plan: ${s.prompt}`] }))
      .addNode('research', s => ({ notes: [`fact ${s.notes.length}`] }))
      .addNode('write', s => ({ draft: s.notes.join('\n') }))
      .addNode('review', s => ({ confidence: s.notes.length / 4 }))
      .addEdge('plan', 'research')
      .addEdge('research', 'write')
      .addEdge('write', 'review')
      .addConditionalEdges('review', s => (s.confidence >= 0.85 ? END : 'research'))
      .compile()
    expect(app.runSync({ prompt: 'x' })).toEqual({
      prompt: 'x',
      notes: ['Plan: x', 'fact 1', 'fact 2', 'fact 3'],
      draft: 'Plan: x\nfact 1\nfact 2\nfact 3',
      confidence: 1,
    })
    expect(app.getMermaid()).toContain('-.->')
    expect(() => app.runSync({} as never)).toThrow('/prompt')
  })

  it('maps and reduces with Send, on initial values', async () => {
    const vendors = new StateGraph({
      state: { vendors: [] as string[], vendor: '', reviews: [] as string[], best: '' },
      reducers: { reviews: 'append' },
    })
      .addNodes({
        plan: () => ({ vendors: ['a', 'b', 'c'] }),
        review_one: { run: async s => ({ reviews: [`${s.vendor}: good`] }), retry: { maxAttempts: 2 } },
        merge: s => ({ best: s.reviews.join() }),
      })
      .addConditionalEdges('plan', s => s.vendors.map(vendor => new Send('review_one', { vendor })))
      .addEdge('review_one', 'merge')
      .compile()
    expect((await vendors.run({})).best).toBe('a: good,b: good,c: good')
  })

  it('takes agents and other graphs as nodes', async () => {
    const inner = new StateGraph({ state: { total: 0 }, reducers: { total: 'sum' } })
      .addNode('two', () => ({ total: 2 }))
      .compile({ name: 'inner' })
    const agent = { invoke: async (s: { readonly total: number }) => ({ total: s.total }) }
    const app = new StateGraph({ state: { total: 0 }, reducers: { total: 'sum' } })
      .addNode('agent', agent)
      .addNode('inner', inner)
      .addNode('end', () => new Command({ update: { total: 1 }, goto: END }))
      .addEdge(START, 'agent')
      .addEdge('agent', 'inner')
      .addEdge('inner', 'end')
      .compile()
    expect(await app.run({ total: 5 })).toEqual({ total: 13 })
    expect(app.getMermaid()).toContain('subgraph')
  })

  it('a node that writes to the state is told where, and to a Map, a Set or a Date writes to its own copy', async () => {
    const state = { list: ['a'], map: new Map([['k', 1]]), at: new Date(5), seen: [] as number[] }
    let attempts = 0
    const app = new StateGraph({ state, reducers: { seen: 'append' } })
      .addNode('fork', () => {})
      .addNode(
        'one',
        s => {
          ;(s.map as Map<string, number>).set('x', 2)
          s.at.setTime(9)
          if (attempts++ === 0) throw new Error('once more')
          return { seen: [s.map.size] }
        },
        { retry: { maxAttempts: 2, initialMs: 0 } },
      )
      .addNode('two', s => ({ seen: [s.map.size, s.at.getTime()] }))
      .addEdge(START, 'fork')
      .addEdge('fork', 'one')
      .addEdge('fork', 'two')
      .compile()
    const result = await app.run({})
    expect(result.seen).toEqual([2, 1, 5])
    expect(result.map).toEqual(new Map([['k', 1]]))
    expect(result.at).toEqual(new Date(5))
    const writer = new StateGraph({ state })
      .addNode('writer', s => {
        ;(s.list as string[]).push('b')
      })
      .compile()
    await expect(writer.run({})).rejects.toMatchObject({
      code: 'state-frozen',
      data: { node: 'writer', path: '/list/1' },
    })
  })

  it('a JSON Schema defines a state, and async schemas run only where one can wait', async () => {
    const json = new StateGraph({
      state: jsonSchema<{ n: number }>({ properties: { n: { type: 'integer', default: 1 } } }),
    })
      .addNode('add', s => ({ n: s.n + 0.5 }))
      .compile()
    await expect(json.run({ n: 1 })).rejects.toThrow('The update of add cannot be applied: /n: has to be integer')
    const later = new StateGraph({ state: z.object({ a: z.string().refine(async text => text !== '', 'is empty') }) })
      .addNode('same', s => ({ a: `${s.a}!` }))
      .compile()
    expect(await later.run({ a: 'x' })).toEqual({ a: 'x!' })
    await expect(later.run({ a: '' })).rejects.toThrow('is empty')
    expect(() => later.runSync({ a: 'x' })).toThrow()
  })
})
