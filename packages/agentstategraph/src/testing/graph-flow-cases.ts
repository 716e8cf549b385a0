/** What graphs promise about control flow: edges, routes, Commands, fork groups, joins, Sends. */
import { Command, END, Send, SendBatch, START, StateGraph } from '../graph/index.ts'
import { checkEqual, checkRefuses } from './check.ts'
import { type GraphCase, graphCase } from './graph-case.ts'

const state = { log: [] as string[], item: '' }
const reducers = { log: 'append' } as const

/** A node that records that it ran. */
function says(word: string) {
  return () => ({ log: [word] })
}

/** One that completes later than others, to tell order by definition from order by completion. */
function saysLate(word: string) {
  return async () => {
    for (let turn = 0; turn < 20; turn++) await Promise.resolve()
    return { log: [word] }
  }
}

export const graphFlowCases: readonly GraphCase[] = [
  graphCase('a chain runs in order, and an edge may be told before its nodes', async keeping => {
    const app = new StateGraph({ state, reducers })
      .addEdge('b', 'c')
      .addEdge('a', 'b')
      .addNode('a', says('a'))
      .addNode('b', saysLate('b'))
      .addNode('c', says('c'))
      .compile(keeping)
    checkEqual((await app.run({})).log, ['a', 'b', 'c'], 'the nodes that ran')
  }),

  graphCase('a loop goes round until its route leads out', async keeping => {
    const app = new StateGraph({ state: { n: 0 } })
      .addNode('count', s => ({ n: s.n + 1 }))
      .addConditionalEdges('count', s => (s.n < 30 ? 'count' : END))
      .compile(keeping)
    checkEqual(await app.run({}), { n: 30 }, 'the state at the end')
  }),

  graphCase('a node takes all its edges and all its routes, and goto replaces them', async keeping => {
    const graph = (goto: boolean) =>
      new StateGraph({ state, reducers })
        .addNodes({
          fork: () => (goto ? new Command({ goto: 'c', update: { log: ['fork'] } }) : { log: ['fork'] }),
          a: says('a'),
          b: says('b'),
          c: says('c'),
        })
        .addEdge(START, 'fork')
        .addEdge('fork', 'a')
        .addConditionalEdges('fork', () => 'b', ['b'])
        .addConditionalEdges('fork', () => ['c'], ['c'])
        .compile(keeping)
    checkEqual((await graph(false).run({})).log, ['fork', 'a', 'b', 'c'], 'what ran by the edges')
    checkEqual((await graph(true).run({})).log, ['fork', 'c'], 'what ran by the command')
  }),

  graphCase('END ends its own branch only', async keeping => {
    const app = new StateGraph({ state, reducers })
      .addNodes({ short: says('short'), long: saysLate('long'), more: says('more') })
      .addEdge(START, 'short')
      .addEdge(START, 'long')
      .addEdge('short', END)
      .addEdge('long', 'more')
      .compile(keeping)
    checkEqual((await app.run({})).log, ['short', 'long', 'more'], 'what ran')
  }),

  graphCase('a join of branches of unequal length runs once, after all of them', async keeping => {
    const app = new StateGraph({ state, reducers })
      .addNodes({
        fork: says('fork'),
        short: says('short'),
        long: says('long'),
        longer: saysLate('longer'),
        join: says('join'),
      })
      .addEdge(START, 'fork')
      .addEdge('fork', 'short')
      .addEdge('fork', 'long')
      .addEdge('long', 'longer')
      .addEdge('short', 'join')
      .addEdge('longer', 'join')
      .compile(keeping)
    checkEqual((await app.run({})).log, ['fork', 'short', 'long', 'longer', 'join'], 'what ran')
  }),

  graphCase('a join does not wait for a branch that was not taken', async keeping => {
    const app = new StateGraph({ state, reducers })
      .addNodes({ choose: says('choose'), a: says('a'), b: says('b'), join: says('join') })
      .addEdge(START, 'choose')
      .addConditionalEdges('choose', () => 'b', ['a', 'b'])
      .addEdge(['a', 'b'], 'join')
      .compile(keeping)
    checkEqual((await app.run({})).log, ['choose', 'b', 'join'], 'what ran')
  }),

  graphCase('branches do not see each other, and their updates are applied in declared order', async keeping => {
    const seen: string[][] = []
    const app = new StateGraph({ state, reducers })
      .addNodes({
        slow: async s => {
          const said = await saysLate('slow')()
          seen.push([...s.log])
          return said
        },
        quick: s => {
          seen.push([...s.log])
          return { log: ['quick'] }
        },
      })
      .addEdge(START, 'quick')
      .addEdge(START, 'slow')
      .compile(keeping)
    checkEqual((await app.run({ log: ['input'] })).log, ['input', 'slow', 'quick'], 'the order of the updates')
    checkEqual(seen, [['input'], ['input']], 'what the branches saw')
  }),

  graphCase('a fast branch does not wait for a slow one before their join', async keeping => {
    let release = (): void => {}
    const released = new Promise<void>(resolve => {
      release = resolve
    })
    const app = new StateGraph({ state, reducers })
      .addNodes({
        slow: async () => {
          await released
          return { log: ['slow'] }
        },
        quick: says('quick'),
        next: () => {
          release()
          return { log: ['next'] }
        },
        join: says('join'),
      })
      .addEdge(START, 'slow')
      .addEdge(START, 'quick')
      .addEdge('quick', 'next')
      .addEdge(['slow', 'next'], 'join')
      .compile(keeping)
    checkEqual((await app.run({})).log, ['slow', 'quick', 'next', 'join'], 'what ran')
  }),

  graphCase('a deferred node runs when nothing else is left', async keeping => {
    const app = new StateGraph({ state, reducers })
      .addNodes({ a: says('a'), b: saysLate('b'), c: says('c'), last: { run: says('last'), defer: true } })
      .addEdge(START, 'a')
      .addEdge(START, 'b')
      .addEdge('a', 'last')
      .addEdge('b', 'c')
      .compile(keeping)
    checkEqual((await app.run({})).log, ['a', 'b', 'c', 'last'], 'what ran')
  }),

  graphCase('each Send is a task of its own on its payload, and one node sees all results', async keeping => {
    const app = new StateGraph({ state, reducers })
      .addNodes({
        plan: says('plan'),
        one: async s => (s.item === 'a' ? saysLate(`one ${s.item}`)() : { log: [`one ${s.item}`] }),
        merge: s => ({ log: [`merge of ${s.log.length}, item ${s.item}`] }),
      })
      .addEdge(START, 'plan')
      .addConditionalEdges('plan', () => ['a', 'b', 'c'].map(item => new Send('one', { item })), ['one'])
      .addEdge('one', 'merge')
      .compile(keeping)
    const expected = ['plan', 'one a', 'one b', 'one c', 'merge of 4, item none']
    checkEqual(await app.run({ item: 'none' }), { log: expected, item: 'none' }, 'the state at the end')
  }),

  graphCase('when nothing is sent, what would have seen the results still runs', async keeping => {
    const graph = (batch: boolean) =>
      new StateGraph({ state, reducers })
        .addNodes({ plan: says('plan'), one: says('one'), merge: says('merge') })
        .addEdge(START, 'plan')
        .addConditionalEdges('plan', () => (batch ? new SendBatch([], { join: 'merge' }) : []), ['one'])
        .addEdge('one', 'merge')
        .compile(keeping)
    checkEqual((await graph(false).run({})).log, ['plan', 'merge'], 'what ran after an empty list')
    checkEqual((await graph(true).run({})).log, ['plan', 'merge'], 'what ran after an empty batch')
  }),

  graphCase('a graph as a node shares fields by name, and nothing is counted twice', async keeping => {
    const inner = new StateGraph({ state: { log: [] as string[], own: 0 }, reducers: { log: 'append', own: 'sum' } })
      .addNode('inside', () => ({ log: ['inside'], own: 1 }))
      .compile({ name: 'inner' })
    const app = new StateGraph({ state: { log: [] as string[], n: 10 }, reducers: { log: 'append', n: 'sum' } })
      .addNode('before', () => ({ log: ['before'], n: 1 }))
      .addNode('inner', inner)
      .addEdge(START, 'before')
      .addEdge('before', 'inner')
      .compile(keeping)
    checkEqual(await app.run({ log: ['seed'] }), { log: ['seed', 'before', 'inside'], n: 11 }, 'the state at the end')
  }),

  graphCase('a way to nowhere is an error that names it', async keeping => {
    const app = new StateGraph({ state, reducers })
      .addNode('a', says('a'))
      .addConditionalEdges('a', () => 'nowhere' as 'a')
      .compile(keeping)
    await checkRefuses(() => app.run({}), 'route-unknown', 'a route to no node')
  }),

  graphCase('a step limit is an error, never an early end', async keeping => {
    const app = new StateGraph({ state: { n: 0 }, reducers: { n: 'sum' } })
      .addNode('again', () => ({ n: 1 }))
      .addConditionalEdges('again', () => 'again')
      .compile(keeping)
    await checkRefuses(() => app.run({}, { maxSteps: 7 }), 'run-step-limit', 'a loop without end')
  }),
]
