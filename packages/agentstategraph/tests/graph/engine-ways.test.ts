/** A node that several branches may come to runs once, whatever the kinds of edges that lead there. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Command, END, Send, SendBatch, START } from '../../src/graph/model/targets.ts'
import { finalState, run } from './support/engine-run.ts'
import { graphOf, logged, says, type Told } from './support/told-graph.ts'

interface Research {
  log: string[]
  one: number
  two: number
}

/** Two researchers that go round three and two times, and a writer after both. */
function researchers(lead: (graph: Told<Research>, name: 'one' | 'two', rounds: number) => void) {
  const graph = graphOf<Research>({
    state: { log: [], one: 0, two: 0 },
    reducers: { log: 'append', one: 'sum', two: 'sum' },
  })
  graph.addNode('plan', says('plan'))
  lead(graph, 'one', 3)
  lead(graph, 'two', 2)
  return graph
    .addNode('write', (s: Research) => ({ log: [`write ${s.one} ${s.two}`] }))
    .addEdges('START>plan plan>one plan>two')
    .compile()
}

const visit = (name: 'one' | 'two') => () => ({ log: [name], [name]: 1 })
const written = ['plan', 'one', 'one', 'one', 'two', 'two', 'write 3 2']

describe('two looping branches and the node behind them', () => {
  it.each([
    ['declared targets', ['write']],
    ['no declared targets', undefined],
  ])('by conditional edges with %s', async (_, targets) => {
    const app = researchers((graph, name, rounds) => {
      graph
        .addNode(name, visit(name))
        .addConditionalEdges(name, s => (s[name] < rounds ? name : 'write'), targets && [name, ...targets])
    })
    expect((await finalState(app, {}))['log']).toEqual(written)
  })

  it.each([
    ['declared ways', { goto: ['one', 'two', 'write'] }],
    ['a declared way to the writer only', { goto: ['write'] }],
  ])('by Commands with %s', async (_, options) => {
    const app = researchers((graph, name, rounds) => {
      const next = (s: Research) => (s[name] + 1 < rounds ? name : 'write')
      graph.addNode(name, (s: Research) => new Command({ update: visit(name)(), goto: next(s) }), options)
    })
    expect((await finalState(app, {}))['log']).toEqual(written)
  })

  it('by Commands that nobody declared', async () => {
    const app = logged()
      .addNode('plan', says('plan'))
      .addNode('one', () => new Command({ update: { log: ['one'] }, goto: 'write' }))
      .addNode('two', () => new Command({ update: { log: ['two'] }, goto: 'write' }))
      .addNode('write', says('write'))
      .addEdge(START, 'plan')
      .addConditionalEdges('plan', () => ['one', 'two'], ['one', 'two', 'write'])
      .compile()
    expect((await finalState(app, {}))['log']).toEqual(['plan', 'one', 'two', 'write'])
  })

  it.each([true, false])('by a static edge and a conditional one (declared: %s)', async isDeclared => {
    const app = researchers((graph, name, rounds) => {
      graph.addNode(name, visit(name))
      if (name === 'one') {
        graph.addConditionalEdges(
          name,
          s => (s.one < rounds ? name : 'write'),
          isDeclared ? [name, 'write'] : undefined,
        )
      } else graph.addEdge(name, 'write')
    })
    expect((await finalState(app, {}))['log']).toEqual(['plan', 'one', 'one', 'one', 'two', 'write 3 1'])
  })
})

describe('Sends of several branches', () => {
  const senders = (lead: (graph: Told<{ log: string[] }>) => void, answer: (name: string) => unknown) => {
    const graph = logged()
      .addSaying('left right')
      .addNode('work', (s: { item: string }) => ({ log: [s.item] }))
      .addNode('merge', (s: { log: string[] }) => ({ log: [`merge ${s.log.length}`] }))
      .addEdges('START>left START>right')
      .addConditionalEdges('left', () => answer('l'), ['work', 'merge'])
      .addConditionalEdges('right', () => answer('r'), ['work', 'merge'])
    lead(graph)
    return graph.compile()
  }
  const sends = (name: string) => [1, 2].map(n => new Send('work', { item: `${name}${n}` }))
  const merged = ['left', 'l1', 'l2', 'right', 'r1', 'r2', 'merge 6']

  it('meet in the node behind their worker, by a static edge', async () => {
    const app = senders(graph => void graph.addEdge('work', 'merge'), sends)
    expect((await finalState(app, {}))['log']).toEqual(merged)
  })

  it('meet there by a conditional edge', async () => {
    const app = senders(graph => void graph.addConditionalEdges('work', () => 'merge', ['merge']), sends)
    expect((await finalState(app, {}))['log']).toEqual(merged)
  })

  it('meet in the join that their batches name', async () => {
    const app = senders(
      () => {},
      name => new SendBatch(sends(name), { join: 'merge' }),
    )
    expect((await finalState(app, {}))['log']).toEqual(merged)
  })

  it('end a batch once at its join, also when an edge leads there', async () => {
    const app = logged()
      .addSaying('plan work merge')
      .addEdge(START, 'plan')
      .addConditionalEdges('plan', () => new SendBatch([new Send('work', {})], { join: 'merge' }), ['work', 'merge'])
      .addEdge('work', 'merge')
      .compile()
    expect((await finalState(app, {}))['log']).toEqual(['plan', 'work', 'merge'])
  })
})

describe('where branches wait', () => {
  it.each([
    ['back to the fan-out', ['plan', END]],
    ['into a branch', ['plan', 'a2', END]],
    ['to anywhere', undefined],
  ])('a branch of several nodes keeps to itself in a loop %s', async (_, targets) => {
    const app = graphOf({ state: { log: [] as string[], rounds: 0 }, reducers: { log: 'append', rounds: 'sum' } })
      .addNode('plan', () => ({ log: ['plan'], rounds: 1 }))
      .addNode('a', says('a'))
      .addNode('a2', (s: { log: string[] }) => ({ log: [`a2 sees ${s.log.at(-1)}`] }))
      .addNode('b', (s: { log: string[] }) => ({ log: [`b sees ${s.log.at(-1)}`] }))
      .addNode('merge', says('merge'))
      .addEdges('START>plan plan>a plan>b a>a2 a2>merge b>merge')
      .addConditionalEdges('merge', s => (s.rounds < 2 ? 'plan' : END), targets)
      .compile()
    const round = ['plan', 'a', 'a2 sees a', 'b sees plan', 'merge']
    expect((await finalState(app, {}))['log']).toEqual([...round, ...round])
  })

  it('a target of a fan-out that another may lead to waits for it', async () => {
    const app = (targets?: readonly string[]) =>
      logged()
        .addSaying('plan write research')
        .addEdges('START>plan plan>write plan>research')
        .addConditionalEdges('research', () => 'write', targets)
        .compile()
    const log = ['plan', 'research', 'write']
    expect((await finalState(app(['write', END]), {}))['log']).toEqual(log)
    expect((await finalState(app(), {}))['log']).toEqual(log)
  })

  it('joins that lead to each other are entered one after the other', async () => {
    const app = logged()
      .addSaying('plan b a join-a join-b')
      .addEdges('START>plan plan>a plan>b a>join-a b>join-b')
      .addConditionalEdges('join-a', () => 'join-b', ['join-b'])
      .addConditionalEdges('join-b', () => END, ['join-a', END])
      .compile()
    expect((await finalState(app, {}))['log']).toEqual(['plan', 'b', 'a', 'join-a', 'join-b'])
  })

  it('targets of a fan-out that lead to each other begin together', async () => {
    const app = graphOf({ state: { log: [] as string[], turns: 0 }, reducers: { log: 'append', turns: 'sum' } })
      .addNode('plan', says('plan'))
      .addNode('pro', s => ({ log: [`pro ${s.turns}`], turns: 1 }))
      .addNode('con', s => ({ log: [`con ${s.turns}`], turns: 1 }))
      .addNode('judge', says('judge'))
      .addEdges('START>plan plan>pro plan>con')
      .addConditionalEdges('pro', s => (s.turns < 3 ? 'con' : 'judge'), ['con', 'judge'])
      .addConditionalEdges('con', s => (s.turns < 3 ? 'pro' : 'judge'), ['pro', 'judge'])
      .compile()
    expect((await finalState(app, {}))['log']).toEqual(['plan', 'pro 0', 'con 0', 'pro 2', 'con 3', 'judge'])
  })

  it('a graph that is a node has joins of its own', async () => {
    const inner = graphOf({ state: { log: [] as string[] }, reducers: { log: 'append' } })
      .addNode('x', () => new Command({ update: { log: ['x'] }, goto: 'write' }), { goto: ['write'] })
      .addNode('y', says('y'))
      .addNode('write', (s: { log: string[] }) => ({ log: [`inner ${s.log.length}`] }))
      .addEdges('START>x START>y')
      .addConditionalEdges('y', () => 'write', ['write'])
      .compile()
    const app = logged()
      .addNode('inner', inner)
      .addNode('b', says('b'))
      .addNode('write', (s: { log: string[] }) => ({ log: [`outer ${s.log.length}`] }))
      .addEdges('START>inner START>b inner>write')
      .addConditionalEdges('b', () => 'write', ['write'])
      .compile()
    expect((await finalState(app, {}))['log']).toEqual(['x', 'y', 'inner 2', 'b', 'outer 4'])
  })
})

it('an undeclared Command to a node that ran in another branch is refused by name', async () => {
  const app = (options: { goto?: string[] }) =>
    logged()
      .addNode('one', says('one'))
      .addNode('two', () => new Command({ update: { log: ['two'] }, goto: 'write' }), options)
      .addNode('write', says('write'))
      .addEdges('START>one START>two one>write')
      .compile()
  expect(await run(app({}), {})).toMatchObject({
    status: 'failed',
    node: 'two',
    error: { code: 'target-undeclared', data: { node: 'two', target: 'write' } },
  })
  expect((await finalState(app({ goto: ['write'] }), {}))['log']).toEqual(['one', 'two', 'write'])
})

describe('an undeclared Command', () => {
  const goes = (name: string, goto: string) => () => new Command({ update: { log: [name] }, goto })
  const forked = () =>
    logged().addNode('a', says('a')).addNode('w', says('w')).addEdge('a', 'w').addEdge(START, 'a').addEdge(START, 'b')
  const refused = (node: string, target: string) => ({
    status: 'failed',
    error: { code: 'target-undeclared', data: { node, target } },
  })

  it('to the start of another branch is refused', async () => {
    expect(await run(forked().addNode('b', goes('b', 'a')).compile(), {})).toMatchObject(refused('b', 'a'))
  })

  it.each([
    ['an edge', (graph: Told<{ log: string[] }>) => graph.addNode('t', says('t')).addEdge('t', 'w')],
    [
      'a route without targets',
      (graph: Told<{ log: string[] }>) => graph.addNode('t', says('t')).addConditionalEdges('t', () => 'w'),
    ],
    ['another undeclared Command', (graph: Told<{ log: string[] }>) => graph.addNode('t', goes('t', 'w'))],
  ])(
    'that leads by %s to a node that ran in another branch is refused, by the way that was not declared',
    async (_, lead) => {
      // A declared target of START, so that the node is no unreachable one.
      const graph = forked()
        .addNode('b', goes('b', 't'))
        .addConditionalEdges(START, () => END, ['t', END])
      expect(await run(lead(graph).compile(), {})).toMatchObject(refused('b', 't'))
    },
  )

  it('of a join to a node that ran in a branch that did not come there is refused', async () => {
    const app = forked().addSaying('b c').addNode('j', goes('j', 'w')).addEdges('START>c b>j c>j').compile()
    expect(await run(app, {})).toMatchObject(refused('j', 'w'))
  })

  it('of a join to a node that led to it goes round', async () => {
    const again = (s: { log: string[] }) =>
      new Command({ update: { log: ['j'] }, goto: s.log.includes('j') ? END : 'w' })
    const app = forked().addNode('b', says('b')).addNode('j', again).addEdge('w', 'j').addEdge('b', 'j').compile()
    expect((await finalState(app, {}))['log']).toEqual(['a', 'w', 'b', 'j', 'w', 'j'])
  })

  it('to the node that opened the group begins another round of all branches', async () => {
    const app = logged()
      .addSaying('plan a')
      .addNode(
        'b',
        (s: { log: string[] }) => new Command({ update: { log: ['b'] }, goto: s.log.includes('b') ? END : 'plan' }),
      )
      .addEdges('START>plan plan>a plan>b')
      .compile()
    expect((await finalState(app, {}))['log']).toEqual(['plan', 'a', 'b', 'plan', 'a', 'b'])
  })
})

/** How a branch goes round and comes to the writer. */
type Kind = 'route' | 'open route' | 'command' | 'undeclared command' | 'two nodes'

it('branches that go round in any way meet in the node behind them, which sees all of them', async () => {
  const branch = fc.record({
    kind: fc.constantFrom<Kind>('route', 'open route', 'command', 'undeclared command', 'two nodes'),
    rounds: fc.integer({ min: 1, max: 3 }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(branch, { minLength: 2, maxLength: 4 }), fc.boolean(), async (branches, isLoop) => {
      const graph = graphOf({ state: { log: [] as string[] }, reducers: { log: 'append' } }).addNode(
        'plan',
        says('plan'),
      )
      for (const [index, { kind, rounds }] of branches.entries()) {
        const name = `b${index}`
        const isDone = (log: readonly string[]): boolean =>
          log.slice(log.lastIndexOf('plan')).filter(line => line === name).length >= rounds
        const next = (log: readonly string[]): string => (isDone(log) ? 'write' : name)
        if (kind === 'command' || kind === 'undeclared command') {
          const goto = kind === 'command' ? { goto: [name, 'write'] } : {}
          const visit = ({ log }: { log: string[] }) =>
            new Command({ update: { log: [name] }, goto: next([...log, name]) })
          graph.addNode(name, visit, goto)
        } else {
          graph.addNode(name, says(name))
          if (kind === 'two nodes') graph.addNode(`${name}-own`, says(`${name}-own`)).addEdge(`${name}-own`, name)
          const back = kind === 'two nodes' ? `${name}-own` : name
          const route = (s: { log: string[] }): string => (isDone(s.log) ? 'write' : back)
          graph.addConditionalEdges(name, route, kind === 'open route' ? undefined : [back, 'write'])
        }
      }
      const app = graph
        .addNode('write', says('write'))
        .addEdge(START, 'plan')
        .addConditionalEdges('plan', () => branches.map((_, index) => `b${index}`), [
          ...branches.map((_, index) => `b${index}`),
          'write',
        ])
        .addConditionalEdges('write', s => (isLoop && s.log.filter(line => line === 'write').length < 2 ? 'plan' : END))
        .compile()
      const outcome = await run(app, {})
      if (outcome.status === 'failed') {
        expect(outcome.error).toMatchObject({ code: 'target-undeclared' })
        expect(branches.map(({ kind }) => kind)).toContain('undeclared command')
        return
      }
      const log = outcome.state['log'] as string[]
      const round = branches.flatMap(({ kind, rounds }, index) => {
        const own = kind === 'two nodes' ? [`b${index}-own`] : []
        return [`b${index}`, ...Array.from({ length: rounds - 1 }, () => [...own, `b${index}`]).flat()]
      })
      const sorted = ['plan', ...round.sort(), 'write']
      const sort = (part: readonly string[]): readonly string[] => ['plan', ...part.slice(1, -1).sort(), 'write']
      expect(sort(log.slice(0, sorted.length))).toEqual(sorted)
      expect(isLoop ? sort(log.slice(sorted.length)) : log.slice(sorted.length)).toEqual(isLoop ? sorted : [])
    }),
    { numRuns: 100 },
  )
})
