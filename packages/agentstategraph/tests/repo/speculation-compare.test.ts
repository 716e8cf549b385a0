import { expect, it } from 'vitest'
import { open, type Repository } from '../../src/repository/index.ts'

async function begun(): Promise<Repository> {
  const repo = await open()
  await repo.set('/cluster', { name: 'prod', nodes: 2 }, 'Begin')
  return repo
}

it('a comparison has a column for each, and a row for each path that any of them changes', async () => {
  const repo = await begun()
  const base = (await repo.head()).id
  const [nfs, ceph] = [await repo.speculate({ label: 'nfs' }), await repo.speculate({ label: 'ceph' })]
  const why = { description: 'Use NFS', reasoning: 'It is there', confidence: 0.7 }
  await nfs.set('/cluster/storage', 'nfs')
  await ceph.set('/cluster/storage', 'ceph')
  await ceph.set('/cluster/nodes', 3)
  await nfs.delete('/cluster/name', why)
  await ceph.delete('/cluster/name')
  expect(await repo.compare([nfs, ceph.id])).toEqual({
    base,
    columns: [
      { speculation: { id: nfs.id, label: 'nfs', base, branchName: 'main' }, changes: await nfs.changes(), ...why },
      {
        speculation: { id: ceph.id, label: 'ceph', base, branchName: 'main' },
        changes: await ceph.changes(),
        description: 'ceph',
      },
    ],
    rows: [
      { path: '/cluster/name', base: 'prod', values: [undefined, undefined], agree: true },
      { path: '/cluster/nodes', base: 2, values: [2, 3], agree: false },
      { path: '/cluster/storage', values: ['nfs', 'ceph'], agree: false },
    ],
  })
})

it('maps that several of them add at one path are compared inside', async () => {
  const repo = await begun()
  const [nfs, ceph, none] = [await repo.speculate(), await repo.speculate(), await repo.speculate()]
  await nfs.set('/storage/type', 'nfs')
  await nfs.set('/storage/mode', { read: true })
  await ceph.set('/storage/type', 'ceph')
  await ceph.set('/storage/mode', { read: true })
  await ceph.set('/storage/replicas', 3)
  expect((await repo.compare([nfs, ceph, none])).rows).toEqual([
    { path: '/storage/mode', values: [{ read: true }, { read: true }, undefined], agree: false },
    { path: '/storage/replicas', values: [undefined, 3, undefined], agree: false },
    { path: '/storage/type', values: ['nfs', 'ceph', undefined], agree: false },
  ])
})

it('what only one of them holds, or is no map in all of them, stays one row', async () => {
  const repo = await begun()
  const [a, b] = [await repo.speculate(), await repo.speculate()]
  await a.set('/only', { x: 1 })
  await a.set('/mixed', { x: 1 })
  await b.set('/mixed', [1])
  await b.delete('/cluster')
  expect((await repo.compare([a, b])).rows).toEqual([
    {
      path: '/cluster',
      base: { name: 'prod', nodes: 2 },
      values: [{ name: 'prod', nodes: 2 }, undefined],
      agree: false,
    },
    { path: '/mixed', values: [{ x: 1 }, [1]], agree: false },
    { path: '/only', values: [{ x: 1 }, undefined], agree: false },
  ])
})

it('speculations of different bases are each held against their own', async () => {
  const repo = await begun()
  const early = await repo.speculate()
  await repo.set('/map', { x: 2, z: 3 }, 'Grow')
  const late = await repo.speculate()
  await early.set('/a', 1)
  await late.set('/a', 1)
  await early.set('/map', { x: 1, y: 1 })
  const { base, columns, rows } = await repo.compare([early, late])
  expect(base).toBe(early.base)
  expect(columns.map(({ changes }) => changes)).toEqual([
    [
      { op: 'add', path: '/a', after: 1 },
      { op: 'add', path: '/map', after: { x: 1, y: 1 } },
    ],
    [{ op: 'add', path: '/a', after: 1 }],
  ])
  expect(rows).toEqual([
    { path: '/a', values: [1, 1], agree: true },
    { path: '/map/x', values: [1, 2], agree: false },
    { path: '/map/y', values: [1, undefined], agree: false },
  ])
})

it('one that has ended cannot be compared, and neither can none', async () => {
  const repo = await begun()
  const [a, b] = [await repo.speculate(), await repo.speculate()]
  await b.commit('Nothing to say')
  const gone = { code: 'speculation-gone', data: { id: b.id, status: 'committed' } }
  await expect(repo.compare([a, b])).rejects.toMatchObject(gone)
  await expect(repo.compare([])).rejects.toMatchObject({ code: 'option-invalid', data: { field: 'speculations' } })
})
