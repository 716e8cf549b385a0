/** Two runs on one thread: refused, one after the other, or merged, in one process and in several. */
import { describe, expect, it } from 'vitest'
import { StateGraph } from '../../src/graph/index.ts'
import { verify } from '../../src/maintenance/index.ts'
import { open, type Repository } from '../../src/repository/index.ts'
import { runWorkers } from '../processes/worker-process.ts'
import { allStores, openNew, refusalOf } from '../repo/support/open-stores.ts'
import { newFile } from '../store/support/sqlite-file.ts'
import { Money, money } from './support/money.ts'

/** Counts and notes, a tick later each, so that runs overlap. */
function counting(repo: Repository) {
  return new StateGraph({
    state: { n: 0, notes: [] as string[], who: '', last: '' },
    reducers: { n: 'sum', notes: 'append' },
  })
    .addNode('count', async () => {
      await Promise.resolve()
      return { n: 1 }
    })
    .addNode('note', async s => ({ notes: [s.who], last: s.who.startsWith('same') ? 'same' : '' }))
    .addEdge('count', 'note')
    .compile({ repo, name: 'counting' })
}

/** Makers of equal values of a kind, and of another one. */
const kept: Readonly<Record<string, readonly [() => unknown, () => unknown]>> = {
  'instances of a class': [() => ({ price: new Money(5) }), () => new Money(6)],
  'a Map': [() => new Map([['a', new Money(1)]]), () => new Map([['a', new Money(2)]])],
  'a Set': [() => new Set([1, 2]), () => new Set([2])],
  'a Date': [() => new Date(5), () => new Date(6)],
  'a URL': [() => new URL('https://example.org/a'), () => new URL('https://example.org/b')],
  bytes: [() => new Uint8Array([1, 2]), () => new Uint8Array([3])],
  'an Error': [() => Object.assign(new RangeError('one'), { stack: 'here' }), () => new RangeError('two')],
}

describe.each(allStores)('two runs on $name', store => {
  it('by default the second is refused, and the first is not disturbed', async () => {
    const repo = await openNew(store)
    const thread = counting(repo).thread('t')
    const first = thread.run({ who: 'a' })
    expect(await refusalOf(Promise.resolve(counting(repo).thread('t').run({ who: 'b' })))).toMatchObject({
      code: 'run-busy',
      data: { thread: 't' },
    })
    expect(await refusalOf(thread.update({ n: 1 }))).toMatchObject({ code: 'run-busy' })
    expect(await first).toMatchObject({ status: 'done', state: { n: 1, notes: ['a'] } })
  })

  it.each(Object.keys(kept))('a field that holds %s takes part in a merge', async kind => {
    const repo = await openNew(store, { classes: [money] })
    const merging = (whose: string, make: () => unknown) =>
      new StateGraph({ state: { value: null as unknown, who: [] as string[] }, reducers: { who: 'append' } })
        .addNode('write', async () => {
          await new Promise(resolve => setImmediate(resolve))
          return { value: make(), who: [whose] }
        })
        .compile({ repo, name: 'merging' })
        .thread('t')
    const [same, other] = kept[kind]!
    await Promise.all([merging('a', same).run({}), merging('b', same).run({}, { whenBusy: 'merge' })])
    const both = await merging('c', same).state()
    expect(both.state.value).toEqual(same())
    expect([...both.state.who].sort()).toEqual(['a', 'b'])
    const conflict = Promise.allSettled([
      merging('d', other).run({ value: null }),
      merging('e', same).run({ value: null }, { whenBusy: 'merge' }),
    ])
    expect((await conflict)[1]).toMatchObject({ status: 'rejected', reason: { code: 'update-conflict' } })
  })

  it('queued, each waits for those before it', async () => {
    const repo = await openNew(store)
    const thread = counting(repo).thread('t')
    const runs = ['a', 'b', 'c', 'd'].map(who => thread.run({ who }, { whenBusy: 'queue' }))
    await Promise.all(runs)
    expect((await thread.state()).state).toMatchObject({ n: 4, notes: ['a', 'b', 'c', 'd'] })
  })

  it('merged, all of them count, and what each did is named', async () => {
    const repo = await openNew(store)
    const thread = counting(repo).thread('t')
    await thread.run({ who: 'start' })
    const runs = ['a', 'b', 'c'].map(who => thread.run({ who }, { whenBusy: 'merge' }))
    const ends = await Promise.all(runs)
    expect(ends.map(({ status }) => status)).toEqual(['done', 'done', 'done'])
    const { state } = await thread.state()
    expect(state.n).toBe(4)
    expect([...state.notes].sort()).toEqual(['a', 'b', 'c', 'start'])
    expect((await repo.on(thread.branchName).blame('/notes/3')).draft).toMatchObject({ node: 'note' })
    expect(await verify(repo)).toMatchObject({ ok: true, damage: [] })
    expect((await repo.handle.journal.log.refs('beside/')).length).toBe(0)
  })

  it('a merged run that wrote what another wrote is a conflict, unless both wrote the same', async () => {
    const repo = await openNew(store)
    const app = new StateGraph({ state: { plain: '', given: '' } })
      .addNode('write', async s => ({ plain: s.given }))
      .compile({ repo })
    const both = (a: string, b: string, id: string) =>
      [a, b].map(given => app.thread(id).run({ given }, { whenBusy: 'merge' }))
    const [first, second] = both('a', 'b', 'x')
    // Waited for at once: the second may fail before the first has ended.
    const [, refusal] = await Promise.all([first, refusalOf(Promise.resolve(second))])
    expect(refusal).toMatchObject({ code: 'update-conflict', data: { field: 'plain' } })
    await Promise.all(both('same', 'same', 'y'))
  })

  it('whoever resumes takes the thread over, and the other one stops', async () => {
    const repo = await openNew(store)
    let go = (): void => {}
    const opened = new Promise<void>(resolve => {
      go = resolve
    })
    const app = (wait: Promise<void> | undefined) =>
      new StateGraph({ state: { n: 0 }, reducers: { n: 'sum' } })
        .addNode('a', async () => {
          await wait
          return { n: 1 }
        })
        .addNode('b', () => ({ n: 1 }))
        .addEdge('a', 'b')
        .compile({ repo })
    const slow = app(opened).thread('t')
    const run = slow.run({}, { events: ['tasks'] })
    const lost = refusalOf(Promise.resolve(run))
    for await (const event of slow.resume(undefined, { events: ['tasks'], after: 0 }))
      if (event.phase === 'start') break
    // As another process sees it: with nothing but the journal.
    const other = await open(repo.handle.shared.backend)
    const taken = await new StateGraph({ state: { n: 0 }, reducers: { n: 'sum' } })
      .addNode('a', () => ({ n: 1 }))
      .addNode('b', () => ({ n: 1 }))
      .addEdge('a', 'b')
      .compile({ repo: other })
      .thread('t')
      .resume()
    expect(taken).toMatchObject({ status: 'done', state: { n: 2 } })
    go()
    expect(await lost).toMatchObject({ code: 'run-busy' })
    expect(await slow.state()).toMatchObject({ status: 'done', state: { n: 2 } })
  })
})

it.each(['queue', 'merge'])(
  'three processes run on one thread with whenBusy %s, and no update is lost',
  async whenBusy => {
    const file = newFile()
    await using repo = await open(file)
    await counting(repo).thread('shared').run({ who: 'start' })
    const orders = ['a', 'b', 'c'].map(name => ({ file, name, runs: 4, whenBusy }))
    await runWorkers('graph-count-worker.mjs', orders)
    const { state } = await counting(repo).thread('shared').state()
    expect(state.n).toBe(13)
    expect([...state.notes].sort()).toEqual(
      ['start', ...orders.flatMap(({ name }) => [0, 1, 2, 3].map(i => `${name}${i}`))].sort(),
    )
    expect(await verify(repo)).toMatchObject({ ok: true, damage: [] })
  },
)
