/** A thread begins with the schemas of the branch that its app was compiled on, and no step of it breaks them. */

import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { END, START, StateGraph } from '../../src/graph/index.ts'
import { pull, verify } from '../../src/maintenance/index.ts'
import { open, type Repository } from '../../src/repository/index.ts'
import { schemas } from '../../src/schema/index.ts'

const small = { type: 'integer', maximum: 10 }

let repo: Repository
beforeEach(async () => {
  repo = await open()
  onTestFinished(() => repo.close())
  await schemas(repo).attach('/count', small, {}, 'Counts are small')
})

/** Counts up by what the second node is told to. */
function counter(by: { value: number }, on: Repository = repo) {
  return new StateGraph({ state: { count: 0, seen: [] as number[] }, reducers: { seen: 'append' } })
    .addNode('look', ({ count }) => ({ seen: [count] }))
    .addNode('add', ({ count }) => ({ count: count + by.value }))
    .addEdge('look', 'add')
    .addEdge('add', END)
    .compile({ repo: on, name: 'counter' })
}

const tooMany = { code: 'schema-violation', data: { violations: [{ path: '/count', rule: 'maximum' }] } }

describe('a strict schema of the branch', () => {
  it('refuses a step, naming place and node, and the thread goes on from the step before', async () => {
    const by = { value: 50 }
    const thread = counter(by).thread('t')
    const failed = await thread.run({ count: 1 })
    expect(failed).toMatchObject({ status: 'failed', state: { count: 1, seen: [1] }, node: 'add' })
    const { error } = failed as { error: Error }
    expect(error).toMatchObject({ ...tooMany, data: { ...tooMany.data, nodes: ['add'] } })
    expect(error.message).toMatch(/^add: .*\/count/)
    expect(await thread.state()).toMatchObject({ status: 'failed', state: { count: 1 } })
    by.value = 5
    expect((await thread.resume()).state).toEqual({ count: 6, seen: [1] })
    expect(await verify(repo)).toMatchObject({ ok: true })
  })

  it('refuses an input, and there is no thread', async () => {
    const app = counter({ value: 1 })
    await expect(app.thread('t').run({ count: 11 })).rejects.toMatchObject({ data: { nodes: ['the input'] } })
    expect(await app.threads()).toEqual([])
  })

  it('refuses an update', async () => {
    const thread = counter({ value: 1 }).thread('t')
    await thread.run({})
    await expect(thread.update({ count: 99 })).rejects.toMatchObject({ ...tooMany, data: { nodes: ['the update'] } })
    await expect(thread.update({ count: 99 }, { as: 'look' })).rejects.toMatchObject({ data: { nodes: ['look'] } })
    expect((await thread.state()).state.count).toBe(1)
  })

  it('refuses a run that waits for nothing, and one that is kept when it stops', async () => {
    const app = counter({ value: 50 })
    expect(() => app.runSync({})).toThrow(expect.objectContaining({ code: 'schema-violation' }))
    await expect(app.thread('t').run({}, { durability: 'exit' })).rejects.toMatchObject({ data: { nodes: ['add'] } })
    await expect(app.thread('t').state()).rejects.toMatchObject({ code: 'thread-not-found' })
  })

  it('is the failure of those members of a group that broke it, and only they run again', async () => {
    const ran: string[] = []
    let count = 50
    const app = new StateGraph({ state: { count: 0, other: 0 } })
      .addNodes({
        good: () => {
          ran.push('good')
          return { other: 1 }
        },
        bad: () => {
          ran.push('bad')
          return { count }
        },
        end: () => ({}),
      })
      .addEdge(START, 'good')
      .addEdge(START, 'bad')
      .addEdge(['good', 'bad'], 'end')
      .compile({ repo, name: 'group' })
    const thread = app.thread('t')
    expect(await thread.run({})).toMatchObject({ status: 'failed', node: 'bad', error: { data: { nodes: ['bad'] } } })
    expect(await thread.resume()).toMatchObject({ status: 'failed', node: 'bad' })
    count = 5
    expect(await thread.resume()).toMatchObject({ status: 'done', state: { count: 5, other: 1 } })
    expect(ran).toEqual(['good', 'bad', 'bad', 'bad'])
  })

  it('takes back what was made of what it refused: the rest of the chain, and the graph inside a node', async () => {
    let count = 50
    const ran: string[] = []
    const inner = new StateGraph({ state: { count: 0 } })
      .addNode('first', () => {
        ran.push('first')
        return { count }
      })
      .addNode('second', () => ({}))
      .addEdge('first', 'second')
      .addEdge('second', END)
      .compile({ name: 'inner' })
    const app = new StateGraph({ state: { count: 0, seen: 0, other: 0 } })
      .addNode('inner', async (_state, ctx) => ({ count: (await ctx.run(inner, {})).count }))
      .addNode('look', state => ({ seen: state.count }))
      .addNode('other', () => {
        ran.push('other')
        return { other: 1 }
      })
      .addNode('end', () => ({}))
      .addEdge(START, 'inner')
      .addEdge(START, 'other')
      .addEdge('inner', 'look')
      .addEdge(['look', 'other'], 'end')
      .compile({ repo, name: 'outer' })
    const thread = app.thread('t')
    expect(await thread.run({})).toMatchObject({ status: 'failed', node: 'inner' })
    count = 7
    const told: { readonly node: string; readonly update: unknown }[] = []
    const run = thread.resume([], { events: ['updates'] })
    for await (const event of run) if (event.kind === 'updates') told.push(event)
    expect(await run).toMatchObject({ status: 'done', state: { count: 7, seen: 7, other: 1 } })
    expect(ran.sort()).toEqual(['first', 'first', 'other'])
    const nodes = new Map(told.map(({ node, update }) => [node, update]))
    expect([nodes.get('inner'), nodes.get('look'), nodes.get('end')]).toEqual([{ count: 7 }, { seen: 7 }, {}])
    expect(nodes.has('other')).toBe(false)
  })

  it('that only warns lets a step land with its warnings, and the thread goes on', async () => {
    await schemas(repo).attach('/count', small, { enforcement: 'warn' }, 'Counts should be small')
    const thread = counter({ value: 50 }).thread('t')
    expect(await thread.run({})).toMatchObject({ status: 'done', state: { count: 50 } })
    const [last] = await repo.on(thread.branchName).log({ limit: 1 })
    expect(last!.warnings).toMatchObject([{ path: '/count', rule: 'maximum' }])
    expect(await thread.run({ count: 1 })).toMatchObject({ status: 'done', state: { count: 51 } })
  })

  it('names all whose changes a rule looks at', async () => {
    const sum = { if: { properties: { a: { const: 0 } } }, else: { properties: { b: { maximum: 5 } } } }
    await schemas(repo).attach('/', sum, {}, 'They go together')
    const app = new StateGraph({ state: { a: 0, b: 9 } })
      .addNode('only', () => ({ a: 1 }))
      .addEdge('only', END)
      .compile({ repo, name: 'rule' })
    await expect(app.run({})).rejects.toMatchObject({ data: { violations: [{ path: '/b' }], nodes: ['only'] } })
  })
})

describe('the schemas of a thread', () => {
  it('are those that the branch had when it began', async () => {
    const by = { value: 1 }
    const before = counter(by).thread('before')
    await before.run({})
    await schemas(repo).detach('/count', 'Any count')
    const after = counter(by).thread('after')
    await after.run({})
    by.value = 50
    expect(await before.run({})).toMatchObject({ status: 'failed', error: tooMany })
    expect(await after.run({})).toMatchObject({ status: 'done', state: { count: 51 } })
  })

  it('are those of the branch that the app was compiled on', async () => {
    const free = await repo.branch('free')
    await schemas(free).detach('/count', 'Any count')
    expect(await counter({ value: 50 }, free).run({})).toMatchObject({ count: 50 })
    expect(await counter({ value: 50 }, repo.on('nothing-here')).run({})).toMatchObject({ count: 50 })
    await expect(counter({ value: 50 }).run({})).rejects.toMatchObject(tooMany)
  })

  it('are named by its commits, and go with it to another store', async () => {
    await counter({ value: 1 }).thread('t').run({})
    const { schema } = (await repo.log({ limit: 1 }))[0]!
    expect(schema).toBeDefined()
    const steps = await repo.on('thread/counter/t').log()
    expect(steps.map(commit => commit.schema)).toEqual(steps.map(() => schema))
    await using other = await open()
    await pull(other, repo)
    expect(await counter({ value: 50 }, other).thread('t').run({})).toMatchObject({ status: 'failed', error: tooMany })
    expect(await verify(other)).toMatchObject({ ok: true })
  })
})
