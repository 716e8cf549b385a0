/**
 * What the types of graphs promise, held by the compiler: this file is compiled with the tests and never runs.
 *
 * Fields, reducers, names and options that are wrong do not compile; what is right needs no annotations.
 */
import * as z from 'zod'
import {
  Command,
  END,
  type NodeContext,
  Send,
  SendBatch,
  START,
  StateGraph,
  type StateOf,
  type UpdateOf,
} from '../../src/graph/index.ts'
import { jsonSchema } from '../../src/repository/index.ts'
import type { Equal, IsTrue } from './equal.ts'

const ResearchState = z.object({
  prompt: z.string(),
  notes: z.array(z.string()).default([]),
  draft: z.string().default(''),
  confidence: z.number().default(0),
})

const research = new StateGraph({ state: ResearchState, reducers: { notes: 'append' } })
  .addNode('plan', async s => ({ notes: [`Plan: ${s.prompt}`] }))
  .addNode('research', async (s, { once }) => ({ notes: [await once('search', () => `facts on ${s.prompt}`)] }), {
    retry: { maxAttempts: 3, backoff: 'exponential' },
    cache: { ttlMs: 3_600_000, key: s => s.prompt },
  })
  .addNode('write', s => ({ draft: s.notes.join('\n') }))
  .addNode('review', s => ({ confidence: s.draft.length > 80 ? 0.9 : 0.4 }))
  .addEdge('plan', 'research')
  .addEdge('research', 'write')
  .addEdge('write', 'review')
  .addConditionalEdges('review', s => (s.confidence >= 0.85 ? END : 'research'))

export type ResearchTypes = [
  IsTrue<
    Equal<
      StateOf<typeof research>,
      {
        readonly prompt: string
        readonly notes: readonly string[]
        readonly draft: string
        readonly confidence: number
      }
    >
  >,
  IsTrue<Equal<UpdateOf<typeof research>['notes'], readonly string[] | undefined>>,
]

export async function locusPage(): Promise<void> {
  const app = research.compile()
  const result = await app.run({ prompt: 'Write a launch brief.' })
  const draft: string = result.draft
  for await (const event of app.run({ prompt: draft }, { events: ['updates', 'custom'] })) event.node.startsWith('re')

  // @ts-expect-error "'drft' is not a field of the state"
  research.addNode('typo', async () => ({ draft: 'x', drft: 'y' }))
  // @ts-expect-error the same of a node that also says where to go
  research.addNode('typo', () => new Command({ update: { drft: 'y' }, goto: END }))
  // @ts-expect-error '"reserch"' is not assignable to '"plan" | "research" | …'
  research.addEdge('plan', 'reserch')
  // @ts-expect-error a route knows the names too
  research.addConditionalEdges('plan', () => 'reserch')
  // @ts-expect-error so does a Send
  research.addConditionalEdges('plan', () => [new Send('reserch', {})])
  // @ts-expect-error and what a run pauses at
  research.compile({ interruptBefore: ['reserch'] })
  // @ts-expect-error a run needs what has no default
  await app.run({})
  // @ts-expect-error a state cannot be written to
  research.addNode('push', s => ({ notes: s.notes.push('x') ? [] : [] }))
  // @ts-expect-error a wrong value
  research.addNode('wrong', () => ({ confidence: 'high' }))
}

export const vendors = new StateGraph({
  state: { vendors: [] as string[], vendor: '', reviews: [] as string[], best: '' },
  reducers: { reviews: 'append' },
})
  .addNodes({
    plan: () => ({ vendors: ['a', 'b', 'c'] }),
    review_one: { run: async s => ({ reviews: [`${s.vendor}: good`] }), retry: { maxAttempts: 2 } },
    merge: s => ({ best: s.reviews[0] ?? '' }),
  })
  .addConditionalEdges('plan', s => s.vendors.map(vendor => new Send('review_one', { vendor })))
  .addConditionalEdges('plan', () => new SendBatch([new Send('review_one', {})], { join: 'merge' }))
  .addEdge('review_one', 'merge')
  .compile()

type ResearchUpdate = UpdateOf<typeof research>
export const lateNode = async (s: StateOf<typeof research>): Promise<ResearchUpdate> => ({ draft: s.draft.trim() })
research.addNode('late', lateNode)
research.addNode('from-infer', async (s: Readonly<z.infer<typeof ResearchState>>) => ({ draft: s.draft }), {
  mutable: true,
})

export async function approval(): Promise<void> {
  const refund = new StateGraph({ state: { amount: 0, approved: false, receipt: '' } })
    .addNode('ask', async (s, { interrupt }) => ({
      approved: await interrupt({ question: `Refund ${s.amount}?` }, z.boolean()),
    }))
    .addNode('pay', async (s, { once }) => ({ receipt: await once('charge', () => `paid ${s.amount}`) }))
    .addNode('decline', () => new Command({ goto: END, update: { receipt: 'declined' } }))
    .addEdge(START, 'ask')
    .addConditionalEdges('ask', s => (s.approved ? 'pay' : 'decline'))
    .compile()

  const thread = refund.thread('case-17')
  let now = await thread.run({ amount: 900 })
  if (now.status === 'paused') now = await thread.resume({ value: false })
  if (now.status === 'done') now.output.receipt.trim()
  await thread.update({ amount: 90 }, { as: 'ask' })
  // @ts-expect-error "'amont' is not a field of the state"
  await thread.update({ amont: 90 })
}

/** Reducers: those that fit compile, and say what a node may return. */
const counters = new StateGraph({
  state: {
    count: 0,
    best: 0,
    tags: new Set<string>(),
    byName: {} as Record<string, number>,
    deep: { a: { b: 1, c: 2 } },
    people: [] as { id: string; age: number }[],
    log: [] as string[],
    title: '',
  },
  reducers: {
    count: 'sum',
    best: 'max',
    tags: 'union',
    byName: 'merge',
    deep: 'deepMerge',
    people: { unionBy: 'id' },
    log: (base: readonly string[], line: string) => [...base, line],
    title: 'first',
  },
})
  .addNode('all', s => ({
    count: s.count + 1,
    tags: new Set(['x']),
    byName: { x: 1 },
    deep: { a: { c: 3 } },
    people: [{ id: 'a', age: 1 }],
    log: 'one line',
  }))
  .addNode('nothing', () => {})
  .addNode('later', async () => {})
export type CounterUpdate = [
  IsTrue<Equal<UpdateOf<typeof counters>['log'], string | undefined>>,
  IsTrue<Equal<StateOf<typeof counters>['log'], readonly string[]>>,
  IsTrue<Equal<StateOf<typeof counters>['tags'], ReadonlySet<string>>>,
]

export function wrongReducers(): void {
  // @ts-expect-error a text cannot be appended to
  new StateGraph({ state: { title: '' }, reducers: { title: 'append' } })
  // @ts-expect-error a list cannot be summed
  new StateGraph({ state: { list: [] as string[] }, reducers: { list: 'sum' } })
  // @ts-expect-error "'lst' is not a field of the state"
  new StateGraph({ state: { list: [] as string[] }, reducers: { list: 'append', lst: 'append' } })
  // @ts-expect-error elements have no such part
  new StateGraph({ state: { list: [] as { id: string }[] }, reducers: { list: { unionBy: 'name' } } })
  // @ts-expect-error the function gives something else than the field
  new StateGraph({ state: { count: 0 }, reducers: { count: (_base: number, delta: string) => delta } })
}

/** Agents, graphs as nodes, contexts, inputs and outputs, writable copies. */
class Agent {
  readonly #name: string
  constructor(name: string) {
    this.#name = name
  }
  async run(state: { readonly prompt: string }): Promise<{ draft: string }> {
    return { draft: this.#name + state.prompt }
  }
}
const parent = new StateGraph({
  state: ResearchState,
  reducers: { notes: 'append' },
  input: z.object({ prompt: z.string() }),
  output: z.object({ draft: z.string() }),
  context: z.object({ user: z.string() }),
  defaults: { retry: { maxAttempts: 2 } },
})
  .addNode('agent', new Agent('a'))
  .addNode('invoked', { invoke: async s => ({ draft: s.prompt }) })
  .addNode('inner', research.compile({ name: 'inner' }))
  .addNode('mapped', async (s, ctx) => ({ draft: (await ctx.run(vendors, { vendor: s.prompt })).best }))
  .addNode('who', (_s, { context }: NodeContext<{ user: string }>) => ({ draft: context.user }))
  .addNode('writable', s => ({ notes: [`${s.notes.push('x')}`] }), { mutable: true })
  .addEdge(START, 'agent')
  .addEdge(['agent', 'invoked'], 'inner')
  .addConditionalEdges('agent', (_s, { user }) => (user === '' ? END : 'mapped'), {
    mapped: 'somebody',
    [END]: 'nobody',
  })
export async function parentTypes(): Promise<string> {
  const app = parent.compile()
  // @ts-expect-error an agent that returns something else
  parent.addNode('other', { run: async () => ({ drft: 1 }) })
  return (await app.run({ prompt: 'x' }, { context: { user: 'me' } })).draft
}

/** A JSON Schema is typed by its author. */
export const fromJson = new StateGraph({
  state: jsonSchema<{ n: number }>({ properties: { n: { default: 0 } } }),
}).addNode('n', s => ({ n: s.n + 1 }))
