import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { isStateError, open, type Repository } from '../../src/repository/index.ts'
import { memoryBackend, readEntries } from '../../src/store/index.ts'
import { dropNow } from '../store/support/drop-now.ts'

type Write = readonly [path: string, value: unknown]

const paths = fc.constantFrom('/a', '/a/x', '/a/y', '/b/x', '/list', '/list/0', '/list/-')
const values = fc.oneof(
  fc.integer({ min: 0, max: 3 }),
  fc.constant({ x: 1 }),
  fc.constant([1, 2]),
  fc.constant(undefined),
)
const writes: fc.Arbitrary<readonly Write[]> = fc.array(fc.tuple(paths, values), { maxLength: 5 })

interface Writable {
  set(path: string, value: unknown, why: string): Promise<unknown>
  delete(path: string, why: string): Promise<unknown>
}

/** Makes the writes that are possible; an undefined value deletes. */
async function apply(into: Writable, edits: readonly Write[]): Promise<void> {
  for (const [path, value] of edits) {
    try {
      await (value === undefined && path !== '/list/-' ? into.delete(path, 'Edit') : into.set(path, value ?? 0, 'Edit'))
    } catch (error) {
      if (!isStateError(error)) throw error
    }
  }
}

async function begun(backend = memoryBackend()): Promise<Repository> {
  const repo = await open(backend)
  await repo.set('/', { a: { x: 0, y: 0 }, list: [1, 2, 3] }, 'Begin')
  return repo
}

/** What somebody got: the state, or the conflicts. */
async function outcomeOf(repo: Repository, work: Promise<unknown>): Promise<unknown> {
  try {
    await work
    return await repo.get('/')
  } catch (error) {
    if (!isStateError(error, 'merge-conflict')) throw error
    return error.data.conflicts
  }
}

it('landing a speculation gives the state, or the conflicts, that merging a branch of the same writes gives', async () => {
  await fc.assert(
    fc.asyncProperty(writes, writes, async (inside, meanwhile) => {
      const [landing, merging] = [await begun(), await begun()]
      const speculation = await landing.speculate()
      const branch = await merging.branch('side')
      await apply(speculation as unknown as Writable, inside)
      await apply(branch as Writable, inside)
      await apply(landing as Writable, meanwhile)
      await apply(merging as Writable, meanwhile)
      const landed = await outcomeOf(landing, speculation.commit('Land'))
      expect(landed).toEqual(await outcomeOf(merging, merging.merge('side', 'Merge')))
    }),
    { numRuns: 80 },
  )
})

it('nothing that landed needs the drafts it came from', async () => {
  await fc.assert(
    fc.asyncProperty(writes, writes, async (inside, meanwhile) => {
      const backend = memoryBackend()
      const repo = await begun(backend)
      const speculation = await repo.speculate({ label: 'one' })
      await apply(speculation as unknown as Writable, inside)
      await apply(repo as Writable, meanwhile)
      await speculation.commit({ description: 'Land', policies: { '/**': 'theirs' } })
      const known = await repo.get('/')
      const { log } = repo.handle.journal
      const last = (await log.head()).seq
      const entries = await repo.handle.journal.run(readEntries(1, last, ['text']))
      const drafts = entries.filter(({ record }) => record.commit !== undefined && isDraft(record.moves))
      await dropNow(
        log,
        drafts.map(({ seq }) => seq),
      )
      const fresh = await open(backend)
      expect(await fresh.get('/')).toEqual(known)
      for (const { seq } of await fresh.blameTree('/')) expect(drafts.map(draft => draft.seq)).not.toContain(seq)
      for await (const { path } of fresh.list('/', { depth: 9 })) for await (const _ of fresh.history(path));
    }),
    { numRuns: 60 },
  )
})

function isDraft(moves: readonly (readonly [name: string, ...rest: unknown[]])[]): boolean {
  return moves.every(([name]) => name.startsWith('draft/'))
}
