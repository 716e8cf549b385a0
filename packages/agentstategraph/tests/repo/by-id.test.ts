/** What callers without a handle do: land a speculation by its id, and draw the graph of one ref. */
import { expect, it } from 'vitest'
import { open } from '../../src/repository/index.ts'
import { refusalOf } from './support/open-stores.ts'

it('a speculation lands by its id, and a retry with the same key gives the same commit', async () => {
  await using repo = await open()
  await repo.set('/a', 1, 'Begin')
  const { id } = await repo.speculate({ label: 'try' })
  await (await repo.getSpeculation(id)).set('/a', 2)
  const why = { description: 'Keep it', idempotencyKey: 'k' }
  const landed = await repo.commitSpeculation(id, why)
  expect(landed).toMatchObject({ kind: 'merged', changed: true })
  expect(await repo.commitSpeculation(id, why)).toMatchObject({ id: landed.id, changed: false })
  expect(await refusalOf(repo.commitSpeculation(id, 'Again'))).toMatchObject({ code: 'speculation-gone' })
  expect(await repo.get('/a')).toBe(2)
})

it('a graph from one ref has the commits that led to it, and no others', async () => {
  await using repo = await open()
  const first = await repo.set('/a', 1, 'Begin')
  const aside = await (await repo.branch('aside')).set('/b', 1, 'Aside')
  const second = await repo.set('/a', 2, 'Go on')
  const ids = async (from?: string): Promise<string[]> => (await repo.commitGraph({ from })).commits.map(({ id }) => id)
  expect(await ids()).toEqual([second.id, aside.id, first.id])
  expect(await ids('aside')).toEqual([aside.id, first.id])
  expect(await ids('main')).toEqual([second.id, first.id])
})
