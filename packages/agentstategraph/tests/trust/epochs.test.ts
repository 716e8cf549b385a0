/** Epochs: what belongs to them, what a seal says, and who may do what when. */
import { describe, expect, it } from 'vitest'
import { open } from '../../src/repository/index.ts'
import { memoryBackend } from '../../src/store/index.ts'
import { epochs, verifyBundle } from '../../src/trust/index.ts'
import { counter } from './support/clock.ts'

describe('an epoch', () => {
  it('covers what landed between its beginning and its seal, without another word', async () => {
    await using repo = await open(undefined, { agent: 'agent/a' })
    await repo.set('/before', 1, 'Before')
    await epochs(repo).create('2026-04-incident', 'Node3 recovery')
    await repo.set('/n', 1, { description: 'One', category: 'Fix' })
    await repo.as('agent/b').set('/n', 2, 'Two')
    const side = await repo.branch('side')
    await side.set('/m', 1, 'Aside')
    await repo.merge('side')
    await repo.observe('main', { held: true })
    const sealed = await epochs(repo).seal('2026-04-incident', 'Recovered node3')
    await repo.set('/after', 1, 'After')
    expect(sealed).toMatchObject({
      id: '2026-04-incident',
      description: 'Node3 recovery',
      status: 'sealed',
      summary: 'Recovered node3',
      fromSeq: 3,
      toSeq: 10,
      commits: 4,
      agents: ['agent/a', 'agent/b'],
      categories: { Fix: 1, Merge: 1, Refine: 2 },
      counts: { commit: 4, epoch: 2, observe: 1, ref: 1 },
    })
    expect(Object.keys(sealed.refs)).toEqual(['branch/main', 'branch/side'])
    expect(await epochs(repo).get('2026-04-incident')).toEqual(sealed)
    expect((await repo.query({ epoch: '2026-04-incident' })).map(({ intent }) => intent.description)).toEqual([
      'Merge side',
      'Aside',
      'Two',
      'One',
    ])
    const oldest = await repo.query({ epoch: '2026-04-incident', order: 'oldest', limit: 2 })
    expect(oldest.map(({ intent }) => intent.description)).toEqual(['One', 'Two'])
    expect((await repo.log({ epoch: '2026-04-incident' })).length).toBe(4)
  })

  it('may begin at an earlier moment or commit, and what it exports verifies', async () => {
    let now = 0
    await using repo = await open(undefined, { clock: () => new Date(Date.UTC(2026, 0, 1, 0, 0, now++)) })
    await repo.set('/n', 1, 'One')
    const two = await repo.set('/n', 2, 'Two')
    await repo.set('/n', 3, 'Three')
    const since = { all: new Date(0), commit: two.id, moment: new Date(two.timestamp) }
    for (const [id, from] of Object.entries(since)) await epochs(repo).create(id, 'Afterwards', { since: from })
    await epochs(repo).create('now', 'Now', { since: new Date(Date.UTC(2027, 0, 1)) })
    await repo.set('/n', 4, 'Four')
    const commits: Record<string, number> = {}
    for (const id of [...Object.keys(since), 'now']) {
      const sealed = await epochs(repo).seal(id, 'Done')
      commits[id] = sealed.commits
      expect((await verifyBundle(epochs(repo).export(id))).ok, id).toBe(true)
    }
    expect(commits).toEqual({ all: 4, commit: 3, moment: 3, now: 1 })
    const page = await epochs(repo).list().page({ limit: 2 })
    const rest = await epochs(repo).list().page({ limit: 5, after: page.next })
    expect([...page.items, ...rest.items].map(({ id }) => id)).toEqual(['all', 'commit', 'moment', 'now'])
    await expect(epochs(repo).create('x', 'X', { since: new Date(Number.NaN) })).rejects.toThrow(/not a moment/)
    await expect(epochs(repo).create('x', 'X', { since: 'absent' })).rejects.toMatchObject({ code: 'ref-not-found' })
  })

  it('counts while it is open as it does when sealed, with an index and without', async () => {
    for (const backend of [memoryBackend(), withoutIndex()]) {
      await using repo = await open(backend)
      await epochs(repo).create('e', 'Open')
      expect(await epochs(repo).get('e')).toMatchObject({ status: 'open', commits: 0, agents: [], categories: {} })
      for (let i = 0; i < 100; i++)
        await repo.as(`agent/${i % 3}`).set('/n', i, { description: 'Count', category: 'Fix' })
      const { commits, agents, categories } = await epochs(repo).get('e')
      const sealed = await epochs(repo).seal('e', 'Done')
      expect({ commits, agents, categories }).toEqual({
        commits: 100,
        agents: ['agent/0', 'agent/1', 'agent/2'],
        categories: { Fix: 100 },
      })
      expect(sealed).toMatchObject({ commits, agents, categories })
    }
  })

  it('counts categories and agents whatever characters they have', async () => {
    await using repo = await open()
    await epochs(repo).create('e', 'Odd names')
    const odd = ['a "quoted" one', 'back\\slash', '"intent":{"category":"Fix"', 'line\nbreak', '__proto__']
    for (const name of odd) await repo.as(name).set('/n', name, { description: name, category: name, tags: [name] })
    const sealed = await epochs(repo).seal('e', 'Done')
    expect(sealed.agents.toSorted()).toEqual(odd.toSorted())
    expect(Object.entries(sealed.categories).toSorted()).toEqual(odd.map(name => [name, 1]).toSorted())
  })

  it('may overlap others, and all of them are listed in the order in which they were opened', async () => {
    await using repo = await open()
    const { create, seal, list } = epochs(repo)
    await create('b', 'First')
    await repo.set('/n', 1, 'In b')
    await create('a', 'Second')
    await repo.set('/n', 2, 'In both')
    await seal('b', 'Over')
    await repo.set('/n', 3, 'In a')
    const found = await list()
    expect(found.map(({ id, commits, status }) => [id, commits, status])).toEqual([
      ['b', 2, 'sealed'],
      ['a', 2, 'open'],
    ])
    expect((await list({ status: 'open' })).map(({ id }) => id)).toEqual(['a'])
  })

  it('lists only what serves its root intents, and seals everything', async () => {
    await using repo = await open()
    await epochs(repo).create('e', 'Narrow', { rootIntents: ['root-1', 'root-2'] })
    await repo.set('/n', 1, { description: 'Root', intent: { id: 'root-1' } })
    await repo.set('/n', 2, { description: 'Below', intent: { id: 'child', parent: 'root-1' } })
    await repo.set('/n', 3, { description: 'Elsewhere', intent: { id: 'other' } })
    await repo.set('/n', 4, { description: 'Other root', intent: { id: 'root-2' } })
    const sealed = await epochs(repo).seal('e', 'Done')
    expect(sealed).toMatchObject({ commits: 4, rootIntents: ['root-1', 'root-2'] })
    const listed = async (filter: object) =>
      (await repo.query({ epoch: 'e', order: 'oldest', ...filter })).map(({ intent }) => intent.description)
    expect(await listed({})).toEqual(['Root', 'Below', 'Other root'])
    expect(await listed({ intent: 'root-1' })).toEqual(['Root', 'Below'])
    expect((await repo.log({ epoch: 'e' })).length).toBe(3)
  })

  it('is followed by those who watch', async () => {
    await using repo = await open()
    await epochs(repo).create('e', 'Watched')
    await epochs(repo).seal('e', 'Done')
    await epochs(repo).archive('e')
    const seen: unknown[] = []
    for await (const event of repo.watch({ after: 0 })) {
      if (event.kind === 'epoch') seen.push([event.epoch, event.status])
      if (seen.length === 3) break
    }
    expect(seen).toEqual([
      ['e', 'open'],
      ['e', 'sealed'],
      ['e', 'archived'],
    ])
  })

  it('can be put away when it is sealed, and stays what it was', async () => {
    await using repo = await open()
    const { create, seal, archive, get } = epochs(repo)
    await create('e', 'To be put away')
    await expect(archive('e')).rejects.toMatchObject({ code: 'epoch-open' })
    const sealed = await seal('e', 'Done')
    await archive('e')
    await archive('e')
    expect(await get('e')).toEqual({ ...sealed, status: 'archived' })
  })

  it('can be sealed with more agents and branches than fit an entry', async () => {
    await using repo = await open(undefined, { clock: counter() })
    await epochs(repo).create('e', 'Many')
    for (let i = 0; i < 600; i++) {
      const name = `agent/with-a-name-that-is-rather-long-so-that-few-are-enough-${i}`
      await repo.as(name).set('/n', i, 'Count')
      await repo.branch(`branches/with-names-that-are-rather-long-too/${i}`)
    }
    const sealed = await epochs(repo).seal('e', 'Done')
    expect(sealed.agents.length).toBe(600)
    expect(Object.keys(sealed.refs).length).toBe(601)
    const total = Object.values(sealed.counts).reduce((sum, count) => sum + count, 0)
    expect(total).toBe(sealed.toSeq - sealed.fromSeq + 1)
  })
})

describe('refused are', () => {
  it('a second epoch of an id, sealing twice, sealing what is not there, and handing over what is open', async () => {
    await using repo = await open()
    const { create, seal, get, find, export: give } = epochs(repo)
    await create('e', 'One')
    await expect(create('e', 'Again')).rejects.toMatchObject({ code: 'epoch-exists' })
    await expect(seal('absent', 'No')).rejects.toMatchObject({ code: 'epoch-not-found', data: { known: ['e'] } })
    await expect(get('absent')).rejects.toMatchObject({ code: 'epoch-not-found' })
    expect(await find('absent')).toBeUndefined()
    await expect(give('e')[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 'epoch-open' })
    await seal('e', 'Done')
    await expect(seal('e', 'Again')).rejects.toMatchObject({ code: 'epoch-sealed' })
    await expect(epochs(repo).sign('e')).rejects.toMatchObject({ code: 'signer-missing' })
    await expect(repo.query({ epoch: 'absent' })).rejects.toMatchObject({ code: 'epoch-not-found' })
  })

  it.each(['', '.', '..', 'a/b', 'a\\b', ' a', 'line\nbreak', 'x'.repeat(129)])('the id %j', async id => {
    await using repo = await open()
    await expect(epochs(repo).create(id, 'Bad')).rejects.toMatchObject({ code: 'epoch-id-invalid' })
  })

  it('all of it in a repository that is read-only or closed', async () => {
    const repo = await open(undefined, { readOnly: true })
    await expect(epochs(repo).create('e', 'No')).rejects.toMatchObject({ code: 'read-only' })
    await repo.close()
    await expect(epochs(repo).list()).rejects.toMatchObject({ code: 'closed' })
  })
})

it('of many who seal one epoch at once, one does', async () => {
  await using repo = await open()
  await epochs(repo).create('e', 'Wanted')
  const outcomes = await Promise.allSettled(Array.from({ length: 8 }, (_, i) => epochs(repo).seal('e', `By ${i}`)))
  expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBe(1)
})

function withoutIndex() {
  const backend = memoryBackend()
  return {
    ...backend,
    namespace: (name: string) => {
      const log = backend.namespace(name)
      return { ...log, index: undefined, sync: undefined }
    },
  }
}
