import { describe, expect, it } from 'vitest'
import { Command, END, START } from '../../src/graph/model/targets.ts'
import { begin, finalState, goOn } from './support/engine-run.ts'
import { graphOf, logged, says } from './support/told-graph.ts'

describe('edges', () => {
  it('follows a chain, one step each', async () => {
    const app = logged().addNode('a', says('a')).addNode('b', says('b')).addEdge('a', 'b').compile()
    const kept = await begin(app, {})
    expect(await goOn(app, kept)).toMatchObject({ status: 'done', state: { log: ['a', 'b'] } })
    expect(kept.steps.map(step => [step.cause, step.tasks[0]?.node, step.next?.targets[0]?.node])).toEqual([
      ['task', 'a', 'b'],
      ['task', 'b', undefined],
    ])
    expect(kept.calls).toBe(2)
  })

  it('takes all static edges and all targets of all routes, each node once', async () => {
    const app = logged()
      .addSaying('a b c d')
      .addEdges('START>a a>b')
      .addConditionalEdges('a', () => ['c', 'b'])
      .addConditionalEdges('a', async () => 'd')
      .compile()
    expect((await finalState(app, {}))['log']).toEqual(['a', 'b', 'c', 'd'])
  })

  it('lets goto replace the edges, and END end only its own branch', async () => {
    const app = logged()
      .addNode('a', () => new Command({ update: { log: ['a'] }, goto: 'c' }), { goto: ['c'] })
      .addSaying('b c')
      .addEdges('START>a a>b c>END')
      .compile()
    expect((await finalState(app, {}))['log']).toEqual(['a', 'c'])
    const both = logged().addSaying('a b c d').addEdges('START>a a>b a>c b>END c>d').compile()
    expect((await finalState(both, {}))['log']).toEqual(['a', 'b', 'c', 'd'])
  })

  it('begins with a route from START', async () => {
    const app = logged()
      .addSaying('a b')
      .addConditionalEdges(START, () => 'b', ['a', 'b'])
      .compile()
    expect((await finalState(app, {}))['log']).toEqual(['b'])
  })

  it('shows a route the state after its node', async () => {
    const app = graphOf({ state: { n: 0 }, reducers: { n: 'sum' } })
      .addNode('a', () => ({ n: 1 }))
      .addConditionalEdges('a', s => (s.n < 5 ? 'a' : END))
      .addEdge(START, 'a')
      .compile()
    expect(await finalState(app, {})).toEqual({ n: 5 })
  })

  it('names the node and the target of an unknown way, and goes on when it is mended', async () => {
    let target = 'nowhere'
    let runs = 0
    const app = logged()
      .addNode('a', () => {
        runs++
        return { log: ['a'] }
      })
      .addNode('b', says('b'))
      .addEdge(START, 'a')
      .addConditionalEdges('a', () => target)
      .compile()
    const kept = await begin(app, {})
    const outcome = await goOn(app, kept)
    expect(outcome).toMatchObject({
      status: 'failed',
      node: 'a',
      error: { code: 'route-unknown', data: { node: 'a', target: 'nowhere' } },
    })
    target = 'b'
    expect(await goOn(app, kept)).toMatchObject({ status: 'done', state: { log: ['a', 'b'] } })
    expect(runs).toBe(1)
  })
})
