/** Following a repository: every entry once, in order, from wherever the follower left off. */
import { describe, expect, it } from 'vitest'
import { follow, watchStart } from '../../src/repo/index.ts'
import type { JournalEvent, Repository, WatchFilter } from '../../src/repository/index.ts'
import { appendEntries } from '../../src/store/index.ts'
import { dropNow } from '../store/support/drop-now.ts'
import { allStores, openNew, refusalOf } from './support/open-stores.ts'

/** The events that are there by now. */
async function eventsOf({ handle }: Repository, filter: WatchFilter = {}): Promise<readonly JournalEvent[]> {
  const { journal } = handle
  const follower = follow(handle, filter, await journal.run(watchStart({ after: 0, ...filter })))
  const events: JournalEvent[] = []
  for (;;) {
    const found = await journal.run(follower.next())
    if (found === 'end') return events
    if (found !== 'more') events.push(found)
  }
}

async function until<T>(iterable: AsyncIterable<T>, count: number): Promise<T[]> {
  const items: T[] = []
  for await (const item of iterable) if (items.push(item) === count) break
  return items
}

describe.each(allStores)('on $name', store => {
  it('a commit comes with its branch, what it says and what it changed', async () => {
    const repo = await openNew(store)
    await repo.set('/a', { b: 1, c: 2 }, 'Begin')
    const written = await repo.as('agent/x').set('/a/b', 5, { description: 'Raise b', category: 'Fix' })
    const { changed: _, ...commit } = written
    expect((await eventsOf(repo)).at(-1)).toEqual({
      seq: written.seq,
      cursor: `${written.seq}`,
      timestamp: written.timestamp,
      agent: 'agent/x',
      kind: 'commit',
      branch: 'main',
      commit,
      changes: [{ op: 'change', path: '/a/b', before: 1, after: 5 }],
    })
  })

  it('branches and tags come with where they were and where they went, a rename as one event', async () => {
    const repo = await openNew(store)
    const first = await repo.set('/a', 1, 'First')
    await repo.branch('feature/x')
    await repo.renameBranch('feature/x', 'feature/y')
    const second = await repo.on('feature/y').set('/a', 2, 'Second')
    await repo.merge('feature/y', { description: 'Take it', fastForward: true })
    await repo.tag('v1')
    await repo.deleteTag('v1')
    await repo.deleteBranch('feature/y')
    const events = (await eventsOf(repo)).filter(({ kind }) => kind === 'ref')
    expect(events.map(({ seq: _s, cursor: _c, timestamp: _t, agent: _a, kind: _k, ...event }) => event)).toEqual([
      { ref: 'branch', name: 'feature/x', after: first.id },
      { ref: 'branch', name: 'feature/y', from: 'feature/x', before: first.id, after: first.id },
      { ref: 'branch', name: 'main', before: first.id, after: second.id },
      { ref: 'tag', name: 'v1', after: second.id },
      { ref: 'tag', name: 'v1', before: second.id },
      { ref: 'branch', name: 'feature/y', before: second.id },
    ])
  })

  it('an observation comes with the commit it is about', async () => {
    const repo = await openNew(store)
    const { id } = await repo.set('/a', 1, 'First')
    const observation = { held: false, note: 'It did not', observed: [{ path: '/a', value: 0.5 }] }
    await repo.observe('main', observation)
    expect((await eventsOf(repo)).at(-1)).toMatchObject({ kind: 'observation', commit: id, observation })
  })

  it('whoever resumes after any event gets all that came after it, and nothing else', async () => {
    const repo = await openNew(store)
    await repo.set('/a', 1, 'First')
    await repo.branch('b')
    for (let n = 0; n < 70; n++) await repo.on(n % 2 === 0 ? 'b' : 'main').set('/n', n, `Write ${n}`)
    await repo.renameBranch('b', 'c')
    await repo.observe('main', { held: true })
    await repo.undo()
    const all = (await eventsOf(repo)).map(({ seq }) => seq)
    expect(all).toEqual(Array.from({ length: all.length }, (_, i) => i + 2))
    for (const after of [0, 1, 2, 40, 64, 65, 66, 73, 74, 75]) {
      const expected = all.filter(seq => seq > after)
      expect((await until(repo.watch({ after }), expected.length)).map(({ seq }) => seq)).toEqual(expected)
    }
  })

  it('without a number it begins at the moment of the call', async () => {
    const repo = await openNew(store)
    await repo.set('/a', 1, 'Before')
    const watching = repo.watch()
    const { seq } = await repo.set('/a', 2, 'After')
    expect((await until(watching, 1)).map(event => event.seq)).toEqual([seq])
  })

  it('all filters that are given must hold', async () => {
    const repo = await openNew(store)
    await repo.set('/plan/a', 1, { description: 'one', category: 'Plan' })
    await repo.branch('team/x')
    await repo.on('team/x').set('/plan/b/c', 1, { description: 'two', category: 'Plan' })
    await repo.on('team/x').set('/other', 1, { description: 'three', category: 'Plan' })
    await repo.set('/plan/a', 2, { description: 'four', category: 'Fix' })
    await repo.set('/plan', {}, 'five')
    await repo.tag('v1')
    const told = async (filter: WatchFilter) =>
      (await eventsOf(repo, filter)).map(event =>
        event.kind === 'commit' ? event.commit.intent.description : event.kind,
      )
    expect(await told({})).toEqual(['one', 'ref', 'two', 'three', 'four', 'five', 'ref'])
    expect(await told({ path: '/plan/**' })).toEqual(['one', 'two', 'four', 'five'])
    expect(await told({ path: '/plan/a' })).toEqual(['one', 'four', 'five'])
    expect(await told({ branch: 'team/*' })).toEqual(['ref', 'two', 'three'])
    expect(await told({ branch: '**' })).toEqual(['one', 'ref', 'two', 'three', 'four', 'five'])
    expect(await told({ branch: 'team' })).toEqual([])
    expect(await told({ category: 'Plan' })).toEqual(['one', 'two', 'three'])
    expect(await told({ category: 'Plan', path: '/plan/**', branch: 'team/**' })).toEqual(['two'])
  })

  it('what is looked for is found behind any number of entries that are not', async () => {
    const repo = await openNew(store)
    for (let n = 0; n < 150; n++) await repo.set('/n', n, `Write ${n}`)
    const { seq } = await repo.set('/plan', 1, 'Plan')
    expect((await until(repo.watch({ path: '/plan', after: 0 }), 1)).map(event => event.seq)).toEqual([seq])
  })

  it('drafts, threads and the refs of the system are not shown', async () => {
    const repo = await openNew(store)
    const { seq } = await repo.set('/a', 1, 'First')
    const { journal } = repo.handle
    for (const name of ['draft/1', 'thread/1', 'system/x']) {
      const move = { name, expect: null, to: seq }
      await journal.run(appendEntries(journal, [{ kind: 'ref', agent: 'agent/x' }], [move]))
    }
    expect((await eventsOf(repo)).map(event => event.seq)).toEqual([seq])
  })

  it('a speculation is seen when it lands, as one commit', async () => {
    const repo = await openNew(store)
    await repo.set('/a', 1, 'First')
    const watching = repo.watch()
    await using kept = await repo.speculate()
    await using dropped = await repo.speculate()
    await kept.set('/a', 2)
    await kept.set('/b', 3)
    await dropped.set('/a', 4)
    const { seq } = await kept.commit('Land it')
    await dropped.discard()
    const last = await repo.tag('end')
    const [landing, tag] = await until(watching, 2)
    const changes = [
      { op: 'change', path: '/a', before: 1, after: 2 },
      { op: 'add', path: '/b', after: 3 },
    ]
    expect(landing).toMatchObject({ seq, kind: 'commit', branch: 'main', changes })
    expect(tag).toMatchObject({ kind: 'ref', name: last.name })
  })

  it('what garbage collection took is passed over', async () => {
    const repo = await openNew(store)
    await repo.set('/a', 1, 'First')
    const lost = await (await repo.branch('b')).set('/a', 2, 'Lost')
    await repo.deleteBranch('b')
    repo.handle.journal.recent.clear()
    await dropNow(repo.handle.journal.log, [lost.seq])
    const events = await eventsOf(repo)
    expect(events.map(({ kind }) => kind)).toEqual(['commit', 'ref', 'ref'])
    expect(events.at(-1)).toMatchObject({ name: 'b', before: lost.id })
  })

  it.each([
    [{ after: -1 }, 'option-invalid', 'after'],
    [{ after: 1.5 }, 'option-invalid', '1.5'],
    [{ after: 1000 }, 'entry-not-found', '1000'],
    [{ path: 'plan' }, 'pattern-invalid', 'plan'],
    [{ branch: 'team*' }, 'pattern-invalid', 'team*'],
  ] as const)('%o is refused', async (filter, code, named) => {
    const repo = await openNew(store)
    await repo.set('/a', 1, 'First')
    const refusal = await refusalOf(until(repo.watch(filter), 1))
    expect(refusal.code).toBe(code)
    expect(refusal.message).toContain(named)
  })
})
