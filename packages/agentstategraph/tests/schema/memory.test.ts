/** Work that began on one version of a state is not merged into another one, and is not lost either. */

import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { agent, Versioned } from '../../src/memory/index.ts'
import { open, type Repository } from '../../src/repository/index.ts'
import { type Migration, migrations } from '../../src/schema/index.ts'

const rename: Migration = {
  from: 0,
  to: 1,
  name: 'notes are lines',
  async migrate(tx) {
    tx.set('/clerk/lines', await tx.get('/clerk/notes')).delete('/clerk/notes')
  },
}
interface Clerk {
  notes?: string[]
  lines?: string[]
}
const clerk = agent('clerk', { state: {} as Clerk })

let repo: Repository
let memory: Versioned
beforeEach(async () => {
  repo = await open()
  onTestFinished(() => repo.close())
  await repo.set('/', { clerk: { notes: ['one'] } }, 'Begin')
  migrations(repo).register(rename)
  memory = await Versioned.open(repo)
})

const migrate = (ref: string): Promise<unknown> => migrations(repo).run(ref)
const differ = { code: 'versions-differ', data: { into: 'main', theirs: undefined, ours: 1 } }

it('a task that ends after a migration is kept on a branch, which is merged when it is migrated too', async () => {
  const note = clerk.task('note', async (text: string, { state }) => {
    state.notes!.push(text)
    await migrate('main')
  })
  const error = await note('two', { state: memory }).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject(differ)
  const { source } = (error as { data: { source: string } }).data
  expect(await repo.get('/')).toEqual({ clerk: { lines: ['one'] } })
  expect(await repo.on(source).get('/clerk/notes')).toEqual(['one', 'two'])
  await migrate(source)
  await memory.merge(source, { description: 'Both', resolutions: { '/clerk/lines': 'theirs' } })
  expect(await repo.get('/')).toEqual({ clerk: { lines: ['one', 'two'] } })
})

it('a checkpoint after a migration is refused with everything still there', async () => {
  const state = await memory.of(clerk)
  state.notes!.push('two')
  const before = await repo.log()
  await migrate('main')
  await expect(memory.checkpoint()).rejects.toMatchObject({ ...differ, data: { source: 'the working copy' } })
  expect(state.notes).toEqual(['one', 'two'])
  expect((await repo.log()).length).toBe(before.length + 1)
})

it('a memory with nothing pending goes on with what the migration made', async () => {
  const state = await memory.of(clerk)
  expect(state.notes).toEqual(['one'])
  await migrate('main')
  expect(await memory.of(clerk)).toEqual({ lines: ['one'] })
  state.lines!.push('two')
  await memory.checkpoint()
  expect(await repo.get('/clerk')).toEqual({ lines: ['one', 'two'] })
})

it('histories that began apart are not merged across a migration', async () => {
  await using empty = await open()
  const one = await Versioned.open(empty, { branch: 'one' })
  const other = await Versioned.open(empty, { branch: 'other' })
  for (const [on, key] of [
    [one, 'notes'],
    [other, 'lines'],
  ] as const) {
    ;(await on.of(clerk))[key] = [key]
    await on.checkpoint()
  }
  await migrations(empty).stamp('other', 1)
  await expect(other.merge('one')).rejects.toMatchObject({ code: 'versions-differ', data: { source: 'one' } })
  await migrations(empty).stamp('one', 1)
  await other.merge('one')
  expect(await empty.on('other').get('/clerk')).toEqual({ notes: ['notes'], lines: ['lines'] })
})
