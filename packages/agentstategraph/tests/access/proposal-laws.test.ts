/** What is approved is what would have landed, and stands on its own: on every kind of store, after any history. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { access } from '../../src/access/index.ts'
import { gc, verify } from '../../src/maintenance/index.ts'
import { isStateError, open, type Repository, type Transaction } from '../../src/repository/index.ts'
import { runWorkers } from '../processes/worker-process.ts'
import { allStores } from '../repo/support/open-stores.ts'
import { newFile } from '../store/support/sqlite-file.ts'
import { type Office, office, proposalOf } from './support/office.ts'

interface Edit {
  readonly path: string
  /** Undefined deletes. */
  readonly value: unknown
}

const place = fc.constantFrom('/a', '/a/x', '/a/y', '/list', '/map', '/map/k3', '/map/k77', '/text')
const value = fc.oneof(
  fc.integer(),
  fc.constant(undefined),
  fc.record({ x: fc.integer(), y: fc.string() }),
  fc.integer({ min: 0, max: 90 }).map(length => Array.from({ length }, (_, i) => ({ i, even: i % 2 === 0 }))),
  fc.integer({ min: 60, max: 120 }).map(n => Object.fromEntries(Array.from({ length: n }, (_, i) => [`k${i}`, i]))),
  fc.constantFrom('short', 'long '.repeat(60), 'piece by piece '.repeat(6000)),
)
const commits = fc.array(fc.array(fc.record({ path: place, value }), { minLength: 1, maxLength: 3 }), {
  minLength: 1,
  maxLength: 4,
})

function make(tx: Transaction, edits: readonly Edit[]): void {
  for (const { path, value: wanted } of edits) {
    if (wanted === undefined) tx.delete(path)
    else tx.set(path, wanted)
  }
}

/** The edits that can be made here: what goes through a scalar cannot. */
async function isPossible(repo: Repository, edits: readonly Edit[]): Promise<boolean> {
  await using tried = await repo.speculate()
  try {
    for (const { path, value: wanted } of edits) {
      if (wanted === undefined) await tried.delete(path)
      else await tried.set(path, wanted)
    }
    return (await tried.changes()).length > 0
  } catch (error) {
    if (!isStateError(error)) throw error
    return false
  }
}

it.each(allStores)(
  'law: approved, a change gives the state that it gives by itself, on $name',
  async ({ newStore }) => {
    let approved = 0
    await fc.assert(
      fc.asyncProperty(commits, async given => {
        let now = Date.parse('2026-04-06T08:00:00Z')
        const options = { clock: () => new Date(now) }
        await using direct = await office(newStore(), options)
        await using asked: Office = await office(newStore(), options)
        await asked.rule({ name: 'all', effect: 'require-approval', when: { agents: ['agent/*'] } })
        for (const edits of given) {
          if (!(await isPossible(direct.repo, edits))) continue
          const wanted = await direct.agent.commit('Change', tx => make(tx, edits))
          const id = await proposalOf(asked.agent.commit('Change', tx => make(tx, edits)))
          const landed = await access(asked.ann).approve(id, 'Yes')
          expect(landed.root).toBe(wanted.root)
          approved++
          for (const path of ['/a', '/list/3', '/map/k3', '/text']) {
            const writers = await Promise.all(
              [direct, asked].map(({ repo }) => repo.blame(path).catch(() => undefined)),
            )
            expect(writers[1]?.intent.description).toBe(writers[0]?.intent.description)
          }
        }
        now += 365 * 24 * 3600 * 1000
        await gc(asked.repo)
        expect(await asked.repo.get('/')).toEqual(await direct.repo.get('/'))
        expect((await verify(asked.repo)).damage).toEqual([])
      }),
      { numRuns: 12 },
    )
    expect(approved).toBeGreaterThan(0)
  },
)

it('of two processes that approve at once, one does', async () => {
  const file = newFile()
  const keys: string[] = []
  const proposals: string[] = []
  {
    await using at = await office(file)
    await at.rule({ name: 'all', effect: 'require-approval', when: { agents: ['agent/*'] } })
    for (const name of ['ann', 'ben']) keys.push((await access(at.repo).addKey(`human/${name}`)).key)
    for (const branch of Array.from({ length: 10 }, (_, i) => `work-${i}`)) {
      const here = await at.agent.branch(branch)
      proposals.push(await proposalOf(here.set('/prod/replicas', 9, 'Scale')))
    }
  }
  const said = await runWorkers(
    'approve-worker.mjs',
    keys.map(key => ({ file, key, proposals })),
  )
  const [first, second] = said.map(([codes]) => codes as string[])
  const pairs = proposals.map((_, i) => [first![i], second![i]].sort())
  expect(pairs).toEqual(proposals.map(() => ['approved', 'proposal-decided']))
  await using at = await open(file)
  expect(await access(at).proposals({ status: 'approved' })).toHaveLength(10)
  expect((await at.query({ text: 'Scale' })).length).toBe(10)
  expect((await verify(at)).ok).toBe(true)
})
