import { describe, expect, it } from 'vitest'
import { open, type Repository, type Speculation } from '../../src/repository/index.ts'
import { begun, stores } from './support/speculation-stores.ts'

describe.each(stores)('landing a speculation on $name', ({ place }) => {
  it('it becomes one commit with one parent, on a branch that has moved, and overwrites nothing there', async () => {
    const repo = await begun(place())
    const nfs = await repo.as('agent/planner').speculate({ label: 'nfs' })
    await nfs.set('/storage/type', 'nfs')
    await nfs.set('/mounts', ['/data'])
    const moved = await repo.set('/storage/size', 2, 'Grow')
    const landed = await nfs.commit({ description: 'Use NFS', reasoning: 'Only 2 nodes', confidence: 0.9 })
    expect(landed).toMatchObject({
      kind: 'merged',
      changed: true,
      parents: [moved.id],
      agent: 'agent/planner',
      reasoning: 'Only 2 nodes',
      confidence: 0.9,
      intent: { description: 'Use NFS', category: 'Refine' },
    })
    expect(await repo.get('/')).toEqual({ storage: { type: 'nfs', size: 2 }, mounts: ['/data'] })
    expect((await repo.log()).map(({ intent }) => intent.description)).toEqual(['Use NFS', 'Grow', 'Begin'])
    expect(await repo.speculations()).toEqual([])
  })

  it('blame names the landing with its reasoning, and the speculation as the draft', async () => {
    const repo = await begun(place())
    const [named, unnamed] = [await repo.speculate({ label: 'nfs' }), await repo.speculate()]
    await named.set('/storage/type', 'nfs')
    await unnamed.set('/other', { deep: 1 })
    const landed = await named.commit({ description: 'Use NFS', reasoning: 'Simple' })
    expect(await repo.blame('/storage/type')).toMatchObject({
      id: landed.id,
      reasoning: 'Simple',
      value: 'nfs',
      draft: { label: 'nfs' },
    })
    expect((await repo.blame('/storage/size')).draft).toBeUndefined()
    await unnamed.commit('And this')
    expect((await repo.blame('/other/deep')).draft).toEqual({ label: unnamed.id })
    expect((await repo.history('/storage/type')).map(({ value }) => value)).toEqual(['nfs', 'local'])
  })

  it('a conflict lands nothing and loses nothing; resolutions or a policy decide it', async () => {
    const repo = await begun(place())
    const [a, b] = [await repo.speculate({ label: 'a' }), await repo.speculate({ label: 'b' })]
    await a.set('/storage/type', 'nfs')
    await b.set('/storage/size', 10)
    const before = await repo.commit('Disagree', tx => tx.set('/storage/type', 'ceph').set('/storage/size', 5))
    await expect(a.commit('Use NFS')).rejects.toMatchObject({
      code: 'merge-conflict',
      data: {
        source: 'a',
        into: 'main',
        conflicts: [{ path: '/storage/type', base: 'local', ours: 'ceph', theirs: 'nfs' }],
      },
    })
    expect((await repo.head()).id).toBe(before.id)
    expect(await a.get('/storage/type')).toBe('nfs')
    await a.commit({ description: 'Use NFS', resolutions: { '/storage/type': 'theirs' } })
    await b.commit({ description: 'Grow', policies: { '/storage/size': 'sum' } })
    expect(await repo.get('/storage')).toEqual({ type: 'nfs', size: 14 })
    expect((await repo.blame('/storage/size')).draft).toBeUndefined()
  })

  it('of two that commit one speculation at once, one does and the other finds it committed', async () => {
    const reopen = place()
    const repo = await begun(reopen)
    const mine = await repo.speculate()
    await mine.set('/storage/type', 'nfs')
    const theirs = await (await reopen()).getSpeculation(mine.id)
    const outcomes = await Promise.allSettled([mine.commit('Mine'), theirs.commit('Theirs')])
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const gone = { code: 'speculation-gone', data: { id: mine.id, status: 'committed' } }
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({ reason: gone })
    await expect(repo.getSpeculation(mine.id)).rejects.toMatchObject(gone)
    expect(await repo.log().count()).toBe(2)
  })

  it('many speculations land on one branch at once, and none is lost', async () => {
    const reopen = place()
    const repo = await begun(reopen)
    const other = await reopen()
    const landings = Array.from({ length: 12 }, async (_, i) => {
      const one = await (i % 2 === 0 ? repo : other).speculate()
      await one.set(`/n/${i}`, i)
      return one.commit(`Number ${i}`)
    })
    await Promise.all(landings)
    expect(await repo.list('/n').count()).toBe(12)
    expect(await repo.log({ firstParent: true }).count()).toBe(13)
  })

  it('one that changes nothing makes no commit unless asked, and has ended either way', async () => {
    const repo = await begun(place())
    const head = await repo.head()
    const [idle, back, empty] = [await repo.speculate(), await repo.speculate(), await repo.speculate()]
    await back.set('/storage/type', 'nfs')
    await back.set('/storage/type', 'local')
    for (const one of [idle, back]) {
      expect(await one.commit('Nothing')).toMatchObject({ id: head.id, kind: 'up-to-date', changed: false })
      await expect(repo.getSpeculation(one.id)).rejects.toMatchObject({ data: { status: 'committed' } })
    }
    const marked = await empty.commit({ description: 'Looked, and left it', allowEmpty: true })
    expect(marked).toMatchObject({ kind: 'merged', changed: true, parents: [head.id], root: head.root })
  })

  it('alternatives are kept with what they would have changed, when all that held them is gone', async () => {
    const repo = await begun(place())
    const [nfs, ceph, idle] = [
      await repo.speculate({ label: 'nfs' }),
      await repo.speculate({ label: 'ceph' }),
      await repo.speculate(),
    ]
    await nfs.set('/storage/type', 'nfs')
    await ceph.set('/storage/type', 'ceph')
    const changes = await ceph.changes()
    await nfs.commit({
      description: 'Use NFS',
      alternatives: [ceph, { label: 'wait', whyNot: 'Too slow', speculation: idle.id }, { label: 'tape' }],
    })
    await ceph.discard()
    await idle.discard()
    const { considered, alternatives } = await repo.blame('/storage/type', { chain: true })
    expect(considered).toEqual([
      { label: 'ceph', changes },
      { label: 'wait', whyNot: 'Too slow', changes: [] },
      { label: 'tape', changes: [] },
    ])
    expect(alternatives.map(({ label }) => label)).toEqual(['ceph', 'wait', 'tape'])
    expect(alternatives[2]).toEqual({ label: 'tape' })
    expect(alternatives[0]!.root).not.toBe(alternatives[1]!.root)
  })

  it('a retry with the same key gives the first commit again, though everything it named has ended', async () => {
    const repo = await begun(place())
    const [nfs, ceph] = [await repo.speculate(), await repo.speculate({ label: 'ceph' })]
    await nfs.set('/storage/type', 'nfs')
    const why = { description: 'Use NFS', alternatives: [ceph], idempotencyKey: 'use-nfs' }
    const first = await nfs.commit(why)
    await ceph.discard()
    expect(await nfs.commit(why)).toMatchObject({ id: first.id, changed: false })
    await expect(nfs.commit({ ...why, idempotencyKey: 'again' })).rejects.toMatchObject({ code: 'speculation-gone' })
  })
})

interface Decision {
  readonly description: string
  readonly alternatives: readonly Speculation[]
}

/** Every way of writing that says why. */
const ways: readonly [string, (repo: Repository, why: Decision) => Promise<unknown>][] = [
  ['set', (repo, why) => repo.set('/a', 2, why)],
  ['delete', (repo, why) => repo.delete('/a', why)],
  ['commit', (repo, why) => repo.commit(why, tx => tx.set('/a', 3))],
  ['merge', (repo, why) => repo.merge('side', why)],
  ['rollback', (repo, why) => repo.rollback('side', why)],
]

it.each(ways)('%s keeps a speculation as an alternative, and refuses one that has ended', async (_, way) => {
  const repo = await open()
  await repo.set('/a', 1, 'Begin')
  const side = await repo.branch('side')
  await side.set('/b', 1, 'Aside')
  const other = await repo.speculate({ label: 'other' })
  await other.set('/c', 1)
  const ended = await repo.speculate()
  await ended.discard()
  const before = await repo.head()
  const why = { description: 'Decide', alternatives: [ended] }
  await expect(way(repo, why)).rejects.toMatchObject({ code: 'speculation-gone', data: { id: ended.id } })
  expect((await repo.head()).id).toBe(before.id)
  await way(repo, { description: 'Decide', alternatives: [other] })
  const { alternatives } = await repo.head()
  expect(alternatives).toEqual([{ label: 'other', root: expect.stringMatching(/^[0-9a-f]{64}$/) }])
})

it('a speculation lands on the branch it came from, whoever holds it', async () => {
  const repo = await open()
  await repo.set('/a', 1, 'Begin')
  const side = await repo.branch('side')
  const one = await side.speculate()
  await (await repo.getSpeculation(one.id)).set('/b', 1)
  await (await repo.getSpeculation(one.id)).commit('Land')
  expect(await side.find('/b')).toBe(1)
  expect(await repo.find('/b')).toBeUndefined()
})

it('a landing asks for its precondition, and has no fast forward', async () => {
  const repo = await open()
  const { id } = await repo.set('/a', 1, 'Begin')
  const one = await repo.speculate()
  await one.set('/b', 1)
  await repo.set('/a', 2, 'Move')
  const strict = { description: 'Land', onlyIf: { head: id } }
  await expect(one.commit(strict)).rejects.toMatchObject({ code: 'precondition-failed' })
  const fast = { description: 'Land', fastForward: true }
  await expect(one.commit(fast)).rejects.toMatchObject({ code: 'option-invalid', data: { field: 'fastForward' } })
  expect(await one.commit('Land')).toMatchObject({ kind: 'merged' })
})

it('a speculation of more writes than a commit can name lands all the same', async () => {
  const repo = await open()
  await repo.set('/a', 1, 'Begin')
  const one = await repo.speculate({ label: 'many' })
  for (let i = 0; i < 1500; i++) await one.set(`/n/${i}`, i)
  await one.commit('Land')
  expect(await repo.list('/n').count()).toBe(1500)
  expect((await repo.blame('/n/7')).draft).toEqual({ label: 'many' })
})
