import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { isStateError } from '../../core/index.ts'
import { StateGraph } from '../app/state-graph.ts'
import type { GraphFault } from '../errors.ts'
import type { CompiledGraphPlan } from '../model/compiled-plan.ts'
import { setPlan } from '../model/compiled-plan.ts'
import type { NodeOptions } from '../model/node-options.ts'
import { END, START } from '../model/targets.ts'
import { compile } from './compile.ts'
import { checkContext } from './context-check.ts'
import type { DefinedGraph, DefinedNode } from './definition.ts'

type Told = { -readonly [K in keyof DefinedGraph]: DefinedGraph[K] }

function told(
  nodes: readonly (string | DefinedNode)[],
  edges: readonly string[],
  more: Partial<Told> = {},
): DefinedGraph {
  return {
    definition: { state: { n: 0 } },
    nodes: nodes.map(node => (typeof node === 'string' ? { name: node, node: () => ({}), options: {} } : node)),
    edges: edges.map(edge => {
      const [from = '', to = ''] = edge.split('>')
      return { from, to, isJoin: false }
    }),
    routes: [],
    ...more,
  }
}

function node(name: string, options: NodeOptions): DefinedNode {
  return { name, node: () => ({}), options }
}

function faultsOf(graph: DefinedGraph, options: Parameters<typeof compile>[1] = {}): readonly GraphFault[] {
  try {
    compile(graph, options)
    return []
  } catch (error) {
    if (!isStateError(error, 'graph-invalid')) throw error
    return (error.data as { faults: readonly GraphFault[] }).faults
  }
}

const codesOf = (graph: DefinedGraph, options = {}): readonly string[] =>
  faultsOf(graph, options).map(({ code }) => code)

describe('compile', () => {
  it('names every fault at once', () => {
    const graph = told(
      ['a', 'a', START, '', 'lost', node('b', { retry: { maxAttempts: 0 } })],
      [`${START}>a`, 'a>bb', 'x>a', `${END}>a`, `a>${START}`, 'a>b'],
      {
        definition: { state: { notes: [] }, reducers: { notes: 'apend', nots: 'append' } },
        routes: [{ from: 'a', route: () => 'b', targets: new Map([['c', undefined]]) }],
      },
    )
    const faults = faultsOf(graph, { interruptBefore: ['aa'], interruptAfter: ['zzz'], name: 'a/b' })
    expect(faults.map(({ code }) => code).sort()).toEqual([
      'edge-from-end',
      'edge-source-unknown',
      'edge-target-unknown',
      'edge-to-start',
      'interrupt-unknown',
      'interrupt-unknown',
      'name-invalid',
      'node-duplicate',
      'node-reserved',
      'node-unnamed',
      'node-unreachable',
      'node-unreachable',
      'option-invalid',
      'reducer-field-unknown',
      'reducer-unknown',
      'route-target-unknown',
    ])
    const words = faults.map(({ detail }) => detail).join(' ')
    expect(words).toContain("Did you mean 'append'?")
    expect(words).toContain("There is a reducer for 'nots', which is no field of the state. Did you mean 'notes'?")
    expect(words).toContain("The edge from 'a' to 'bb' leads to 'bb', which is no node.")
  })

  it('the builder reports them through its own compile', () => {
    expect(() =>
      new StateGraph({ state: { n: 0 } })
        .addNode('a', () => ({}))
        .addEdge('a', 'b' as 'a')
        .compile(),
    ).toThrow("leads to 'b', which is no node")
  })

  it('knows the entry: what START leads to, or the only node that nothing leads to', () => {
    expect(compile(told(['a', 'b'], ['a>b']), {}).edges.get(START)).toEqual(['a'])
    expect(compile(told(['a', 'b'], [`${START}>b`, 'b>a', 'a>b']), {}).edges.get(START)).toEqual(['b'])
    expect(codesOf(told(['a', 'b'], ['a>b', 'b>a']))).toEqual(['entry-missing'])
    expect(codesOf(told(['a', 'b'], []))).toEqual(['entry-ambiguous'])
    expect(codesOf(told([], []))).toEqual(['graph-empty'])
    expect(compile(told(['a'], ['a>a']), {}).edges.get(START)).toEqual(['a'])
  })

  it('of several nodes that nothing leads to, the one with a route to anywhere is the entry', () => {
    const routes = [{ from: 'plan', route: () => 'review' }]
    const plan = compile(told(['plan', 'review', 'merge'], ['review>merge'], { routes }), {})
    expect(plan.edges.get(START)).toEqual(['plan'])
    const both = [...routes, { from: 'review', route: () => 'plan' }]
    expect(codesOf(told(['plan', 'review'], [], { routes: both }))).toEqual(['entry-ambiguous'])
  })

  it('a node is unreachable when nothing that is declared leads to it, and no route may lead anywhere', () => {
    const edges = [`${START}>a`]
    expect(codesOf(told(['a', 'b'], edges))).toEqual(['node-unreachable'])
    expect(codesOf(told(['a', 'b'], edges, { routes: [{ from: 'a', route: () => 'b' }] }))).toEqual([])
    expect(
      codesOf(told(['a', 'b'], edges, { routes: [{ from: 'a', route: () => 'b', targets: new Map([['b', 'yes']]) }] })),
    ).toEqual([])
    expect(codesOf(told([node('a', { goto: ['b'] }), 'b'], edges))).toEqual([])
    expect(codesOf(told([node('a', { goto: ['c'] })], edges))).toEqual(['goto-unknown'])
  })

  it('checks the options of nodes and the defaults', () => {
    const wrong: readonly NodeOptions[] = [
      { retry: { maxAttempts: 1.5 } },
      { retry: { maxAttempts: 1, backoff: 'slow' as 'fixed' } },
      { retry: { maxAttempts: 1, initialMs: -1 } },
      { timeoutMs: 0 },
      { timeoutMs: Number.NaN },
      { cache: { ttlMs: -5 } },
      { join: { quorum: 0 } },
      { join: 'some' as 'any' },
      { defer: true, join: 'any' },
      { input: {} as never },
      { onError: 'ignore' as 'fail' },
      { retries: 3 } as never,
    ]
    for (const options of wrong)
      expect(codesOf(told([node('a', options)], [])), JSON.stringify(options)).toEqual(['option-invalid'])
    expect(
      codesOf(told(['a'], [], { definition: { state: {}, defaults: { defer: true, timeoutMs: 0 } as never } })),
    ).toEqual(['option-invalid', 'option-invalid'])
    expect(faultsOf(told([node('a', { timeoutMS: 1 } as never)], []))[0]!.detail).toContain("Did you mean 'timeoutMs'?")
  })

  it('fills in defaults, whole options winning', () => {
    const definition = { state: {}, defaults: { timeoutMs: 5, retry: { maxAttempts: 2 } } }
    const plan = compile(told([node('a', { retry: { maxAttempts: 9 }, timeoutMs: undefined })], [], { definition }), {})
    expect(plan.nodes.get('a')!.options).toEqual({ timeoutMs: 5, retry: { maxAttempts: 9 } })
  })

  it('refuses definitions that describe nothing', () => {
    const codes = (definition: object): readonly string[] =>
      codesOf(told(['a'], [], { definition: definition as never }))
    expect(codes({ state: 5 })).toEqual(['state-invalid'])
    expect(codes({ state: { a: 1 }, input: null, output: new Map() })).toEqual(['input-invalid', 'output-invalid'])
    expect(codes({ state: { a: 1 }, input: { b: 1 }, output: { c: 1 } })).toEqual([
      'input-field-unknown',
      'output-field-unknown',
    ])
    expect(codes({ state: {}, context: {} })).toEqual(['context-invalid'])
    expect(codesOf(told([{ name: 'a', node: 5, options: {} }], []))).toEqual(['node-not-runnable'])
    expect(codesOf(told(['a'], [], { routes: [{ from: 'a', route: 'b' }] }))).toEqual(['route-invalid'])
  })

  it('finds the joins', () => {
    const graph = told(
      ['a', 'b', 'c', 'two', node('rule', { join: 'any' }), node('late', { defer: true }), 'one'],
      ['a>b', 'a>c', 'b>two', 'c>two', 'two>rule', 'two>late', 'two>one'],
    )
    const listed = { ...graph, edges: [...graph.edges, { from: 'b', to: 'one', isJoin: true }] }
    expect([...compile(graph, {}).joins]).toEqual([
      ['two', ['b', 'c']],
      ['rule', ['two']],
      ['late', ['two']],
    ])
    expect(compile(listed, {}).joins.get('one')).toEqual(['two', 'b'])
  })

  it('runs functions, objects with run or invoke, and knows compiled graphs', () => {
    const app = (): object => ({})
    const inner = compile(told(['x'], []), { name: 'inner' })
    setPlan(app, inner)
    class Agent {
      readonly #word = 'run'
      run(): object {
        return { said: this.#word }
      }
    }
    const nodes = [
      { name: 'agent', node: new Agent(), options: {} },
      { name: 'chain', node: { invoke: () => ({ said: 'invoke' }) }, options: {} },
      { name: 'graph', node: app, options: {} },
    ]
    const plan = compile(told(nodes, ['agent>chain', 'chain>graph']), {})
    expect(plan.nodes.get('agent')!.run({}, {} as never)).toEqual({ said: 'run' })
    expect(plan.nodes.get('chain')!.run({}, {} as never)).toEqual({ said: 'invoke' })
    expect(plan.nodes.get('graph')!.subgraph).toBe(inner)
    expect([...plan.nodes.values()].map(({ order }) => order)).toEqual([0, 1, 2])
  })

  it('a plan does not change when its graph is told more', () => {
    const graph = told(['a'], [])
    const nodes = [...graph.nodes]
    const plan = compile({ ...graph, nodes }, {})
    nodes.push(node('b', {}))
    expect([...plan.nodes.keys()]).toEqual(['a'])
    expect(Object.isFrozen(plan)).toBe(true)
  })

  it('ten thousand nodes are compiled at once', () => {
    const names = Array.from({ length: 10_000 }, (_, i) => `n${i}`)
    const plan: CompiledGraphPlan = compile(
      told(
        names,
        names.slice(1).map((name, i) => `n${i}>${name}`),
      ),
      {},
    )
    expect(plan.nodes.size).toBe(10_000)
  })

  it('checks the context of a run', () => {
    const plan = compile(
      told(['a'], [], { definition: { state: {}, context: z.object({ user: z.string().default('me') }) } }),
      {},
    )
    expect(checkContext(plan, {})).toEqual({ user: 'me' })
    expect(() => checkContext(plan, { user: 5 })).toThrow('The context does not fit its schema: /user')
    expect(checkContext(compile(told(['a'], []), {}), 'anything')).toBe('anything')
  })
})
