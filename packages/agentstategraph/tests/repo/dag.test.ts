/** Histories that part and meet, and keys that look like something else, as tables. */
import { describe, expect, it } from 'vitest'
import { isStateError, type MergeOptions, type Repository } from '../../src/repository/index.ts'
import { openNew, refusalOf, stores } from './support/open-stores.ts'

/** What one side writes, path by path; undefined deletes. */
type Writes = Readonly<Record<string, unknown>>

interface Meeting {
  readonly title: string
  readonly base: Readonly<Record<string, unknown>>
  readonly ours: readonly Writes[]
  readonly theirs: readonly Writes[]
  readonly options?: MergeOptions
  /** The state after the merge, or the conflicts that it is refused with. */
  readonly merged?: unknown
  readonly conflicts?: readonly unknown[]
}

const meetings: readonly Meeting[] = [
  {
    title: 'a diamond: each side changed another place',
    base: { a: 1, b: 1 },
    ours: [{ '/a': 2 }],
    theirs: [{ '/b': 2 }],
    merged: { a: 2, b: 2 },
  },
  {
    title: 'both sides made the same change',
    base: { a: 1, b: { c: 1 } },
    ours: [{ '/a': 2, '/b/c': 5 }],
    theirs: [{ '/a': 2, '/b/c': 5, '/d': 1 }],
    merged: { a: 2, b: { c: 5 }, d: 1 },
  },
  {
    title: 'both sides deleted the same place',
    base: { a: 1, b: 1 },
    ours: [{ '/a': undefined }],
    theirs: [{ '/a': undefined }, { '/b': 2 }],
    merged: { b: 2 },
  },
  {
    title: 'one side changed a place and changed it back, so the other decides',
    base: { a: 1 },
    ours: [{ '/a': 2 }, { '/a': 1 }],
    theirs: [{ '/a': 3 }],
    merged: { a: 3 },
  },
  {
    title: 'both sides changed one place differently',
    base: { a: 1 },
    ours: [{ '/a': 2 }],
    theirs: [{ '/a': 3 }],
    conflicts: [{ path: '/a', base: 1, ours: 2, theirs: 3 }],
  },
  {
    title: 'delete against edit',
    base: { a: { b: 1, c: 1 } },
    ours: [{ '/a': undefined }],
    theirs: [{ '/a/b': 2 }],
    conflicts: [{ path: '/a', base: { b: 1, c: 1 }, theirs: { b: 2, c: 1 } }],
  },
  {
    title: 'edit against delete',
    base: { a: { b: 1 } },
    ours: [{ '/a/b': 2 }],
    theirs: [{ '/a': undefined }],
    conflicts: [{ path: '/a', base: { b: 1 }, ours: { b: 2 } }],
  },
  {
    title: 'delete against edit, decided by the caller',
    base: { a: { b: 1 } },
    ours: [{ '/a': undefined }],
    theirs: [{ '/a/b': 2 }],
    options: { resolutions: { '/a': { value: 'neither' } } },
    merged: { a: 'neither' },
  },
  {
    title: 'delete against no change',
    base: { a: { b: 1 }, c: 1 },
    ours: [{ '/a': undefined }],
    theirs: [{ '/c': 2 }],
    merged: { c: 2 },
  },
  {
    title: 'a subtree was moved, and something else changed',
    base: { from: { x: 1, y: { z: 2 } }, n: 1 },
    ours: [{ '/to': { x: 1, y: { z: 2 } }, '/from': undefined }],
    theirs: [{ '/n': 2 }],
    merged: { to: { x: 1, y: { z: 2 } }, n: 2 },
  },
  {
    title: 'a subtree was moved, and changed where it was',
    base: { from: { x: 1 } },
    ours: [{ '/to': { x: 1 }, '/from': undefined }],
    theirs: [{ '/from/x': 2 }],
    conflicts: [{ path: '/from', base: { x: 1 }, theirs: { x: 2 } }],
  },
  {
    title: 'two maps that both sides add meet inside',
    base: {},
    ours: [{ '/m': { a: 1, same: 0 } }],
    theirs: [{ '/m': { b: 2, same: 0 } }],
    merged: { m: { a: 1, b: 2, same: 0 } },
  },
  {
    title: 'empty containers are values of their own',
    base: { m: {}, l: [], gone: {} },
    ours: [{ '/m/a': 1, '/gone': undefined }],
    theirs: [{ '/l/-': 1, '/new': {}, '/list': [] }],
    merged: { m: { a: 1 }, l: [1], new: {}, list: [] },
  },
  {
    title: 'a map that was emptied is not a map that was deleted',
    base: { m: { a: 1 }, n: 1 },
    ours: [{ '/m/a': undefined }],
    theirs: [{ '/n': 2 }],
    merged: { m: {}, n: 2 },
  },
  {
    title: 'an empty map against an empty list',
    base: {},
    ours: [{ '/e': {} }],
    theirs: [{ '/e': [] }],
    conflicts: [{ path: '/e', ours: {}, theirs: [] }],
  },
  {
    title: 'numbers are keys in a map',
    base: { m: { 0: 'a', 10: 'b', 9: 'c' } },
    ours: [{ '/m/0': 'A', '/m/01': 'x' }],
    theirs: [{ '/m/10': 'B', '/m/9': undefined }],
    merged: { m: { 0: 'A', 10: 'B', '01': 'x' } },
  },
]

async function writeAll(repo: Repository, commits: readonly Writes[]): Promise<void> {
  for (const writes of commits) {
    await repo.commit('Write', tx => {
      for (const [path, value] of Object.entries(writes)) value === undefined ? tx.delete(path) : tx.set(path, value)
    })
  }
}

describe.each(stores)('on $name', store => {
  it.each(meetings)('$title', async ({ base, ours, theirs, options, merged, conflicts }) => {
    const repo = await openNew(store)
    await repo.set('/', base, 'Base')
    const other = await repo.branch('other')
    await writeAll(repo, ours)
    await writeAll(other, theirs)
    const before = await repo.head()
    const why = { description: 'Meet', ...options }
    if (conflicts === undefined) {
      const { kind, parents } = await repo.merge('other', why)
      expect({ kind, parents }).toEqual({ kind: 'merged', parents: [before.id, (await other.head()).id] })
      expect(await repo.get('/')).toEqual(merged)
      expect(await repo.merge('other')).toMatchObject({ kind: 'up-to-date', changed: false })
    } else {
      const error: unknown = await repo.merge('other', why).catch((e: unknown) => e)
      expect(isStateError(error, 'merge-conflict') && error.data).toEqual({ source: 'other', into: 'main', conflicts })
      expect(await repo.head()).toEqual(before)
    }
  })

  it('histories that crossed: what both have merged already is no conflict', async () => {
    const repo = await openNew(store)
    await repo.set('/', { a: 0, b: 0, c: 0 }, 'Base')
    const other = await repo.branch('other')
    const left = await repo.set('/a', 1, 'Left')
    const right = await other.set('/b', 1, 'Right')
    await repo.merge(right)
    await other.merge(left)
    await repo.set('/a', 2, 'Left again')
    await other.set('/b', 2, 'Right again')
    expect(await repo.merge('other')).toMatchObject({ kind: 'merged' })
    expect(await repo.get('/')).toEqual({ a: 2, b: 2, c: 0 })
    expect((await repo.blame('/b')).intent.description).toBe('Right again')
    expect((await repo.log()).length).toBe(8)
  })

  it('histories that crossed with a conflict: each side decided otherwise, and that is one conflict', async () => {
    const repo = await openNew(store)
    await repo.set('/a', 0, 'Base')
    const other = await repo.branch('other')
    const left = await repo.set('/a', 1, 'Left')
    const right = await other.set('/a', 2, 'Right')
    await repo.merge(right, { description: 'Left wins', resolutions: { '/a': 'ours' } })
    await other.merge(left, { description: 'Right wins', resolutions: { '/a': 'ours' } })
    const { code, data } = await refusalOf(repo.merge('other'))
    expect(code).toBe('merge-conflict')
    expect(data).toMatchObject({ conflicts: [{ path: '/a', ours: 1, theirs: 2 }] })
  })

  it('a change that was taken back on one side stays taken back', async () => {
    const repo = await openNew(store)
    await repo.set('/', { a: 0, b: 0 }, 'Base')
    const change = await repo.set('/a', 1, 'Change')
    const other = await repo.branch('other')
    await repo.revert(change)
    await other.set('/b', 1, 'Elsewhere')
    await repo.merge('other')
    expect(await repo.get('/')).toEqual({ a: 0, b: 1 })
  })

  it('bisect follows the parents that lead to the good commit, through a merge too', async () => {
    const repo = await openNew(store)
    const base = await repo.set('/', { left: 0, right: 0 }, 'Base')
    const other = await repo.branch('other')
    await repo.set('/left', 1, 'Left 1')
    const onOther = await other.set('/right', 1, 'Right 1')
    const rightBad = await other.set('/right', 2, 'Right 2')
    const leftBad = await repo.set('/left', 2, 'Left 2')
    const merged = await repo.merge('other')
    await repo.set('/left', 3, 'Left 3')
    const firstBad = async (good: { id: string }, path: string): Promise<string> => {
      const range = { good: { id: good.id }, bad: 'main' }
      return (await repo.bisect(range, async at => (await at.get<number>(path)) < 2)).id
    }
    expect(await firstBad(base, '/left')).toBe(leftBad.id)
    // The first parents lead to the base, and what came from the side came with the merge.
    expect(await firstBad(base, '/right')).toBe(merged.id)
    // From a commit of the side, only the second parent of the merge leads there.
    expect(await firstBad(onOther, '/right')).toBe(rightBad.id)
    expect(await refusalOf(repo.bisect({ good: 'main', bad: { id: base.id } }, () => true))).toMatchObject({
      code: 'histories-unrelated',
    })
  })

  const keys = ['a/b', 'a~b', '~1', '__proto__', 'constructor', '🚀', '0', '-', '..', '', ' ', '$date', 'a.b', '\u0000']

  it.each(keys.map(key => [key]))('the key %j is data: written, diffed, merged, blamed and deleted', async key => {
    const repo = await openNew(store)
    await repo.set('/m', {}, 'Base')
    const other = await repo.branch('other')
    const { id } = await other.set(['m', key], { x: 1 }, 'Key')
    await repo.set('/n', 1, 'Elsewhere')
    const [change, ...others] = await repo.diff('main', 'other', { below: '/m' })
    expect(others).toEqual([])
    expect(change).toMatchObject({ op: 'add', after: { x: 1 } })
    await repo.merge('other')
    expect(await repo.get(change!.path)).toEqual({ x: 1 })
    const map = (await repo.get('/m')) as object
    expect(Object.entries(map)).toEqual([[key, { x: 1 }]])
    expect(Object.getPrototypeOf(map)).toBe(Object.prototype)
    expect((await repo.blame(['m', key, 'x'])).id).toBe(id)
    await repo.delete(change!.path, 'Gone')
    expect(await repo.get('/m')).toEqual({})
    expect(Object.hasOwn(Object.prototype, 'x')).toBe(false)
  })

  it('a key of 512 bytes is kept, one more is refused, in the path and in the value', async () => {
    const repo = await openNew(store)
    const longest = 'é'.repeat(256)
    await repo.set([longest], 1, 'Long')
    expect(await repo.get([longest])).toBe(1)
    const head = await repo.head()
    expect(await refusalOf(repo.set([`${longest}x`], 1, 'Too long'))).toMatchObject({ code: 'path-invalid' })
    const inside = await refusalOf(repo.set('/m', { [`${longest}x`]: 1 }, 'Too long'))
    expect(inside).toMatchObject({ code: 'value-refused' })
    expect(await repo.head()).toEqual(head)
  })
})
