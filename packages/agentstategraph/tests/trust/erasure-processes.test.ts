/** Several processes with one store and one folder of keys. */
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { erasures } from '../../src/trust/index.ts'
import { runWorkers } from '../processes/worker-process.ts'
import { newFolder, openProtected, patterns, storeFile } from './support/protected-store.ts'

const subjects = Array.from({ length: 20 }, (_, number) => `subject-${number}`)

it('processes that meet a subject at the same time agree on its key, and one erases it for all', async () => {
  const folder = newFolder()
  const shared = { file: storeFile(folder), folder: join(folder, 'keys'), patterns }
  const names = ['north', 'east', 'south']
  const said = await runWorkers(
    'erasure-worker.mjs',
    names.map(name => ({ ...shared, name, subjects })),
  )
  expect(new Set(said.map(lines => JSON.stringify(lines))).size).toBe(1)

  await using repo = await openProtected(folder)
  const written = Object.fromEntries(names.map(name => [name, { by: name }]))
  for (const subject of subjects) expect(await repo.get(`/notes/${subject}`)).toEqual(written)

  const erasing = { ...shared, eraseSubject: 'subject-3' }
  const told = await runWorkers('erasure-worker.mjs', [
    { ...erasing, name: 'one' },
    { ...erasing, name: 'two' },
  ])
  expect(told[0]).toEqual(told[1])
  expect(await erasures(repo)).toMatchObject([{ subject: 'subject-3' }])
  for (const name of names) expect(await repo.get(`/notes/subject-3/${name}`)).toMatchObject({ isErased: true })
  expect(await repo.get('/notes/subject-4')).toEqual(written)
})
