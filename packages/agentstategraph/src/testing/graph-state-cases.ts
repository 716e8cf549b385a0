/** What graphs promise about states: validation, reducers, freezing, conflicts, attempts and caches. */
import { START, StateGraph } from '../graph/index.ts'
import { checkEqual, checkRefuses } from './check.ts'
import { type GraphCase, graphCase } from './graph-case.ts'

export const graphStateCases: readonly GraphCase[] = [
  graphCase('what nobody gave has its initial value, and unknown names are refused', async keeping => {
    const app = new StateGraph({ state: { a: 1, b: 'two' } })
      .addNode('typo', s => (s.a === 0 ? ({ bb: 'x' } as object) : {}))
      .compile(keeping)
    checkEqual(await app.run({}), { a: 1, b: 'two' }, 'the initial values')
    await checkRefuses(() => app.run({ c: 1 } as object), 'input-invalid', 'an input with a field that is none')
    await checkRefuses(() => app.run({ a: 0 }), 'update-invalid', 'an update with a field that is none')
  }),

  graphCase('every reducer does what it is called, the first write included', async keeping => {
    const app = new StateGraph({
      state: {
        list: ['a'],
        map: { x: 1 } as Record<string, number>,
        deep: { in: { x: 1 } } as Record<string, Record<string, number>>,
        sum: 1,
        max: 1,
        min: 1,
        union: ['a'],
        keyed: [{ id: 'a', n: 1 }],
        last: 'a',
        first: '',
        messages: [{ id: 'm1', text: 'one' }],
        own: 2,
      },
      reducers: {
        list: 'append',
        map: 'merge',
        deep: 'deepMerge',
        sum: 'sum',
        max: 'max',
        min: 'min',
        union: 'union',
        keyed: { unionBy: 'id' },
        last: 'last',
        first: 'first',
        messages: 'messages',
        own: (base: number, delta: number) => base * delta,
      },
    })
      .addNode('write', () => ({
        list: ['b'],
        map: { y: 2 },
        deep: { in: { y: 2 } },
        sum: 2,
        max: 5,
        min: 0,
        union: ['a', 'b'],
        keyed: [
          { id: 'b', n: 2 },
          { id: 'a', n: 3 },
        ],
        last: 'b',
        first: 'b',
        messages: [
          { id: 'm1', text: 'changed' },
          { id: 'm2', text: 'two' },
        ],
        own: 3,
      }))
      .addNode('again', () => ({ first: 'c', messages: [{ remove: 'm2' }], own: 5 }))
      .addEdge(START, 'write')
      .addEdge('write', 'again')
      .compile(keeping)
    const expected = {
      list: ['a', 'b'],
      map: { x: 1, y: 2 },
      deep: { in: { x: 1, y: 2 } },
      sum: 3,
      max: 5,
      min: 0,
      union: ['a', 'b'],
      keyed: [
        { id: 'a', n: 3 },
        { id: 'b', n: 2 },
      ],
      last: 'b',
      first: 'b',
      messages: [{ id: 'm1', text: 'changed' }],
      own: 30,
    }
    checkEqual(await app.run({}), expected, 'the state at the end')
  }),

  graphCase('a node cannot change the state it is given, unless it asked for a copy of its own', async keeping => {
    const graph = (mutable: boolean) =>
      new StateGraph({ state: { list: ['a'], seen: 0 } })
        .addNode(
          'writer',
          s => {
            ;(s.list as string[]).push('b')
            return { seen: s.list.length }
          },
          { mutable },
        )
        .compile(keeping)
    await checkRefuses(() => graph(false).run({}), 'state-frozen', 'a write to the state')
    checkEqual(await graph(true).run({}), { list: ['a'], seen: 2 }, 'the state beside a copy')
  }),

  graphCase('what caller and nodes hold on to changes no state', async keeping => {
    const kept = { deep: ['a'] }
    const app = new StateGraph({ state: { value: { deep: [] as string[] }, n: 0 } })
      .addNode('give', () => ({ value: { deep: [...kept.deep, 'b'] }, n: 1 }))
      .addNode('look', s => ({ n: s.value.deep.length }))
      .addEdge(START, 'give')
      .addEdge('give', 'look')
      .compile(keeping)
    const result = await app.run({ value: kept })
    let refused = false
    try {
      ;(result.value.deep as string[]).push('late')
    } catch {
      refused = true
    }
    checkEqual([result.n, result.value.deep, refused], [2, ['a', 'b'], true], 'the result, after a write to it')
  }),

  graphCase('two branches that write different things to a plain field are a conflict', async keeping => {
    const graph = (other: string) =>
      new StateGraph({ state: { draft: '' } })
        .addNodes({ a: () => ({ draft: 'a' }), b: () => ({ draft: other }) })
        .addEdge(START, 'a')
        .addEdge(START, 'b')
        .compile(keeping)
    await checkRefuses(() => graph('b').run({}), 'update-conflict', 'two drafts')
    checkEqual(await graph('a').run({}), { draft: 'a' }, 'the same draft twice')
  }),

  graphCase('a failed attempt leaves nothing, and another one starts as the first did', async keeping => {
    const seen: number[] = []
    const app = new StateGraph({ state: { list: ['a'], n: 0 }, reducers: { n: 'sum' } })
      .addNode(
        'fragile',
        (s, { attempt }) => {
          seen.push(s.list.length)
          ;(s.list as string[]).push('more')
          if (attempt < 3) throw new Error('not yet')
          return { n: attempt }
        },
        { mutable: true, retry: { maxAttempts: 3, backoff: 'fixed', initialMs: 0 } },
      )
      .compile(keeping)
    checkEqual(await app.run({}), { list: ['a'], n: 3 }, 'the state at the end')
    checkEqual(seen, [1, 1, 1], 'what each attempt saw')
  }),

  graphCase('a node that caches runs again only when what it read has changed', async keeping => {
    const ran: string[] = []
    const app = new StateGraph({ state: { question: '', other: 0, answer: '' } })
      .addNode(
        'answer',
        s => {
          ran.push(s.question)
          return { answer: `about ${s.question}` }
        },
        { cache: {} },
      )
      .compile(keeping)
    checkEqual((await app.run({ question: 'x', other: 1 })).answer, 'about x', 'an answer')
    checkEqual((await app.run({ question: 'x', other: 2 })).answer, 'about x', 'an answer from the cache')
    checkEqual((await app.run({ question: 'y', other: 2 })).answer, 'about y', 'another answer')
    checkEqual(ran, ['x', 'y'], 'what ran')
  }),

  graphCase('what goes wrong in a node is what the run is rejected with', async keeping => {
    class OutOfInk extends Error {}
    const app = new StateGraph({ state: { n: 0 } })
      .addNode('write', s => {
        if (s.n === 1) throw new OutOfInk('the pen is empty')
        return (s.n === 2 ? 5 : {}) as object
      })
      .compile(keeping)
    const error = await app.run({ n: 1 }).then(
      () => undefined,
      (reason: unknown) => reason,
    )
    checkEqual(error instanceof OutOfInk, true, "the node's own error")
    await checkRefuses(() => app.run({ n: 2 }), 'update-invalid', 'a node that returns a number')
  }),
]
