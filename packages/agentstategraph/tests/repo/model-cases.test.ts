/** Short stories that the model once told otherwise than the repository. */
import { expect, it } from 'vitest'
import { open } from '../../src/repository/index.ts'

it('a value taken from the base of a merge is written by the merge where neither side had it any more', async () => {
  const repo = await open()
  await repo.set('/m', { x: 1, y: 1 }, 'begin')
  const other = await repo.branch('other')
  await other.delete('/m', 'delete')
  const ours = await repo.set('/m/y', 0, 'edit')
  const merged = await repo.merge('other', { description: 'back to the base', resolutions: { '/m': 'base' } })
  expect(await repo.get('/m')).toEqual({ x: 1, y: 1 })
  const writers = [(await repo.blame('/m/x')).id, (await repo.blame('/m/y')).id, (await repo.blame('/m')).id]
  expect(writers).toEqual([(await repo.at(ours).blame('/m/x')).id, merged.id, merged.id])
})

it('a change that is impossible refuses its commit, also when a later one moves another element over it', async () => {
  const repo = await open()
  await repo.set('/l', [1, 'other', 2], 'begin')
  const impossible = repo.commit('several', tx => tx.set('/l/0/x', 0).set('/l/0', 2).set('/l/2', 0))
  await expect(impossible).rejects.toMatchObject({ code: 'path-blocked', data: { path: '/l/0/x' } })
  expect(await repo.get('/l')).toEqual([1, 'other', 2])
})

it('a strict write over a value that JSON has no text for is refused like any other', async () => {
  const repo = await open()
  await repo.set('/n', 12n, 'begin')
  const strict = repo.set('/n', 13n, { description: 'strict', onlyIf: { value: { of: 11n } } })
  await expect(strict).rejects.toMatchObject({
    code: 'precondition-failed',
    data: { path: '/n', expected: { of: 11n }, actual: 12n },
  })
  await expect(strict).rejects.toThrow('expected {"of":"11n"}, found "12n"')
})

it('a strict write whose expected value cannot be stored says so', async () => {
  const repo = await open()
  await repo.set('/a', 1, 'begin')
  const strict = repo.set('/b', 1, { description: 'strict', onlyIf: { value: () => 1 } })
  await expect(strict).rejects.toMatchObject({ code: 'value-refused' })
})
