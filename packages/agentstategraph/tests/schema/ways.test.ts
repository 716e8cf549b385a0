/** Schemas hold for every way of writing, and no way of writing but their own changes what is under `/_meta`. */

import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { END, StateGraph } from '../../src/graph/index.ts'
import { exportRepository, importRepository, pull, verify } from '../../src/maintenance/index.ts'
import { agent, Versioned } from '../../src/memory/index.ts'
import { plans } from '../../src/plans/index.ts'
import { branchRef, getBranchHead, reasonOf } from '../../src/repo/index.ts'
import { land } from '../../src/repo/write/land.ts'
import { open, type Repository } from '../../src/repository/index.ts'
import { migrations, schemas } from '../../src/schema/index.ts'
import { edit } from '../../src/tree/index.ts'

interface State {
  count: number
  name?: string
}
const shape = { type: 'object', properties: { count: { type: 'integer', maximum: 10 } }, required: ['count'] }

let repo: Repository<State>
beforeEach(async () => {
  repo = await open<State>()
  onTestFinished(() => repo.close())
  await repo.set('/', { count: 1 }, 'Begin')
})

/** A branch from before the schema, on which the state breaks it. */
async function brokenBranch(): Promise<{ readonly branch: Repository<State>; readonly bad: string }> {
  const branch = await repo.branch('other')
  const { id } = await branch.set('/count', 99, 'Too many')
  return { branch, bad: id }
}

const refusal = {
  code: 'schema-violation',
  data: { violations: [{ path: '/count', rule: 'maximum', value: 99, pattern: '/' }] },
}

/** Each way: what comes before the schema is attached, and the write that must be refused. */
const ways: readonly [name: string, before: () => Promise<() => Promise<unknown>>][] = [
  ['set', async () => () => repo.set('/count', 99, 'Set')],
  ['set of the root', async () => () => repo.set('/', { count: 99 }, 'Set')],
  ['transaction', async () => () => repo.commit('Set', tx => tx.set('/count', 99))],
  [
    'apply',
    async () => () => repo.commit('Set', tx => tx.apply([{ op: 'change', path: '/count', before: 1, after: 99 }])),
  ],
  [
    'merge',
    async () => {
      await brokenBranch()
      return () => repo.merge('other')
    },
  ],
  [
    'merge with a resolution',
    async () => {
      const branch = await repo.branch('other')
      await branch.set('/count', 3, 'Three')
      await repo.set('/count', 4, 'Four')
      return () => repo.merge('other', { description: 'Merge', resolutions: { '/count': { value: 99 } } })
    },
  ],
  [
    'cherry-pick',
    async () => {
      const { bad } = await brokenBranch()
      return () => repo.cherryPick(bad)
    },
  ],
  [
    'revert',
    async () => {
      await repo.set('/count', 99, 'Too many')
      const { id } = await repo.set('/count', 2, 'Fewer')
      return () => repo.revert(id)
    },
  ],
  [
    'undo',
    async () => {
      await repo.set('/count', 99, 'Too many')
      const { seq } = await repo.set('/count', 2, 'Fewer')
      return () => repo.undo(seq)
    },
  ],
  [
    'rollback',
    async () => {
      const { id } = await repo.set('/count', 99, 'Too many')
      await repo.set('/count', 2, 'Fewer')
      return () => repo.rollback(id, 'Back')
    },
  ],
  [
    'write in a speculation',
    async () => async () => {
      await using guess = await repo.speculate()
      await guess.set('/count', 99)
    },
  ],
  [
    'speculation from before the schema',
    async () => {
      const guess = await repo.speculate()
      await guess.set('/count', 99)
      return () => guess.commit('Keep')
    },
  ],
]

describe('a strict schema refuses', () => {
  it.each(ways)('%s', async (_name, before) => {
    const write = await before()
    await schemas(repo).attach('/', shape, {}, 'Counts are small')
    const { root, id } = (await repo.log({ limit: 1 }))[0]!
    await expect(write()).rejects.toMatchObject(refusal)
    expect((await repo.log({ limit: 1 }))[0]).toMatchObject({ root, id })
  })

  it('delete of what is required', async () => {
    await schemas(repo).attach('/', shape, {}, 'Counts are small')
    await expect(repo.delete('/count', 'Delete')).rejects.toMatchObject({
      data: { violations: [{ path: '/', rule: 'required', value: {} }] },
    })
  })

  it('the checkpoint of a memory', async () => {
    await schemas(repo).attach('/clerk', shape, {}, 'Counts are small')
    const clerk = agent('clerk', { state: { count: 1 } })
    const count = clerk.task('count', (_input: undefined, { state }) => {
      state.count = 99
    })
    const memory = await Versioned.open(repo as Repository)
    await expect(count(undefined, { state: memory })).rejects.toMatchObject({ code: 'schema-violation' })
    expect(await repo.has('/clerk')).toBe(false)
  })

  it('a step of a graph, whose thread began with it', async () => {
    await schemas(repo).attach('/', shape, {}, 'Counts are small')
    const app = new StateGraph({ state: { count: 1 } })
      .addNode('grow', () => ({ count: 99 }))
      .addEdge('grow', END)
      .compile({ repo: repo as Repository, name: 'grow' })
    await expect(app.run({})).rejects.toMatchObject(refusal)
  })

  it('a task whose payload breaks a schema that names plans, and only that', async () => {
    const payloads = '/_plans/*/tasks/*/payload'
    const plan = await plans(repo as Repository).create('move')
    await schemas(repo).attach(payloads, shape, {}, 'Payloads are counted')
    await schemas(repo).attach('/**', { properties: { title: false } }, {}, 'The state has no titles; plans do')
    const { id } = await repo.head()
    const violation = { ...refusal.data.violations[0], path: '/_plans/move/tasks/t-000000001/payload/count' }
    await expect(plan.add({ title: 'Too many', payload: { count: 99 } })).rejects.toMatchObject({
      code: 'schema-violation',
      data: { violations: [{ ...violation, pattern: payloads }] },
    })
    expect((await repo.head()).id).toBe(id)
    expect(await plan.add({ title: 'Few', payload: { count: 9 } })).toMatchObject({ status: 'pending' })
    await schemas(repo).attach(payloads, { maxProperties: 0 }, { enforcement: 'warn' }, 'Look at them')
    expect((await schemas(repo).check()).violations).toMatchObject([{ rule: 'maxProperties', value: { count: 9 } }])
    expect((await schemas(repo).check({ count: 1 })).violations).toEqual([])
    await plan.claim()
    expect((await repo.head()).warnings ?? []).toEqual([])
  })

  it('a pull and an import of commits that break it', async () => {
    await schemas(repo).attach('/', shape, {}, 'Counts are small')
    await smuggle(repo, ['count'], 99, 'tree')
    await using other = await open<State>()
    await expect(pull(other, repo)).rejects.toMatchObject({ code: 'commit-refused' })
    const lines: string[] = []
    for await (const line of exportRepository(repo)) lines.push(line)
    await expect(importRepository(other, lines)).rejects.toMatchObject({ code: 'import-refused' })
    expect(await other.branches()).toEqual([])
  })

  it('a migration that does not change the schema with the state', async () => {
    await schemas(repo).attach('/', shape, {}, 'Counts are small')
    const wrong = {
      from: 0,
      to: 1,
      name: 'grow',
      migrate: (tx: { set(path: '/count', to: number): unknown }) => tx.set('/count', 99),
    }
    await expect(migrations(repo).register(wrong).run('main')).rejects.toMatchObject({
      code: 'migration-failed',
      cause: refusal,
    })
  })
})

/** Writes past every check, as a process would that knows nothing of schemas. */
async function smuggle(
  target: Repository<State>,
  path: readonly string[],
  value: number,
  root: 'tree' | 'system',
  schema?: string,
): Promise<void> {
  const { handle } = target
  const { journal } = handle
  const { appendCommit } = await import('../../src/store/index.ts')
  const head = await journal.run(getBranchHead(handle))
  const edited = await journal.run(edit(journal.context, head[root], [{ op: 'set', path, value }]))
  await journal.run(
    appendCommit(journal, {
      parents: [head],
      tree: head.tree,
      system: head.system,
      [root]: edited.root,
      info: {
        ...reasonOf(handle, 'Smuggle', 'Refine').info,
        schema: schema ?? head.record.schema,
      },
      changed: [path],
      moves: [{ name: branchRef(handle.branch), expect: head.seq, to: { entry: 0 } }],
    }),
  )
}

describe('what is under /_meta', () => {
  const attach = (): Promise<{ readonly id: string; readonly seq: number }> =>
    schemas(repo).attach('/', shape, {}, 'Counts are small')
  const isKept = async (): Promise<void> =>
    expect((await schemas(repo).list()).map(({ pattern }) => pattern)).toEqual(['/'])

  it('is not written by path, by the root, by a parent, or by a transaction', async () => {
    await attach()
    const any = repo as Repository
    for (const path of ['/_meta', '/_meta/schemas', '/_meta/version']) {
      await expect(any.set(path, {}, 'x')).rejects.toMatchObject({ code: 'path-reserved' })
      await expect(any.delete(path, 'x')).rejects.toMatchObject({ code: 'path-reserved' })
      await expect(any.commit('x', tx => tx.set(path, {}))).rejects.toMatchObject({ code: 'path-reserved' })
    }
    const root = { count: 1, _meta: {} }
    const change = { op: 'change', path: '/', before: { count: 1 }, after: root } as const
    await expect(any.set('/', root, 'x')).rejects.toMatchObject({ code: 'path-reserved' })
    await expect(any.commit('x', tx => tx.apply([change]))).rejects.toMatchObject({ code: 'path-reserved' })
    await using guess = await any.speculate()
    await expect(guess.set('/', root)).rejects.toMatchObject({ code: 'path-reserved' })
    await repo.set('/', { count: 2 }, 'The root is the state alone')
    await isKept()
  })

  it('stays when the state goes back to before it', async () => {
    const { id } = await repo.set('/count', 3, 'Three')
    await repo.set('/count', 4, 'Four')
    await attach()
    await repo.rollback(id, 'Back')
    expect(await repo.get('/count')).toBe(3)
    await isKept()
  })

  it('is neither reverted, nor undone, nor picked', async () => {
    const { id, seq } = await attach()
    await repo.branch('before', { from: (await repo.log({ limit: 2 }))[1]!.id })
    const refused = { code: 'meta-protected', data: { path: '/_meta' } }
    await expect(repo.revert(id)).rejects.toMatchObject(refused)
    await expect(repo.undo(seq)).rejects.toMatchObject(refused)
    await expect(repo.on('before').cherryPick(id)).rejects.toMatchObject(refused)
    await isKept()
  })

  it('comes with a merge, by three ways, and not as a value given to it', async () => {
    const branch = await repo.branch('other')
    await schemas(branch).attach('/', shape, {}, 'Counts are small')
    await repo.set('/name', 'main', 'Go on')
    await repo.merge('other')
    await isKept()
    await expect(
      repo.merge('other', { description: 'x', resolutions: { '/_meta/schemas': { value: {} } } }),
    ).resolves.toMatchObject({ kind: 'up-to-date' })
    await schemas(branch).attach('/', { ...shape, title: 'theirs' }, {}, 'Title')
    await schemas(repo).attach('/', { ...shape, title: 'ours' }, {}, 'Title')
    const conflict = { code: 'merge-conflict', data: { conflicts: [{ path: '/_meta/schemas/~1/schema/title' }] } }
    await expect(repo.merge('other')).rejects.toMatchObject(conflict)
    const at = '/_meta/schemas/~1/schema/title'
    await expect(
      repo.merge('other', { description: 'x', resolutions: { [at]: { value: 'mine' } } }),
    ).rejects.toMatchObject({ code: 'path-reserved' })
    await repo.merge('other', { description: 'Take theirs', resolutions: { [at]: 'theirs' } })
    expect(await schemas(repo).get('/')).toMatchObject({ schema: { title: 'theirs' } })
  })

  it('does not land from elsewhere in the library either', async () => {
    const { handle } = repo
    const { journal } = handle
    const head = await journal.run(getBranchHead(handle))
    const { root } = await journal.run(
      edit(journal.context, head.system, [{ op: 'set', path: ['_meta', 'version'], value: 9 }]),
    )
    const { info } = reasonOf(handle, 'x', 'Refine')
    const landing = { ref: branchRef('main'), head, tree: head.tree, system: root, info }
    await expect(journal.run(land(handle, landing))).rejects.toMatchObject({ code: 'meta-protected' })
  })

  it('is not hidden behind a key of the same name that a graph has in its state', async () => {
    const app = new StateGraph({ state: { _meta: 1 } })
      .addNode('hide', () => ({ _meta: 9 }))
      .addEdge('hide', END)
      .compile({ repo: repo as Repository, name: 'hide' })
    await expect(app.run({})).rejects.toMatchObject({ code: 'path-reserved', data: { path: '/_meta' } })
  })

  it.each(['tree', 'system'] as const)('is not imported from a commit that no keeper made, in the %s', async root => {
    await smuggle(repo, ['_meta', 'version'], 9, root)
    await using other = await open<State>()
    await expect(pull(other, repo)).rejects.toMatchObject({ code: 'commit-refused' })
  })

  it('is changed by commits of one category, whatever the caller would call them', async () => {
    const wrong = { description: 'x', category: 'Refine' }
    const refused = { code: 'option-invalid', data: { field: 'category' } }
    await expect(schemas(repo).attach('/', shape, {}, wrong)).rejects.toMatchObject(refused)
    await attach()
    await expect(schemas(repo).detach('/', wrong)).rejects.toMatchObject(refused)
    await expect(migrations(repo).rollback('main', 0, wrong)).rejects.toMatchObject(refused)
    await isKept()
  })

  it('is what each commit says it is, or verify names the commit', async () => {
    await attach()
    await repo.set('/count', 2, 'Two')
    expect(await verify(repo)).toMatchObject({ ok: true })
    await smuggle(repo, ['count'], 3, 'tree', '0'.repeat(43))
    const { damage } = await verify(repo)
    expect(damage.map(({ what }) => what)).toEqual([expect.stringContaining('does not name the schemas in force')])
  })

  it('is pulled with the commits that its keepers made', async () => {
    await attach()
    await using other = await open<State>()
    await pull(other, repo)
    await expect(other.set('/count', 99, 'x')).rejects.toMatchObject(refusal)
  })
})
