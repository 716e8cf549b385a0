import { describe, expect, it } from 'vitest'
import { gc } from '../../src/maintenance/index.ts'
import { open } from '../../src/repository/index.ts'
import { memoryBackend } from '../../src/store/index.ts'
import { around, type CallName, wrapped } from '../store/support/wrapped-backend.ts'
import { begun, stores } from './support/speculation-stores.ts'

describe.each(stores)('speculations on $name', ({ place }) => {
  it('a speculation reads as its branch did when it was made, and its writes stay inside', async () => {
    const repo = await begun(place())
    const nfs = await repo.speculate({ label: 'nfs' })
    await repo.set('/storage/size', 2, 'Grow')
    await nfs.set('/storage/type', 'nfs')
    await nfs.delete('/storage/size')
    expect(await nfs.get('/storage')).toEqual({ type: 'nfs' })
    expect(await nfs.find('/storage/size')).toBeUndefined()
    expect(await nfs.has('/storage/type')).toBe(true)
    expect((await nfs.list('/storage')).map(({ path }) => path)).toEqual(['/storage/type'])
    expect(await repo.get('/storage')).toEqual({ type: 'local', size: 2 })
    expect(await nfs.changes()).toEqual([
      { op: 'remove', path: '/storage/size', before: 1 },
      { op: 'change', path: '/storage/type', before: 'local', after: 'nfs' },
    ])
  })

  it('a speculation, a branch and a tag begin where the branch is, also when another process has moved it', async () => {
    const reopen = place()
    const repo = await begun(reopen)
    const other = await reopen()
    for (let size = 10; size < 13; size++) {
      await repo.set('/storage/type', `type ${size}`, 'Change it here')
      const { id } = await other.set('/storage/size', size, 'Change it elsewhere')
      const made = await (size === 10
        ? repo.speculate()
        : size === 11
          ? repo.branch('begun')
          : repo.tag('noted').then(() => repo.at('noted')))
      expect(await made.get('/storage')).toEqual({ type: `type ${size}`, size })
      if (size === 12) expect((await repo.tags())[0]).toMatchObject({ name: 'noted', id })
    }
    await other.branch('spare')
    await other.on('spare').set('/a', 1, 'Go on')
    await other.deleteBranch('spare')
    await expect(other.on('spare').branch('from-spare')).rejects.toMatchObject({ code: 'ref-not-found' })
  })

  it('one that others have written in, or ended, is discarded once', async () => {
    const reopen = place()
    const repo = await begun(reopen)
    const other = await reopen()
    const [moved, ended] = [await repo.speculate(), await repo.speculate()]
    await (await other.getSpeculation(moved.id)).set('/storage/size', 9)
    await moved.discard()
    await (await other.getSpeculation(ended.id)).discard()
    await expect(ended.discard()).rejects.toMatchObject({ code: 'speculation-gone', data: { status: 'discarded' } })
    expect(await repo.speculations()).toEqual([])
  })

  it('another process picks a speculation up by its id', async () => {
    const reopen = place()
    const repo = await begun(reopen)
    const base = (await repo.head()).id
    const mine = await repo.speculate({ label: 'nfs' })
    const other = await reopen()
    const before = await other.on('elsewhere').getSpeculation(mine.id)
    expect(before).toMatchObject({ id: mine.id, label: 'nfs', base, branchName: 'main' })
    await mine.set('/storage/type', 'nfs')
    const theirs = await other.getSpeculation(mine.id)
    expect(theirs).toMatchObject({ id: mine.id, label: 'nfs', base, branchName: 'main' })
    await theirs.set('/storage/size', 9)
    expect(await mine.get('/storage')).toEqual({ type: 'nfs', size: 9 })
  })

  it('two that write in one speculation at once lose nothing', async () => {
    const reopen = place()
    const repo = await begun(reopen)
    const mine = await repo.speculate()
    const theirs = await (await reopen()).getSpeculation(mine.id)
    const writes = Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? mine : theirs).set(`/n/${i}`, i))
    await Promise.all(writes)
    expect(await mine.list('/n').count()).toBe(20)
  })

  it('its writes show in no log of a branch, and no ref of a branch', async () => {
    const repo = await begun(place())
    const nfs = await repo.speculate()
    await nfs.set('/storage/type', 'nfs')
    expect((await repo.log()).map(({ intent }) => intent.description)).toEqual(['Begin'])
    expect((await repo.branches()).map(({ name }) => name)).toEqual(['main'])
  })

  it('a write that changes nothing makes no commit', async () => {
    const repo = await begun(place())
    const nfs = await repo.speculate()
    await nfs.set('/storage/type', 'local')
    expect(await nfs.changes()).toEqual([])
    expect(await repo.handle.journal.log.head()).toMatchObject({ seq: 3 })
  })

  it('a discarded speculation is gone for every handle, and says how', async () => {
    const reopen = place()
    const repo = await begun(reopen)
    const nfs = await repo.speculate()
    const theirs = await (await reopen()).getSpeculation(nfs.id)
    await nfs.discard()
    const gone = { code: 'speculation-gone', data: { id: nfs.id, status: 'discarded' } }
    for (const handle of [nfs, theirs]) {
      await expect(handle.get('/storage')).rejects.toMatchObject(gone)
      await expect(handle.set('/storage', 1)).rejects.toMatchObject(gone)
      await expect(handle.changes()).rejects.toMatchObject(gone)
      await expect(handle.commit('Too late')).rejects.toMatchObject(gone)
      await expect(handle.discard()).rejects.toMatchObject(gone)
    }
    await expect(repo.getSpeculation(nfs.id)).rejects.toMatchObject(gone)
    expect(await repo.speculations()).toEqual([])
  })

  it('leaving its scope discards a speculation, and does not mind one that has ended', async () => {
    const repo = await begun(place())
    const ids: string[] = []
    {
      await using unfinished = await repo.speculate()
      await using finished = await repo.speculate()
      await using ended = await repo.getSpeculation(finished.id)
      ids.push(unfinished.id, ended.id)
      await finished.discard()
    }
    for (const id of ids) await expect(repo.getSpeculation(id)).rejects.toMatchObject({ code: 'speculation-gone' })
  })

  it('an expired speculation is over, and whoever lists clears it away', async () => {
    let now = Date.parse('2026-04-06T02:00:00.000Z')
    const reopen = place()
    const repo = await begun(reopen, { clock: () => new Date(now) })
    const [short, long] = [await repo.speculate({ ttlMs: 1000 }), await repo.speculate({ ttlMs: 5000 })]
    await short.set('/storage/type', 'nfs')
    expect(short.expires).toBe('2026-04-06T02:00:01.000Z')
    now += 1000
    const reading = await reopen({ clock: () => new Date(now), readOnly: true })
    expect((await reading.speculations()).map(({ id }) => id)).toEqual([long.id])
    expect(await repo.handle.journal.log.refs('draft/')).toHaveLength(2)
    expect((await repo.speculations()).map(({ id }) => id)).toEqual([long.id])
    expect(await repo.handle.journal.log.refs('draft/')).toHaveLength(1)
    const gone = { code: 'speculation-gone', data: { id: short.id, status: 'expired' } }
    await expect(short.commit('Too late')).rejects.toMatchObject(gone)
    await expect(repo.getSpeculation(short.id)).rejects.toMatchObject(gone)
    now += 4000
    await expect(long.get('/storage')).rejects.toMatchObject({ data: { status: 'expired' } })
    expect(await repo.handle.journal.log.refs('draft/')).toEqual([])
  })

  it('speculations are listed with what they are, page by page', async () => {
    const repo = await begun(place())
    const side = await repo.branch('side')
    const made = [await repo.speculate({ label: 'a' }), await side.speculate({ label: 'b' }), await repo.speculate()]
    const sorted = made.toSorted((a, b) => (a.id < b.id ? -1 : 1))
    const wanted = sorted.map(({ id, label, base, branchName }) => ({
      id,
      ...(label === undefined ? {} : { label }),
      base,
      branchName,
    }))
    expect(await repo.speculations()).toEqual(wanted)
    const first = await repo.speculations().page({ limit: 2 })
    expect(first.items).toEqual(wanted.slice(0, 2))
    await repo.getSpeculation(wanted[1]!.id).then(one => one.discard())
    const rest = await repo.speculations().page({ limit: 2, after: first.next! })
    expect(rest).toEqual({ items: wanted.slice(2) })
  })

  it('what is wrong with a speculation is said, and nothing is made', async () => {
    const reopen = place()
    const repo = await reopen()
    await expect(repo.speculate()).rejects.toMatchObject({ code: 'ref-not-found' })
    await repo.set('/a', 1, 'Begin')
    for (const ttlMs of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
      await expect(repo.speculate({ ttlMs })).rejects.toMatchObject({
        code: 'option-invalid',
        data: { field: 'ttlMs' },
      })
    }
    await expect(repo.speculate({ label: ' ' })).rejects.toMatchObject({ data: { field: 'label' } })
    await expect(repo.getSpeculation('nowhere')).rejects.toMatchObject({ code: 'speculation-gone' })
    const one = await repo.speculate()
    await expect(one.set('/_meta/x', 1)).rejects.toMatchObject({ code: 'path-reserved' })
    await expect(one.get('/b')).rejects.toMatchObject({ code: 'path-not-found' })
    const reading = await reopen({ readOnly: true })
    await expect(reading.speculate()).rejects.toMatchObject({ code: 'read-only' })
    const seen = await reading.getSpeculation(one.id)
    expect(await seen.get('/a')).toBe(1)
    await expect(seen.set('/a', 2)).rejects.toMatchObject({ code: 'read-only' })
    await seen[Symbol.asyncDispose]()
    expect(await one.get('/a')).toBe(1)
  })
})

it('the 10,001st open speculation costs as many calls as the first, on a large state as on a small one', async () => {
  const calls: CallName[] = []
  const counted = wrapped(memoryBackend(), log =>
    around(log, (name, call) => {
      calls.push(name)
      return call()
    }),
  )
  const repo = await open(counted)
  await repo.set('/a', 1, 'Begin')
  const callsOf = async (work: () => Promise<unknown>): Promise<CallName[]> => {
    calls.length = 0
    await work()
    return [...calls]
  }
  const first = await callsOf(() => repo.speculate())
  for (let made = 1; made < 10_000; made++) await repo.speculate()
  const keys = Array.from({ length: 20_000 }, (_, i) => [`key-${i}`, i])
  await repo.set('/large', Object.fromEntries(keys), 'Grow')
  const last = await repo.speculate()
  expect(await callsOf(() => repo.speculate())).toEqual(first)
  expect(first).toEqual(['append'])
  expect(await callsOf(() => repo.branch('another'))).toEqual(['append'])
  expect(await callsOf(() => last.discard())).toEqual(['append'])
  expect(await repo.speculations().count()).toBe(10_001)
})

it('many are listed, and passed by a collection, in ranges of the journal and not one by one', async () => {
  const calls = new Map<CallName, number>()
  const counted = wrapped(memoryBackend(), log =>
    around(log, (name, call) => {
      calls.set(name, (calls.get(name) ?? 0) + 1)
      return call()
    }),
  )
  const repo = await open(counted)
  await repo.set('/a', 1, 'Begin')
  for (let n = 0; n < 1000; n++) await repo.speculate()
  const callsOf = async (work: () => Promise<unknown>): Promise<number> => {
    calls.clear()
    await work()
    return [...calls.values()].reduce((sum, count) => sum + count, 0)
  }
  expect(await callsOf(async () => expect(await repo.speculations()).toHaveLength(1000))).toBeLessThan(100)
  expect(await callsOf(() => gc(repo, { keepNewerMs: -1 }))).toBeLessThan(100)
})
