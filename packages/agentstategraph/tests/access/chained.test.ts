/** Writes that land together, in one append: rights and limits are judged for each as if it landed alone. */
import { describe, expect, it } from 'vitest'
import { access, type GrantSpec } from '../../src/access/index.ts'
import { newBudget, type OpenOptions, open, type Repository } from '../../src/repository/index.ts'
import type { Backend } from '../../src/store/index.ts'
import { sharedStores } from '../repo/support/shared-stores.ts'
import { codeOf, person } from './support/people.ts'

const began = Date.parse('2026-04-01T12:00:00Z')

interface Crowd extends AsyncDisposable {
  /** The operator. */
  readonly repo: Repository
  /** Another principal, under a grant. */
  readonly mallory: Repository
  readonly again: (options?: OpenOptions) => Promise<Repository>
}

/** Writes of one turn land together: in groups, or under the budgets of operations. */
async function crowd(store: () => Backend, hasBudget: boolean, grant: GrantSpec): Promise<Crowd> {
  const clock = (): Date => new Date(began)
  const options = hasBudget ? { clock } : ({ clock, durability: 'group' } as const)
  const again = (more: OpenOptions = {}): Promise<Repository> => open(store(), { ...options, ...more })
  const whole = await again()
  await whole.set('/', { team: { n: 0 }, secret: 's', list: [] }, 'Begin')
  const someone = await person(whole, 'mallory', grant)
  const under = (one: Repository): Repository => (hasBudget ? one.under(newBudget(Number.POSITIVE_INFINITY)) : one)
  return { repo: under(whole), mallory: under(someone), again, [Symbol.asyncDispose]: () => whole.close() }
}

const work: GrantSpec = { capabilities: ['read', 'commit'], paths: ['/team'] }
const places = [
  ...sharedStores.map(([name, newStore]) => [`${name}, in groups`, newStore, false] as const),
  ...sharedStores
    .filter(([, , isSync]) => isSync)
    .map(([name, store]) => [`${name}, under budgets`, store, true] as const),
]

describe.each(places)('on %s', (_, newStore, hasBudget) => {
  it('a write that is refused lands with none of its neighbours, and they land', async () => {
    await using all = await crowd(newStore(), hasBudget, work)
    const { repo, mallory } = all
    const codes = await Promise.all(
      [
        () => repo.set('/list/-', 1, 'Work'),
        () => mallory.set('/secret', 'mine', 'Try'),
        () => repo.set('/list/-', 2, 'Work'),
        () => mallory.set('/team/n', 1, 'Work'),
        () => mallory.set('/', {}, 'Try'),
        () => repo.set('/list/-', 3, 'Work'),
      ].map(codeOf),
    )
    expect(codes).toEqual(['done', 'access-denied', 'done', 'done', 'access-denied', 'done'])
    expect(await repo.get('/')).toEqual({ team: { n: 1 }, secret: 's', list: [1, 2, 3] })
  })

  it.each([
    ['commits', { commitsPerMinute: 3 }],
    ['entries', { entriesPerMinute: 3 }],
  ])('a limit of %s holds for those that come at once', async (_what, limits) => {
    await using all = await crowd(newStore(), hasBudget, { ...work, limits })
    const { repo, mallory } = all
    const codes = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        codeOf(() => (n % 2 === 0 ? repo.set('/list/-', n, 'Work') : mallory.set(`/team/k${n}`, n, 'Work'))),
      ),
    )
    expect(codes.filter(code => code === 'rate-exceeded')).toHaveLength(3)
    expect(codes.filter(code => code === 'done')).toHaveLength(9)
    expect(Object.keys((await repo.get('/team')) as object)).toHaveLength(4)
  })

  it('a size of one commit is not shared out among those that come at once', async () => {
    await using all = await crowd(newStore(), hasBudget, { ...work, limits: { bytesPerCommit: 2000 } })
    const { repo, mallory } = all
    const tries = [() => repo.set('/list/-', 1, 'Work'), () => mallory.set('/team/n', 'x'.repeat(4000), 'Try')]
    expect(await Promise.all(tries.map(codeOf))).toEqual(['done', 'commit-too-large'])
  })

  it('a grant that ends before the time that they all get allows nothing', async () => {
    const expires = new Date(began + 60_000).toISOString()
    await using all = await crowd(newStore(), hasBudget, { ...work, expires })
    const { repo, mallory } = all
    // A clock that is ahead: entries that come later get its time.
    const ahead = await all.again({ clock: () => new Date(began + 120_000) })
    await ahead.branch('ahead')
    const tries = [
      () => repo.set('/list/-', 1, 'Work'),
      () => mallory.set('/team/n', 1, 'Late'),
      () => repo.set('/list/-', 2, 'Work'),
    ]
    expect(await Promise.all(tries.map(codeOf))).toEqual(['done', 'grant-expired', 'done'])
    expect(await repo.get('/')).toEqual({ team: { n: 0 }, secret: 's', list: [1, 2] })
    await ahead.close()
  })

  it('a right that ends in the same turn allows nothing that lands after it', async () => {
    await using all = await crowd(newStore(), hasBudget, work)
    const { repo, mallory } = all
    const [{ id } = { id: '' }] = await access(repo).grants({ principal: 'mallory' })
    const tries = [
      () => access(repo).revoke(id, 'Over'),
      ...Array.from({ length: 4 }, (_, n) => () => mallory.set(`/team/k${n}`, n, 'Work')),
    ]
    await Promise.all(tries.map(codeOf))
    const revoked = (await repo.query({})).length
    expect(await codeOf(() => mallory.set('/team/after', 1, 'Try'))).toBe('grant-revoked')
    expect((await repo.query({})).length).toBe(revoked)
  })
})
