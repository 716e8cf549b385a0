/** How a run may be asked for: what is misspelt or makes no sense is refused by name, and nothing was done. */
import { describe, expect, it } from 'vitest'
import { StateGraph } from '../../src/graph/index.ts'
import { open } from '../../src/repository/index.ts'
import { allStores, openNew, refusalOf } from '../repo/support/open-stores.ts'
import { gate } from './support/engine-run.ts'

const told = () => new StateGraph({ state: { n: 0 }, reducers: { n: 'sum' } }).addNode('count', () => ({ n: 1 }))

const wrong: readonly (readonly [options: object, words: string])[] = [
  [{ maxSteps: 0 }, 'maxSteps is 0, and has to be a number of 1 or more.'],
  [{ maxSteps: Number.NaN }, 'maxSteps is NaN'],
  [{ maxSteps: '9' }, 'maxSteps is "9"'],
  [{ maxConcurrency: 0 }, 'maxConcurrency is 0'],
  [{ maxStep: 9 }, "There is no option 'maxStep'. Did you mean 'maxSteps'?"],
  [{ durability: 'async' }, "durability is \"async\", and has to be 'sync' or 'exit'."],
  [{ events: ['update'] }, 'events is ["update"], and has to be a list of values, updates'],
  [{ after: -1 }, 'after is -1'],
  [{ maxSteps: 0, maxConcurrency: 0 }, 'maxSteps is 0, and has to be a number of 1 or more. maxConcurrency is 0'],
]

describe('options of a run', () => {
  it.each(wrong)('%j are refused in words', async (options, words) => {
    const app = told().compile({ repo: await open() })
    for (const on of [told().compile(), app, app.thread('t')]) {
      const refused = await refusalOf(Promise.resolve(on.run({}, options)))
      expect(refused.code).toBe('run-options-invalid')
      expect(refused.message).toContain(words)
    }
    expect(await refusalOf(app.thread('t').state())).toMatchObject({ code: 'thread-not-found' })
  })

  it('belong to what takes them', async () => {
    const app = told().compile({ repo: await open() })
    expect(() => app.runSync({}, { signal: undefined } as object)).toThrow("There is no option 'signal'")
    const resumed = app.thread('t').resume(undefined, { whenBusy: 'queue' } as object)
    expect((await refusalOf(Promise.resolve(resumed))).message).toContain("There is no option 'whenBusy'")
    expect(await app.thread('t').run({}, { whenBusy: 'queue', maxSteps: Infinity })).toMatchObject({ state: { n: 1 } })
  })
})

it('options inside the options of a node are spelt as they are known', () => {
  const faultsOf = (options: object) => () =>
    told()
      .addNode('more', () => {}, options)
      .compile()
  expect(faultsOf({ retry: { maxAttempts: 2, initalMs: 5 } })).toThrow(
    "retry has no 'initalMs'. Did you mean 'initialMs'?",
  )
  expect(faultsOf({ retry: 3 })).toThrow('retry has to be an object')
  expect(faultsOf({ cache: { ttl: 5 } })).toThrow("cache has no 'ttl'")
  expect(faultsOf({ cache: true })).toThrow('cache has to be an object')
})

it('what defines and compiles a graph is spelt as it is known, and a repository is one that is open', () => {
  const misspelt = { state: { n: 0 }, reducer: { n: 'sum' } } as { state: { n: number } }
  expect(() => new StateGraph(misspelt).addNode('a', () => {}).compile({ repository: open() } as object)).toThrow(
    "compile takes no 'repository'. A graph is defined by no 'reducer'. Did you mean 'reducers'?",
  )
  expect(() => told().compile({ repo: open() as never })).toThrow('a promise of one: give what await open() gives')
})

describe.each(allStores)('questions and answers on $name', store => {
  const asking = async (payload: unknown) =>
    new StateGraph({ state: { said: '' as unknown } })
      .addNode('ask', async (_, ctx) => ({ said: await ctx.interrupt(payload) }))
      .compile({ repo: await openNew(store) })
      .thread('t')

  it('an answer is an object with a value, and there is one for each question', async () => {
    const thread = await asking('sure?')
    await thread.run({})
    for (const bare of [true, 'yes', {}]) {
      const refused = await refusalOf(Promise.resolve(thread.resume(bare as never)))
      expect(refused).toMatchObject({ code: 'answer-malformed' })
    }
    const twice = thread.resume([{ value: 1 }, { value: 2 }])
    expect(await refusalOf(Promise.resolve(twice))).toMatchObject({ code: 'answer-invalid' })
    expect(await thread.state()).toMatchObject({ status: 'paused' })
    expect(await thread.resume({ value: false })).toMatchObject({ status: 'done', state: { said: false } })
  })

  it('a question that cannot be stored fails its node, and the thread can go on', async () => {
    const question = { handler: () => {} } as { handler: unknown }
    const thread = await asking(question)
    const failed = await thread.run({})
    expect(failed).toMatchObject({ status: 'failed', node: 'ask', error: { code: 'value-refused' } })
    question.handler = 'later'
    const paused = await thread.resume()
    expect(paused).toMatchObject({ status: 'paused', interrupts: [{ payload: { handler: 'later' } }] })
  })
})

describe.each(allStores)('going on, on $name', store => {
  const waiting = async (at: Promise<void>) =>
    new StateGraph({ state: { n: 0 }, reducers: { n: 'sum' } })
      .addNode('first', () => ({ n: 1 }))
      .addNode('second', async () => {
        await at
        return { n: 10 }
      })
      .addEdge('first', 'second')
      .compile({ repo: await openNew(store), interruptBefore: ['first'] })

  it('a loop over it that is left has stopped when the next line runs', async () => {
    const at = gate()
    const thread = (await waiting(at.promise)).thread('t')
    await thread.run({})
    for await (const _ of thread.resume()) break
    expect(await thread.state()).toMatchObject({ status: 'idle', next: ['second'] })
    at.open()
    expect(await thread.resume()).toMatchObject({ status: 'done', state: { n: 11 } })
  })

  it('what cannot begin can be cancelled and left all the same', async () => {
    const thread = (await waiting(Promise.resolve())).thread('none')
    const run = thread.resume([], { maxSteps: 0 })
    run.cancel()
    expect(await refusalOf(Promise.resolve(run))).toMatchObject({ code: 'run-options-invalid' })
  })
})
