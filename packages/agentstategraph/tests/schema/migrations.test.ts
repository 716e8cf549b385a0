/** Migrations: where a branch is, what would be done, doing it, going on after a failure, and taking it back. */

import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { branchRef, getBranchHead, reasonOf } from '../../src/repo/index.ts'
import { land } from '../../src/repo/write/land.ts'
import { open, type Repository } from '../../src/repository/index.ts'
import { type Migration, migrationRegistry, migrations, schemas } from '../../src/schema/index.ts'
import { memoryBackend } from '../../src/store/index.ts'
import { edit } from '../../src/tree/index.ts'

const split: Migration = {
  from: 0,
  to: 1,
  name: 'split the name',
  describe: 'First and last names are asked for apart',
  async migrate(tx) {
    const [first, last] = (await tx.get<string>('/name')).split(' ')
    tx.set('/first', first).set('/last', last).delete('/name')
  },
}
const count: Migration = { from: 1, to: 3, name: 'count visits', migrate: tx => tx.set('/visits', 0) }

let repo: Repository
beforeEach(async () => {
  repo = await open()
  onTestFinished(() => repo.close())
  await repo.set('/', { name: 'Ada Lovelace', kept: 1 }, 'Begin')
})

/** Puts something under `/_meta/version` that no migration did. */
async function putVersion(value: string | number): Promise<void> {
  const { handle } = repo
  const { journal } = handle
  const head = await journal.run(getBranchHead(handle))
  const path = ['_meta', 'version']
  const { root } = await journal.run(edit(journal.context, head.system, [{ op: 'set', path, value }]))
  const { info } = reasonOf(handle, 'x', 'Migrate')
  const landing = {
    ref: branchRef('main'),
    head,
    tree: head.tree,
    system: root,
    info,
    changesMeta: true,
  }
  await journal.run(land(handle, landing))
}

describe('a check', () => {
  const rows: readonly [string, string | number | undefined, object][] = [
    ['without a version', undefined, { status: 'unversioned', pending: ['split the name', 'count visits'] }],
    ['at an old version', 1, { status: 'upgrade-available', found: 1, latest: 3, pending: ['count visits'] }],
    ['at the last version', 3, { status: 'up-to-date', pending: [] }],
    ['at a version not known here', 4, { status: 'downgrade', found: 4, pending: [] }],
    ['at what is no version', '1.0', { status: 'corrupt', found: '1.0', pending: [] }],
    ['at a version that cannot be', -1, { status: 'corrupt' }],
  ]
  it.each(rows)('of a branch %s', async (_name, version, expected) => {
    if (version !== undefined) await putVersion(version)
    const all = migrations(repo).register(count).register(split)
    expect(await all.check('main')).toMatchObject({ ref: 'main', ...expected })
  })

  it('of a branch that is not there is an error', async () => {
    await expect(migrations(repo).check('none')).rejects.toMatchObject({ code: 'ref-not-found' })
  })
})

describe('a run', () => {
  it('shows the exact changes first, and then makes them, one commit for each', async () => {
    const all = migrations(repo).register(split).register(count)
    const before = await repo.log()
    const [dry] = await all.run('main', { dryRun: true })
    expect(dry).toEqual({
      ref: 'main',
      isDryRun: true,
      steps: [
        {
          name: 'split the name',
          from: 0,
          to: 1,
          changes: [
            { op: 'add', path: '/first', after: 'Ada' },
            { op: 'add', path: '/last', after: 'Lovelace' },
            { op: 'remove', path: '/name', before: 'Ada Lovelace' },
            { op: 'add', path: '/_meta', after: { version: 1 } },
          ],
        },
        {
          name: 'count visits',
          from: 1,
          to: 3,
          changes: [
            { op: 'add', path: '/visits', after: 0 },
            { op: 'change', path: '/_meta/version', before: 1, after: 3 },
          ],
        },
      ],
    })
    expect(await repo.log()).toEqual(before)
    const [done] = await all.run('main')
    expect(done!.steps.map(({ changes }) => changes)).toEqual(dry!.steps.map(({ changes }) => changes))
    expect(done!.steps[0]!.commit).toMatchObject({
      intent: { category: 'Migrate', description: 'Migrate to version 1: split the name' },
      reasoning: split.describe,
    })
    expect(await repo.get('/')).toEqual({ first: 'Ada', last: 'Lovelace', kept: 1, visits: 0 })
    expect(await repo.get('/_meta/version')).toBe(3)
    expect((await repo.log()).length).toBe(before.length + 2)
    expect(await all.run('main')).toEqual([{ ref: 'main', isDryRun: false, steps: [] }])
  })

  it('goes over several branches, each from where it is', async () => {
    await repo.branch('old')
    const all = migrations(repo).register(split)
    await all.run('main')
    all.register(count)
    const done = await all.run(['main', 'old'])
    expect(done.map(({ ref, steps }) => [ref, steps.map(({ name }) => name)])).toEqual([
      ['main', ['count visits']],
      ['old', ['split the name', 'count visits']],
    ])
  })

  it('that fails in the middle leaves what was done, names what failed, and goes on later', async () => {
    let isBroken = true
    const fragile: Migration = {
      ...count,
      migrate(tx) {
        tx.set('/visits', 0)
        if (isBroken) throw new Error('the power went')
      },
    }
    const all = migrations(repo).register(split).register(fragile)
    const data = { ref: 'main', name: 'count visits', from: 1, to: 3, reason: 'the power went' }
    await expect(all.run('main')).rejects.toMatchObject({ code: 'migration-failed', data })
    expect(await repo.get('/')).toEqual({ first: 'Ada', last: 'Lovelace', kept: 1 })
    expect(await all.check('main')).toMatchObject({ status: 'upgrade-available', found: 1 })
    isBroken = false
    expect((await all.run('main'))[0]!.steps.map(({ name }) => name)).toEqual(['count visits'])
  })

  it('runs a migration again when another writer got in between, and is done once by two', async () => {
    let isFirst = true
    const raced: Migration = {
      ...split,
      async migrate(tx, edits) {
        if (isFirst) {
          isFirst = false
          await repo.set('/name', 'Grace Hopper', 'Meanwhile')
        }
        await split.migrate(tx, edits)
      },
    }
    const all = migrations(repo).register(raced)
    const done = await Promise.all([all.run('main'), all.run('main')])
    expect(done.flat().flatMap(({ steps }) => steps).length).toBe(1)
    expect(await repo.get('/first')).toBe('Grace')
  })

  it('changes schemas together with the state', async () => {
    await schemas(repo).attach('/', { required: ['name'] }, {}, 'Names')
    const all = migrations(repo).register({
      ...split,
      migrate: async (tx, edits) => {
        await split.migrate(tx, edits)
        edits.attach('/', { required: ['first', 'last'] }).attach('/visits', { type: 'integer' })
      },
    })
    await all.run('main', { dryRun: true })
    expect(await schemas(repo).get('/')).toMatchObject({ schema: { required: ['name'] } })
    await all.run('main')
    expect((await schemas(repo).list()).map(({ schema }) => schema)).toEqual([
      { required: ['first', 'last'] },
      { type: 'integer' },
    ])
    await all.rollback('main', 0, 'Back')
    expect(await repo.get('/')).toEqual({ name: 'Ada Lovelace', kept: 1 })
    expect(await schemas(repo).list()).toMatchObject([{ pattern: '/', schema: { required: ['name'] } }])
  })

  it('is refused on a newer or broken version, and where a migration is missing', async () => {
    const all = migrations(repo).register(count)
    await expect(all.run('main')).rejects.toMatchObject({ code: 'migration-missing', data: { from: 0, to: 3 } })
    await putVersion(9)
    await expect(all.run('main')).rejects.toMatchObject({ code: 'version-newer', data: { found: 9, latest: 3 } })
    await putVersion('x')
    await expect(all.run('main')).rejects.toMatchObject({ code: 'version-corrupt', data: { found: 'x' } })
  })
})

describe('a registry', () => {
  it('refuses two ways to one version, and finds links that are missing', () => {
    const later = (from: number, to: number): Migration => ({ from, to, name: `${from} to ${to}`, migrate: () => {} })
    for (const other of [later(1, 2), later(2, 3), later(0, 3), later(2, 4)]) {
      const data = { first: 'count visits', second: other.name }
      expect(() => migrationRegistry(count, other)).toThrow(
        expect.objectContaining({ code: 'migration-ambiguous', data }),
      )
    }
    const gap = migrationRegistry(count, later(4, 5))
    expect(() => gap.version).toThrow(expect.objectContaining({ code: 'migration-missing', data: { from: 3, to: 4 } }))
    for (const wrong of [
      later(2, 2),
      later(3, 1),
      later(-1, 1),
      later(0.5, 1),
      { ...count, name: '' },
      { ...count, migrate: 1 },
      null,
    ]) {
      expect(() => migrationRegistry(wrong as Migration)).toThrow(
        expect.objectContaining({ code: 'migration-invalid' }),
      )
    }
  })

  it('stamps a store that is opened new with it, and no other', async () => {
    const backend = memoryBackend()
    const registry = migrationRegistry(split, count)
    await using fresh = await open(backend, { migrations: registry, policies: { '/n': 'sum' } })
    expect(await migrations(fresh).check('main')).toMatchObject({ status: 'up-to-date', found: 3 })
    await using again = await open(backend, { migrations: migrationRegistry(split) })
    expect(await migrations(again).check('main')).toMatchObject({ status: 'downgrade', found: 3 })
    const old = memoryBackend()
    await using first = await open(old)
    await first.set('/name', 'A B', 'Begin')
    await using second = await open(old, { migrations: registry })
    expect(await migrations(second).check('main')).toMatchObject({ status: 'unversioned' })
  })

  it('lets a branch without a version be told which it is, once', async () => {
    const all = migrations(repo).register(count)
    await all.stamp('main', 1)
    await all.run('main')
    await expect(all.stamp('main', 1)).rejects.toMatchObject({ code: 'version-stamped', data: { version: 3 } })
  })
})

describe('taking back', () => {
  it('restores the state before, and keeps what was written since', async () => {
    const all = migrations(repo).register(split).register(count)
    await all.run('main')
    await repo.set('/kept', 2, 'Meanwhile')
    const back = await all.rollback('main', 1, 'Visits were a mistake')
    expect(back.intent).toMatchObject({ category: 'Rollback', description: 'Visits were a mistake' })
    expect(await repo.get('/')).toEqual({ first: 'Ada', last: 'Lovelace', kept: 2 })
    await all.rollback('main', 0, 'And names')
    expect(await repo.get('/')).toEqual({ name: 'Ada Lovelace', kept: 2 })
    expect(await all.check('main')).toMatchObject({ status: 'unversioned' })
    await all.run('main')
    await all.rollback('main', 0, 'Once more')
    expect(await repo.get('/')).toEqual({ name: 'Ada Lovelace', kept: 2 })
  })

  it('is a conflict where what was migrated was written since, and unknown where nothing was', async () => {
    const all = migrations(repo).register(split)
    await all.run('main')
    await repo.set('/first', 'Augusta', 'Her first name')
    await expect(all.rollback('main', 0, 'Back')).rejects.toMatchObject({ code: 'merge-conflict' })
    await expect(all.rollback('main', 7, 'Back')).rejects.toMatchObject({ code: 'version-unreachable' })
    expect(await repo.get('/_meta/version')).toBe(1)
  })

  it('is not done by revert, undo, rollback or cherry-pick', async () => {
    const { id: old } = (await repo.log({ limit: 1 }))[0]!
    await repo.branch('old')
    const [done] = await migrations(repo).register(split).run('main')
    const { id, seq } = done!.steps[0]!.commit!
    const refused = { code: 'meta-protected', data: { path: '/_meta/version' } }
    await expect(repo.revert(id)).rejects.toMatchObject(refused)
    await expect(repo.undo(seq)).rejects.toMatchObject(refused)
    await expect(repo.rollback(old, 'Back')).rejects.toMatchObject(refused)
    await expect(repo.on('old').cherryPick(id)).rejects.toMatchObject(refused)
  })
})

it('branches and speculations of different versions are not brought together', async () => {
  const old = await repo.branch('old')
  const guess = await repo.speculate({ label: 'guess' })
  await guess.set('/name', 'Grace Hopper')
  const all = migrations(repo).register(split)
  await all.run('main')
  await old.set('/kept', 2, 'On the old branch')
  const data = { source: 'old', into: 'main', ours: 1 }
  await expect(repo.merge('old')).rejects.toMatchObject({ code: 'versions-differ', data })
  await expect(guess.commit('Keep')).rejects.toMatchObject({ code: 'versions-differ', data: { source: 'guess' } })
  await all.run('old')
  await repo.merge('old')
  expect(await repo.get('/')).toEqual({ first: 'Ada', last: 'Lovelace', kept: 2 })
})
