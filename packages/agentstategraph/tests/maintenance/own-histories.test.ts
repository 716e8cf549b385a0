/**
 * What the library writes is never called damaged by its own verifier, nor refused by another repository.
 *
 * Lists of objects above all: their elements change, move, become equal to each other and come from either side of a merge.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { exportRepository, importRepository, push, verify } from '../../src/maintenance/index.ts'
import { agent, Versioned } from '../../src/memory/index.ts'
import { plans } from '../../src/plans/index.ts'
import {
  type Commit,
  isStateError,
  type MergeOptions,
  open,
  type Policy,
  type Repository,
} from '../../src/repository/index.ts'
import { migrations, schemas } from '../../src/schema/index.ts'
import { newPlan, planName, proof } from '../plans/support/plan-clock.ts'

/** What must be the same wherever a history is: everything but sequence numbers. */
async function told(repo: Repository): Promise<unknown> {
  const unnumbered = ({ seq: _, draft, ...rest }: Commit & { draft?: unknown }): unknown => ({
    ...rest,
    isDraft: draft !== undefined,
  })
  return { log: (await repo.log()).map(unnumbered), blame: (await repo.blameTree('/')).map(unnumbered) }
}

/** Expects that a repository is whole, and that others take over what it holds as it is. */
async function expectSound(repo: Repository): Promise<void> {
  expect((await verify(repo)).damage).toEqual([])
  await using pushed = await open()
  await push(repo, pushed)
  await using imported = await open()
  await importRepository(imported, exportRepository(repo))
  const here = await told(repo)
  expect(await told(pushed)).toEqual(here)
  expect(await told(imported)).toEqual(here)
  expect((await verify(imported)).damage).toEqual([])
}

describe('nothing is damaged by', () => {
  it('elements that are changed into what others were', async () => {
    await using repo = await open()
    await repo.set('/l', [{ a: 1 }, { a: 2 }], 'Begin')
    await repo.commit('Swap', tx => tx.set('/l/0/a', 2).set('/l/1/a', 1))
    await expectSound(repo)
  })

  it('a task that counts in every element', async () => {
    await using repo = await open()
    const memory = await Versioned.open(repo)
    const clerk = agent('clerk', { state: { jobs: [{ age: 1 }, { age: 2 }, { age: 3 }] } })
    const grow = clerk.task('grow', (_: undefined, { state }) => {
      for (const job of state.jobs) job.age++
    })
    await grow(undefined, { state: memory })
    await grow(undefined, { state: memory })
    await expectSound(repo)
  })

  it('a field that goes there and back on a branch', async () => {
    await using repo = await open()
    await repo.set('/l', [{ a: 1, b: 1 }, { a: 2 }], 'Begin')
    const side = await repo.branch('side')
    await side.set('/l/0/a', 5, 'There')
    await side.set('/l/0/a', 1, 'Back')
    await side.set('/l/0/b', 2, 'Another')
    await repo.set('/other', 1, 'Meanwhile')
    await repo.merge('side')
    await expectSound(repo)
  })

  it('a claim after a lease ran out, and the first claim after a merge of plans', async () => {
    const { repo, as, pass } = await newPlan()
    const here = await as('agent/a')
    await here.add([{ title: 'One' }, { title: 'Two' }, { title: 'Three' }])
    await here.change('t-2', { blockedBy: ['t-1'] })
    await here.claim({ leaseMs: 1000 })
    pass(2000)
    await (await as('agent/b')).claim({ leaseMs: 1000 })
    const side = await repo.branch('side')
    const there = await plans(side.as('agent/c')).get(planName)
    await there.claim({ id: 't-3' })
    await here.add({ title: 'Four' })
    await repo.merge('side')
    await here.claim()
    await expectSound(repo)
  })

  it('a circle of tasks that one side decides', async () => {
    const { repo, as } = await newPlan()
    const here = await as('agent/a')
    await here.add([{ title: 'One' }, { title: 'Two' }, { title: 'Three' }])
    const side = await repo.branch('side')
    const there = await plans(side.as('agent/b')).get(planName)
    await here.change('t-1', { blockedBy: ['t-2'] })
    await there.change('t-2', { blockedBy: ['t-3'] })
    await there.change('t-3', { blockedBy: ['t-1'] })
    const path = `/_plans/${planName}/tasks/t-000000001/blockedBy`
    await repo.merge('side', { description: 'Let it go first', resolutions: { [path]: 'theirs' } })
    await (await here.claim())!.complete(proof)
    await expectSound(repo)
  })

  it('a migration that detaches a schema and attaches it again', async () => {
    await using repo = await open()
    await repo.set('/', { jobs: [{ id: 1 }] }, 'Begin')
    const schema = { type: 'array', items: { type: 'object', required: ['id'] } }
    await schemas(repo).attach('/jobs', schema, {}, 'Jobs have ids')
    const all = migrations(repo).register({
      from: 0,
      to: 1,
      name: 'attach it again',
      migrate(tx, edits) {
        tx.set('/jobs', [{ id: 1 }, { id: 2 }])
        edits.detach('/jobs').attach('/jobs', schema)
      },
    })
    await all.run('main')
    await expectSound(repo)
  })
})

const policies: readonly (Policy | undefined)[] = [
  undefined,
  'ours',
  'theirs',
  'latest',
  'union',
  'append',
  { unionBy: 'id' },
  (_base, ours, theirs) => [...(ours as unknown[]), ...(theirs as unknown[])],
]

describe('every merge of short lists of objects is whole', () => {
  const elements = [{ id: 1, n: 0 }, { id: 1, n: 1 }, { id: 2, n: 0 }, { id: 2 }]
  const lists: readonly (readonly object[])[] = [
    [],
    ...elements.map(x => [x]),
    ...elements.flatMap(x => elements.map(y => [x, y])),
  ]
  const count = lists.length ** 3
  // All of them is for a soak; a step that shares no factor with their number goes through all kinds.
  const step = process.env['ASG_SOAK'] === '1' ? 1 : 211

  it.each(
    policies.map(policy => [typeof policy === 'function' ? 'a function' : JSON.stringify(policy), policy] as const),
  )(
    'by %s',
    async (_name, policy) => {
      await using repo = await open()
      await repo.set('/n', 0, 'Begin')
      for (let i = 0; i < count; i += step) await mergeOf(repo, i, policy)
      expect((await verify(repo)).damage).toEqual([])
      await using other = await open()
      await push(repo, other)
    },
    600_000,
  )

  async function mergeOf(repo: Repository, i: number, policy: Policy | undefined): Promise<void> {
    const [base, ours, theirs] = [0, 1, 2].map(n => lists[Math.floor(i / lists.length ** n) % lists.length]!)
    await repo.set('/l', base, 'Base')
    await repo.branch('side')
    await repo.on('side').set('/l', theirs, 'Theirs')
    await repo.set('/l', ours, 'Ours')
    const options: MergeOptions = policy === undefined ? {} : { policies: { '/l': policy } }
    await merged(repo, options, i % 3 === 0 ? 'theirs' : i % 3 === 1 ? 'ours' : 'base')
    await repo.deleteBranch('side')
  }
})

/** Merges a branch, and decides every conflict one way. */
async function merged(repo: Repository, options: MergeOptions, side: 'ours' | 'theirs' | 'base'): Promise<void> {
  let resolutions: MergeOptions['resolutions'] = {}
  for (;;) {
    try {
      await repo.merge('side', { description: 'Merge', ...options, resolutions })
      return
    } catch (error) {
      if (!isStateError(error, 'merge-conflict')) throw error
      resolutions = { ...resolutions, ...Object.fromEntries(error.data.conflicts.map(({ path }) => [path, side])) }
    }
  }
}

describe('whatever is done with lists of objects', () => {
  const small = fc.nat(2)
  const object = fc.record({ id: small, n: small, of: fc.array(small, { maxLength: 2 }) }, { requiredKeys: ['id'] })
  const objects = fc.array(object, { maxLength: 5 })
  const place = fc.nat(4)
  const action = fc.oneof(
    fc.record({ kind: fc.constant('set' as const), objects }),
    fc.record({
      kind: fc.constant('edit' as const),
      places: fc.array(fc.tuple(place, fc.nat(4), small), { minLength: 1, maxLength: 4 }),
    }),
    fc.record({ kind: fc.constant('task' as const), by: small }),
    fc.record({ kind: fc.constant('plan' as const), what: fc.nat(3) }),
    fc.record({ kind: fc.constant('migrate' as const), by: small }),
    fc.record({ kind: fc.constant('back' as const), which: place, how: small }),
    fc.record({
      kind: fc.constant('merge' as const),
      policy: fc.constantFrom(...policies),
      side: fc.constantFrom('ours' as const, 'theirs' as const, 'base' as const),
    }),
  )
  type Action = typeof action extends fc.Arbitrary<infer T> ? T : never

  const clerk = agent('clerk', { state: { list: [] as { n?: number }[] } })
  const count = clerk.task('count', (by: number, { state }) => {
    for (const one of state.list ?? []) one.n = (one.n ?? 0) + by
    if (by === 0) state.list?.reverse()
  })

  async function act(repo: Repository, branch: 'main' | 'side', one: Action, n: number): Promise<unknown> {
    const on = repo.on(branch)
    switch (one.kind) {
      case 'set':
        return on.set('/list', one.objects, 'Set')
      case 'edit':
        return on.commit('Edit', tx => {
          for (const [at, how, value] of one.places) {
            if (how < 2) tx.set(`/list/${at}/${how === 0 ? 'id' : 'n'}`, value)
            else if (how === 2) tx.delete(`/list/${at}`)
            else if (how === 3) tx.apply([{ op: 'add', path: `/list/${at}`, after: { id: value } }])
            else tx.set(`/list/${at}/of`, [value, value])
          }
        })
      case 'task':
        return count(one.by, { state: await Versioned.open(repo, { branch }) })
      case 'plan': {
        const plan = await plans(on.as(`agent/${one.what}`)).get('work')
        if (one.what === 0) return plan.add({ title: `Task ${n}`, ...(n % 2 === 0 ? {} : { blockedBy: ['t-1'] }) })
        return (await plan.claim({ leaseMs: 1 + n }))?.[one.what === 1 ? 'release' : 'renew']()
      }
      case 'migrate':
        return migrations(on)
          .register({ from: 0, to: 1, name: 'one', migrate: tx => void tx.set('/list/0/n', one.by) })
          .run(branch)
      case 'back': {
        const log = await on.log()
        const { id } = log[one.which % log.length]!
        return one.how === 0 ? on.revert(id) : one.how === 1 ? on.rollback(id, 'Back') : on.cherryPick(id)
      }
      case 'merge':
        return branch === 'main'
          ? merged(repo, one.policy === undefined ? {} : { policies: { '/list': one.policy } }, one.side)
          : on.merge('main')
    }
  }

  it('the history is whole, and the same elsewhere', async () => {
    const steps = fc.array(fc.tuple(fc.boolean(), action), { minLength: 4, maxLength: 14 })
    await fc.assert(
      fc.asyncProperty(objects, steps, async (start, all) => {
        let ticks = Date.parse('2026-04-06T08:00:00.000Z')
        const clock = (): Date => {
          ticks += 3
          return new Date(ticks)
        }
        await using repo = await open(undefined, { clock })
        await repo.set('/list', start, 'Begin')
        await plans(repo).create('work', 'To be done')
        await plans(repo)
          .get('work')
          .then(plan => plan.add({ title: 'First' }))
        await repo.branch('side')
        for (const [n, [isAside, one]] of all.entries()) {
          try {
            await act(repo, isAside ? 'side' : 'main', one, n)
          } catch (error) {
            if (!isStateError(error)) throw error
          }
        }
        await expectSound(repo)
      }),
      { numRuns: 15 },
    )
  })
})
