/** Protection changes what is stored, and nothing of what is seen. */
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { verify } from '../../src/maintenance/index.ts'
import { isStateError, open, type Repository } from '../../src/repository/index.ts'
import { memoryBackend } from '../../src/store/index.ts'
import type { Encryption } from '../../src/tree/index.ts'
import { erase } from '../../src/trust/index.ts'
import { newFolder, protection } from './support/protected-store.ts'

type Write = readonly [path: string, value: unknown]

function writesOf(subject: string): fc.Arbitrary<readonly Write[]> {
  const paths = [
    `/users/${subject}`,
    `/users/${subject}/profile`,
    `/users/${subject}/profile/a`,
    `/users/${subject}/profile/a/b`,
    `/users/${subject}/profile/-`,
    `/users/${subject}/profile/0`,
    `/mail/${subject}`,
    `/mail/${subject}/-`,
    `/mail/${subject}/x`,
    `/notes/${subject}`,
    `/notes/${subject}/1`,
    `/notes/${subject}/1/c`,
    '/plain',
    '/plain/x',
  ]
  const value = fc.oneof(
    fc.integer({ min: 0, max: 3 }),
    fc.constantFrom<unknown>(
      undefined,
      null,
      { a: 1 },
      [1, 2],
      { profile: { a: { b: 1 } } },
      { profile: [3], x: 1 },
      { $a: new Date(0), a: new Map([[1, 'x']]) },
      'text '.repeat(40),
    ),
  )
  return fc.array(fc.tuple(fc.constantFrom(...paths), value), { maxLength: 8 })
}

/** Makes one write, an undefined value deletes; gives whether anything changed, or the code it was refused with. */
async function made(repo: Repository, [path, value]: Write): Promise<unknown> {
  try {
    const { changed } = await (value === undefined ? repo.delete(path, 'Edit') : repo.set(path, value, 'Edit'))
    return changed
  } catch (error) {
    if (!isStateError(error)) throw error
    return error.code
  }
}

/** Of several faults in one transaction, any may be told. */
async function transacted(repo: Repository, writes: readonly Write[]): Promise<unknown> {
  try {
    const { changed } = await repo.commit('Edit', tx => {
      for (const [path, value] of writes) value === undefined ? tx.delete(path) : tx.set(path, value)
    })
    return changed
  } catch (error) {
    if (!isStateError(error)) throw error
    return 'refused'
  }
}

async function merged(repo: Repository): Promise<unknown> {
  try {
    await repo.merge('side')
    return 'merged'
  } catch (error) {
    if (!isStateError(error, 'merge-conflict')) throw error
    return error.data.conflicts
  }
}

async function seen(repo: Repository): Promise<unknown> {
  const blames = await repo.blameTree('/')
  return {
    state: await repo.get('/'),
    paths: await repo.list('/', { depth: 9 }),
    values: blames.map(({ path, value }) => ({ path, value })),
    found: await repo.search('text'),
  }
}

async function two(encryption: Encryption): Promise<readonly [Repository, Repository]> {
  const [bare, sealed] = [await open(memoryBackend()), await open(memoryBackend(), { protect: encryption })]
  for (const repo of [bare, sealed]) await repo.set('/', { users: {}, mail: {}, notes: {} }, 'Begin')
  return [bare, sealed]
}

it('writes, transactions and merges of two subjects are seen with protection as they are without', async () => {
  const encryption = await protection(newFolder())
  await fc.assert(
    fc.asyncProperty(writesOf('ann'), writesOf('ann'), writesOf('bob'), async (first, ours, theirs) => {
      const repos = await two(encryption)
      const outcomes: unknown[][] = [[], []]
      for (const [at, repo] of repos.entries()) {
        const told = outcomes[at]!
        for (const write of first) told.push(await made(repo, write))
        told.push(await seen(repo))
        const side = await repo.branch('side')
        told.push(await transacted(repo, ours))
        for (const write of theirs) told.push(await made(side, write))
        told.push(await merged(repo), await seen(repo))
      }
      expect(outcomes[1]).toEqual(outcomes[0])
      expect(await verify(repos[1])).toMatchObject({ ok: true, damage: [] })
    }),
    { numRuns: process.env['ASG_SOAK'] === '1' ? 200 : 50 },
  )
})

it('the same writes give the same root, whatever led there, and nothing of it is readable once erased', async () => {
  await fc.assert(
    fc.asyncProperty(writesOf('ann'), writesOf('ann'), async (writes, detour) => {
      const encryption = await protection(newFolder())
      const [, one] = await two(encryption)
      const [, other] = await two(encryption)
      for (const write of writes) await made(one, write)
      for (const write of detour) await made(other, write)
      await other.set('/', (await one.get('/')) as object, 'Same')
      expect((await other.head()).root).toBe((await one.head()).root)
      await one.set('/users/ann', { profile: 'xq7-secret' }, 'Set')
      await erase(one, 'ann', 'Asked')
      const shown = JSON.stringify(await one.get('/'))
      expect(shown).not.toContain('xq7-secret')
      const state = (await one.get('/')) as { users: { ann: { profile: unknown } }; mail: { ann?: unknown } }
      expect(state.users.ann.profile).toMatchObject({ isErased: true })
      if (state.mail.ann !== undefined) expect(state.mail.ann).toMatchObject({ isErased: true })
      expect(await verify(one)).toMatchObject({ ok: true, damage: [] })
    }),
    { numRuns: 25 },
  )
})
