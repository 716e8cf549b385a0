/** Threads of graphs on a repository: steps are commits, and everything a repository can do works on them. */
import { describe, expect, it } from 'vitest'
import { END, Send, START, StateGraph } from '../../src/graph/index.ts'
import { exportRepository, gc, importRepository, verify } from '../../src/maintenance/index.ts'
import { open, type Repository } from '../../src/repository/index.ts'
import { memoryBackend } from '../../src/store/index.ts'
import { allStores, openNew, refusalOf } from '../repo/support/open-stores.ts'

const state = { n: 0, notes: [] as string[], draft: '' }
const reducers = { notes: 'append', n: 'sum' } as const

function chain(repo: Repository) {
  return new StateGraph({ state, reducers })
    .addNode('plan', s => ({ notes: [`plan ${s.draft}`], n: 1 }))
    .addNode('write', s => ({ draft: s.notes.join('; ') }))
    .addEdge('plan', 'write')
    .addEdge('write', END)
    .compile({ repo, name: 'chain' })
}

/** Asks once in each of two members, and counts what runs. */
function approval(repo: Repository | undefined, ran: string[] = []) {
  return new StateGraph({ state, reducers })
    .addNodes({
      start: () => ({ n: 1 }),
      left: async (_s, ctx) => {
        await ctx.once('mail', () => ran.push('mail'))
        return { notes: [`left ${await ctx.interrupt('left?')}`] }
      },
      right: async (_s, ctx) => ({ notes: [`right ${await ctx.interrupt('right?')}`] }),
      plain: () => {
        ran.push('plain')
        return { notes: ['plain'] }
      },
      end: s => ({ draft: s.notes.join() }),
    })
    .addEdge('start', 'left')
    .addEdge('start', 'right')
    .addEdge('start', 'plain')
    .addEdge(['left', 'right', 'plain'], 'end')
    .compile({ ...(repo === undefined ? {} : { repo }), name: 'approval' })
}

/** Fails in one of two members as long as it is told to. */
function fragile(repo: Repository, broken: { is: boolean }, ran: string[]) {
  return new StateGraph({ state, reducers })
    .addNodes({
      good: () => {
        ran.push('good')
        return { notes: ['good'] }
      },
      bad: () => {
        ran.push('bad')
        if (broken.is) throw Object.assign(new RangeError('out of range', { cause: new Error('deep') }), { code: 'E1' })
        return { notes: ['mended'] }
      },
      end: s => ({ draft: s.notes.join() }),
    })
    .addEdge(START, 'good')
    .addEdge(START, 'bad')
    .addEdge(['good', 'bad'], 'end')
    .compile({ repo, name: 'fragile' })
}

describe.each(allStores)('threads on $name', store => {
  it('every step is a commit with its intent, and blame names node and attempt', async () => {
    const repo = await openNew(store)
    const app = chain(repo.as('agent/writer') as Repository)
    const thread = app.thread('t1')
    expect(await thread.run({ draft: 'x' })).toMatchObject({
      status: 'done',
      thread: 't1',
      state: { n: 1, notes: ['plan x'], draft: 'plan x' },
      output: { n: 1 },
    })
    const branch = repo.on(thread.branchName)
    const log = await branch.log()
    expect(log.map(({ agent, intent }) => [agent, intent.category, intent.description])).toEqual([
      ['agent/writer', 'Refine', 'write'],
      ['agent/writer', 'Refine', 'plan'],
      ['agent/writer', 'Checkpoint', 'Input'],
    ])
    expect(await branch.blame('/draft')).toMatchObject({ value: 'plan x', draft: { node: 'write', attempt: 1 } })
    expect((await branch.blame('/notes/0')).draft).toEqual({ label: 'plan', node: 'plan', attempt: 1 })
    expect((await repo.query({ intent: log[2]!.intent.id })).length).toBe(3)
    expect((await repo.query({ text: 'write' })).length).toBe(1)
    expect(await verify(repo)).toMatchObject({ ok: true, damage: [] })
  })

  it('input is given again and again to one thread, and its state goes on', async () => {
    const repo = await openNew(store)
    const thread = chain(repo).thread('chat')
    await thread.run({ draft: 'a' })
    expect(await thread.run({ draft: 'b' })).toMatchObject({ state: { n: 2, notes: ['plan a', 'plan b'] } })
    expect(await chain(repo).thread('chat').state()).toMatchObject({ status: 'done', state: { n: 2 } })
  })

  it('history is newest first, in pages too, and ends with the input', async () => {
    const repo = await openNew(store)
    const thread = chain(repo).thread('t')
    await thread.run({ draft: 'x' })
    const history = await thread.history()
    expect(history.map(({ status, state }) => [status, state.draft])).toEqual([
      ['done', 'plan x'],
      ['idle', 'x'],
      ['idle', 'x'],
    ])
    expect(history[2]).toMatchObject({ next: ['plan'] })
    const first = await thread.history().page({ limit: 2 })
    const second = await thread.history().page({ limit: 2, after: first.next! })
    expect([...first.items, ...second.items]).toEqual(history)
    expect(second.next).toBeUndefined()
    expect((await thread.history({ limit: 1 })).length).toBe(1)
  })

  it('a fork from a step runs again from there, and the other thread stays as it was', async () => {
    const repo = await openNew(store)
    const thread = chain(repo).thread('t')
    await thread.run({ draft: 'x' })
    const [, afterPlan] = await thread.history()
    const fork = await thread.fork('u', { from: afterPlan!.commit })
    expect(await fork.state()).toMatchObject({ status: 'idle', next: ['write'] })
    await fork.update({ notes: ['edited'] })
    expect(await fork.resume()).toMatchObject({ status: 'done', state: { draft: 'plan x; edited' } })
    expect(await thread.state()).toMatchObject({ state: { draft: 'plan x' } })
    const changes = await repo.diff(thread.branchName, fork.branchName)
    expect(changes.map(({ path }) => path).sort()).toEqual(['/draft', '/notes/1'])
    const why = { description: 'Take the edited one', policies: { '/draft': 'theirs' as const } }
    await repo.on(thread.branchName).merge(fork.branchName, why)
    expect(await thread.state()).toMatchObject({ status: 'done', state: { draft: 'plan x; edited' } })
    expect(await refusalOf(thread.fork('u'))).toMatchObject({ code: 'thread-exists' })
    const [, , start] = await fork.history()
    await repo.set('/main', 1, 'Elsewhere')
    expect(await refusalOf(thread.fork('v', { from: (await repo.head()).id }))).toMatchObject({
      code: 'step-not-found',
    })
    expect(start!.commit).toBe(afterPlan!.commit)
    expect(await verify(repo)).toMatchObject({ ok: true, damage: [] })
  })

  it('an update as a node goes through the reducers and on to where that node leads', async () => {
    const repo = await openNew(store)
    const thread = chain(repo).thread('t')
    await thread.run({ draft: 'x' })
    expect(await thread.update({ notes: ['by hand'] }, { as: 'plan' })).toMatchObject({
      status: 'idle',
      next: ['write'],
      state: { notes: ['plan x', 'by hand'] },
    })
    expect((await repo.on(thread.branchName).blame('/notes/1')).draft).toMatchObject({ node: 'plan' })
    expect(await thread.resume()).toMatchObject({ status: 'done', state: { draft: 'plan x; by hand' } })
    // @ts-expect-error no such node
    expect(await refusalOf(thread.update({ n: 1 }, { as: 'nobody' }))).toMatchObject({ code: 'node-unknown' })
    // @ts-expect-error no such field
    expect(await refusalOf(thread.update({ nope: 1 }))).toMatchObject({ code: 'update-invalid' })
  })

  it('a pause is a value; siblings are not run again; answers come one by one, and effects happen once', async () => {
    const repo = await openNew(store)
    const ran: string[] = []
    const thread = approval(repo, ran).thread('a')
    const paused = await thread.run({})
    if (paused.status !== 'paused') throw new Error(paused.status)
    expect(paused.interrupts.map(({ node, payload }) => [node, payload])).toEqual([
      ['left', 'left?'],
      ['right', 'right?'],
    ])
    expect(await refusalOf(Promise.resolve(thread.resume({ value: 1 })))).toMatchObject({ code: 'answer-ambiguous' })
    expect(await thread.state()).toEqual(paused)
    const [left, right] = paused.interrupts
    const half = await approval(repo, ran).thread('a').resume({ id: right!.id, value: false })
    expect(half).toMatchObject({ status: 'paused', interrupts: [{ id: left.id }] })
    await repo.on(thread.branchName).set('/draft', 'edited meanwhile', 'By hand')
    expect(await thread.state()).toMatchObject({ status: 'paused', state: { draft: 'edited meanwhile' } })
    expect(await thread.resume({ value: 'yes' })).toMatchObject({
      status: 'done',
      state: { notes: ['left yes', 'right false', 'plain'], draft: 'left yes,right false,plain' },
    })
    expect(ran.sort()).toEqual(['mail', 'plain'])
    expect(await verify(repo)).toMatchObject({ ok: true, damage: [] })
  })

  it('a fork at a pause shares what has finished and what waits', async () => {
    const repo = await openNew(store)
    const ran: string[] = []
    const app = approval(repo, ran)
    const paused = await app.thread('a').run({})
    if (paused.status !== 'paused') throw new Error(paused.status)
    const fork = await app.thread('a').fork('b')
    const answers = paused.interrupts.map(({ id }) => ({ id, value: 'b' }))
    expect(await fork.resume(answers)).toMatchObject({
      status: 'done',
      state: { notes: ['left b', 'right b', 'plain'] },
    })
    expect(await app.thread('a').state()).toEqual(paused)
    expect(ran.filter(one => one === 'plain').length).toBe(1)
  })

  it('a failure is kept with its causes, and only the failed task runs again', async () => {
    const repo = await openNew(store)
    const ran: string[] = []
    const broken = { is: true }
    const failed = await fragile(repo, broken, ran).thread('f').run({})
    expect(failed).toMatchObject({ status: 'failed', node: 'bad', next: ['bad'] })
    const read = await fragile(repo, broken, ran).thread('f').state()
    if (read.status !== 'failed') throw new Error(read.status)
    expect(read.error).toBeInstanceOf(Error)
    expect(read.error).toMatchObject({
      name: 'RangeError',
      message: 'out of range',
      code: 'E1',
      cause: { message: 'deep' },
    })
    broken.is = false
    expect(await fragile(repo, broken, ran).thread('f').resume()).toMatchObject({
      status: 'done',
      state: { notes: ['good', 'mended'] },
    })
    expect(ran).toEqual(['good', 'bad', 'bad'])
  })

  it('a value that cannot be stored fails its node by name, and its siblings stay finished', async () => {
    const repo = await openNew(store)
    let value: unknown = () => {}
    const ran: string[] = []
    const app = new StateGraph({
      state: { any: undefined as unknown, notes: [] as string[] },
      reducers: { notes: 'append' },
    })
      .addNodes({
        good: () => {
          ran.push('good')
          return { notes: ['good'] }
        },
        bad: () => ({ any: { deep: value } }),
        end: () => ({ notes: ['end'] }),
      })
      .addEdge(START, 'good')
      .addEdge(START, 'bad')
      .addEdge(['good', 'bad'], 'end')
      .compile({ repo })
    const failed = await app.thread('t').run({})
    if (failed.status !== 'failed') throw new Error(failed.status)
    expect(failed.node).toBe('bad')
    expect(failed.error).toMatchObject({ code: 'value-refused' })
    expect(failed.error.message).toContain('/any/deep')
    expect(failed.error.message).toContain('bad')
    value = 1
    expect(await app.thread('t').resume()).toMatchObject({ status: 'done', state: { any: { deep: 1 } } })
    expect(ran).toEqual(['good'])
    expect(await refusalOf(Promise.resolve(app.thread('u').run({ any: () => {} })))).toMatchObject({
      code: 'value-refused',
    })
    expect(await refusalOf(app.thread('u').state())).toMatchObject({ code: 'thread-not-found' })
  })

  it('a thread of an older graph goes on in a newer one: new fields begin, old ones stay out of sight', async () => {
    const repo = await openNew(store)
    const older = new StateGraph({ state: { old: 'x', n: 0 } })
      .addNode('ask', async (_s, ctx) => ({ n: await ctx.interrupt<number>('n?') }))
      .compile({ repo })
    await older.thread('t').run({})
    const newer = new StateGraph({ state: { n: 0, list: ['first'] }, reducers: { list: 'append' } })
      .addNode('ask', async (_s, ctx) => ({ n: await ctx.interrupt<number>('n?'), list: ['second'] }))
      .compile({ repo })
    expect((await newer.thread('t').state()).state).toEqual({ n: 0, list: ['first'] })
    expect(await newer.thread('t').resume({ value: 5 })).toMatchObject({
      status: 'done',
      state: { n: 5, list: ['first', 'second'] },
    })
    expect(await repo.on(newer.thread('t').branchName).get('/')).toEqual({ old: 'x', n: 5, list: ['first', 'second'] })
  })

  it('threads are listed by prefix and status, and a deleted one is gone', async () => {
    const repo = await openNew(store)
    const app = approval(repo)
    await app.thread('case/2').run({})
    await app.thread('case/1').run({})
    await app.thread('other').run({})
    await chain(repo).thread('case/3').run({ draft: '' })
    expect(await app.threads({ prefix: 'case/' })).toEqual([
      { id: 'case/1', status: 'paused' },
      { id: 'case/2', status: 'paused' },
    ])
    const page = await app.threads({ limit: 2 }).page({ limit: 1 })
    expect(page.items.map(({ id }) => id)).toEqual(['case/1'])
    expect((await app.threads({ limit: 2 }).page({ limit: 5, after: page.next! })).items.map(({ id }) => id)).toEqual([
      'case/2',
    ])
    expect(await app.threads({ status: 'done' })).toEqual([])
    await app.thread('case/1').delete()
    expect((await app.threads()).map(({ id }) => id)).toEqual(['case/2', 'other'])
    expect(await refusalOf(app.thread('case/1').delete())).toMatchObject({ code: 'thread-not-found' })
    expect(await refusalOf(Promise.resolve(app.thread('case/1').resume()))).toMatchObject({ code: 'thread-not-found' })
  })

  it('collecting, exporting, watching and querying a store with threads leaves them whole', async () => {
    const repo = await openNew(store)
    const app = chain(repo)
    await app.thread('t').run({ draft: 'x' })
    await approval(repo).thread('p').run({})
    await app.thread('gone').run({ draft: 'y' })
    await app.thread('gone').delete()
    const seen: string[] = []
    for await (const event of repo.watch({ after: 0 })) {
      if (event.kind === 'commit') seen.push(event.branch)
      if (
        event.kind === 'commit' &&
        event.branch === 'thread/chain/gone' &&
        seen.filter(b => b === event.branch).length === 3
      )
        break
    }
    expect(new Set(seen)).toEqual(new Set(['thread/chain/t', 'thread/approval/p', 'thread/chain/gone']))
    await gc(repo, { keepNewerMs: 0 })
    expect(await verify(repo)).toMatchObject({ ok: true, damage: [] })
    expect(await app.thread('t').state()).toMatchObject({ status: 'done', state: { draft: 'plan x' } })
    expect(await approval(repo).thread('p').state()).toMatchObject({ status: 'paused' })

    await using copy = await open()
    await importRepository(copy, exportRepository(repo))
    expect(await verify(copy)).toMatchObject({ ok: true, damage: [] })
    expect(await chain(copy).thread('t').state()).toMatchObject({ status: 'done', state: { draft: 'plan x' } })
    expect((await copy.on('thread/chain/t').blame('/draft')).draft).toMatchObject({ node: 'write', attempt: 1 })
    expect(await chain(copy).thread('t').run({ draft: 'z' })).toMatchObject({ state: { n: 2 } })
    expect(await approval(copy).thread('p').resume()).toMatchObject({ status: 'paused' })
  })

  it('with durability exit a run is one commit, with what it waits for', async () => {
    const repo = await openNew(store)
    const thread = chain(repo).thread('t')
    expect(await thread.run({ draft: 'x' }, { durability: 'exit' })).toMatchObject({ status: 'done', state: { n: 1 } })
    expect((await thread.history()).length).toBe(1)
    expect((await repo.on(thread.branchName).blame('/draft')).draft).toMatchObject({ node: 'write' })
    const waiting = approval(repo).thread('p')
    const paused = await waiting.run({}, { durability: 'exit' })
    if (paused.status !== 'paused') throw new Error(paused.status)
    const answers = paused.interrupts.map(({ id }) => ({ id, value: 1 }))
    expect(await approval(repo).thread('p').resume(answers)).toMatchObject({ status: 'done' })
    expect(await verify(repo)).toMatchObject({ ok: true, damage: [] })
  })

  it('a thousand Sends are one step, and blame names their node', async () => {
    const repo = await openNew(store)
    const app = new StateGraph({
      state: { items: [] as number[], found: [] as number[] },
      reducers: { found: 'append' },
    })
      .addNode('plan', () => ({ items: Array.from({ length: 1000 }, (_, i) => i) }))
      .addNode('one', s => ({ found: [(s as unknown as { item: number }).item * 2] }))
      .addNode('all', () => ({}))
      .addConditionalEdges('plan', s => s.items.map(item => new Send('one', { item })))
      .addEdge('one', 'all')
      .compile({ repo })
    const done = await app.thread('t').run({})
    expect(done.state.found).toEqual(Array.from({ length: 1000 }, (_, i) => i * 2))
    const branch = repo.on(app.thread('t').branchName)
    expect((await branch.log()).map(({ intent }) => intent.description)).toEqual(['all', 'one × 1000', 'plan', 'Input'])
    expect((await branch.blame('/found/999')).draft).toMatchObject({ node: 'one' })
  })
})

it('without a repository threads have the same meaning, for as long as the app lives', async () => {
  const app = approval(undefined)
  const paused = await app.thread('a').run({})
  if (paused.status !== 'paused') throw new Error(paused.status)
  const answers = paused.interrupts.map(({ id }) => ({ id, value: 0 }))
  expect(await app.thread('a').resume(answers)).toMatchObject({
    status: 'done',
    state: { notes: ['left 0', 'right 0', 'plain'] },
  })
  expect(await refusalOf(Promise.resolve(app.run({})))).toMatchObject({
    code: 'run-paused',
    data: { thread: undefined },
  })
})

it('a run of the app with a repository is a thread too, and a pause names it', async () => {
  await using repo = await open()
  const refusal = await refusalOf(Promise.resolve(approval(repo).run({})))
  const { thread } = refusal.data as { thread: string }
  expect(refusal.code).toBe('run-paused')
  expect(await approval(repo).thread(thread).state()).toMatchObject({ status: 'paused' })
  expect(await chain(repo).run({ draft: 'q' })).toMatchObject({ draft: 'plan q' })
  expect((await chain(repo).threads()).length).toBe(1)
  // Elsewhere a run cannot be without a wait.
  if (!memoryBackend().capabilities.sync) return
  expect(chain(repo).runSync({ draft: 'sync' })).toMatchObject({ draft: 'plan sync' })
  expect((await chain(repo).threads()).length).toBe(2)
})
