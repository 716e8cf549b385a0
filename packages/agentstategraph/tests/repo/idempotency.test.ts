/** A call that is repeated with its idempotency key is done once, whatever happened in between. */
import { describe, expect, it } from 'vitest'
import { access } from '../../src/access/index.ts'
import { gc } from '../../src/maintenance/index.ts'
import { agent, Versioned } from '../../src/memory/index.ts'
import { type Merged, open, type Repository, type Written } from '../../src/repository/index.ts'
import { migrations, schemas } from '../../src/schema/index.ts'
import { readEntries } from '../../src/store/index.ts'
import { memoryKV } from '../../src/testing/index.ts'
import { refusalOf } from './support/open-stores.ts'

const key = { idempotencyKey: 'once' }
const why = { description: 'Once', ...key }

type Call = (repo: Repository, options: typeof why & { readonly description: string }) => Promise<Written | undefined>

interface Way {
  readonly name: string
  /** What has to be there before the call. */
  readonly prepare?: (repo: Repository) => Promise<unknown>
  readonly call: Call
  /** A request with the same key that is another one. */
  readonly other?: Call
}

const draftIds = new WeakMap<Repository, string>()

const ways: readonly Way[] = [
  { name: 'set', call: (repo, why) => repo.set('/x', 1, why), other: (repo, why) => repo.set('/x', 2, why) },
  { name: 'delete', call: (repo, why) => repo.delete('/a', why), other: (repo, why) => repo.delete('/b', why) },
  {
    name: 'commit',
    call: (repo, why) => repo.commit({ ...why, request: { x: 1 } }, tx => tx.set('/x', 1)),
    other: (repo, why) => repo.commit({ ...why, request: { x: 2 } }, tx => tx.set('/x', 2)),
  },
  { name: 'merge', call: (repo, why) => repo.merge('side', why), other: (repo, why) => repo.merge('main', why) },
  { name: 'fast-forward', call: (repo, why) => repo.on('back').merge('main', { ...why, fastForward: true }) },
  { name: 'revert', call: (repo, why) => repo.revert('main', why), other: (repo, why) => repo.revert('first', why) },
  { name: 'rollback', call: (repo, why) => repo.rollback('first', why) },
  { name: 'cherryPick', call: (repo, why) => repo.cherryPick('side', why) },
  {
    name: 'a speculation',
    prepare: async repo => {
      const one = await repo.speculate()
      await one.set('/x', 1)
      draftIds.set(repo, one.id)
    },
    call: (repo, why) => repo.commitSpeculation(draftIds.get(repo)!, why),
    other: (repo, why) => repo.commitSpeculation('another', why),
  },
  {
    name: 'a schema',
    call: (repo, why) => schemas(repo).attach('/x', { type: 'number' }, {}, why),
    other: (repo, why) => schemas(repo).attach('/x', { type: 'string' }, {}, why),
  },
  {
    name: 'a schema that goes',
    prepare: repo => schemas(repo).attach('/x', true, {}, 'Attach'),
    call: (repo, why) => schemas(repo).detach('/x', why),
  },
  {
    name: 'a migration taken back',
    prepare: repo =>
      migrations(repo)
        .register({ name: 'add', from: 0, to: 1, migrate: tx => void tx.set('/x', 1) })
        .run('main'),
    call: (repo, why) => migrations(repo).rollback('main', 0, why),
  },
  {
    name: "a memory's rollback",
    call: async (repo, why) => (await Versioned.open(repo)).rollback('first', why),
  },
  {
    name: "a memory's merge of what began elsewhere",
    call: async (repo, why) => (await Versioned.open(repo)).merge('side', why),
  },
]

async function prepared(repo: Repository, way: Way): Promise<void> {
  await repo.set('/', { a: 1, b: 1 }, 'Begin')
  await repo.tag('first')
  const back = await repo.branch('back')
  const side = await repo.branch('side')
  await repo.set('/a', 2, 'Go on')
  await side.set('/side', 1, 'Aside')
  expect(await back.get('/a')).toBe(1)
  await way.prepare?.(repo)
}

const entriesOf = async ({ handle: { journal } }: Repository): Promise<number> => (await journal.log.head()).seq

describe.each(ways)('$name', way => {
  it('is done once, and answered again after the state has gone elsewhere', async () => {
    await using repo = await open()
    await prepared(repo, way)
    const first = await way.call(repo, why)
    expect(first).toMatchObject({ changed: true })
    await repo.set('/', { z: 1 }, 'Something else')
    await repo.deleteBranch('side')
    const entries = await entriesOf(repo)
    const { receipt: _, ...told } = first!
    expect(await way.call(repo, why)).toEqual({ ...told, changed: false })
    expect(await entriesOf(repo)).toBe(entries)
  })

  it('with a key that stands for something else is refused, and nothing is written', async () => {
    await using repo = await open()
    await prepared(repo, way)
    await way.call(repo, why)
    const entries = await entriesOf(repo)
    const other = way.other ?? ((repo, why) => way.call(repo, { ...why, description: 'Another' }))
    const refusal = await refusalOf(other(repo, why))
    expect(refusal).toMatchObject({ code: 'idempotency-mismatch', data: { key: 'once' } })
    expect(await refusalOf(way.call(repo, { ...why, description: 'Another' }))).toMatchObject({ code: refusal.code })
    expect(await entriesOf(repo)).toBe(entries)
  })
})

it('two calls with one key at once make one commit, also where every answer takes time', async () => {
  await using repo = await open(memoryKV())
  await repo.set('/', { n: 0 }, 'Begin')
  const both = await Promise.all([1, 2].map(() => repo.set('/n', 1, why)))
  expect(both.map(({ id }) => id)).toEqual([both[0]!.id, both[0]!.id])
  expect(await repo.log().count()).toBe(2)
})

it('the branch may be gone, and the commit collected', async () => {
  await using repo = await open()
  await repo.set('/a', 1, 'Begin')
  const side = await repo.branch('side')
  const said = { ...why, reasoning: 'short', tools: [{ name: 'probe' }] }
  const first = await side.set('/x', 1, said)
  await repo.deleteBranch('side')
  expect(await side.set('/x', 1, said)).toMatchObject({ id: first.id, tools: [{ name: 'probe' }] })
  await gc(repo, { keepNewerMs: -1 })
  const { tools: _, ...text } = first
  // What only the pack had is gone with it.
  expect(await side.set('/x', 1, said)).toEqual({ ...text, tools: [], changed: false })
})

it('a merge that only moved a branch says so again', async () => {
  await using repo = await open()
  await repo.set('/a', 1, 'Begin')
  const side = await repo.branch('side')
  const { id } = await repo.set('/a', 2, 'Go on')
  const fast = { ...why, fastForward: true }
  const kinds = [await side.merge('main', fast), await side.merge('main', fast)].map((one: Merged) => [
    one.kind,
    one.id,
  ])
  expect(kinds).toEqual([
    ['fast-forward', id],
    ['fast-forward', id],
  ])
})

it('a transaction that is repeated is not run again', async () => {
  await using repo = await open()
  let runs = 0
  const count = (): Promise<Written> => repo.commit(why, async tx => void tx.set('/n', ++runs))
  expect((await count()).id).toBe((await count()).id)
  expect(runs).toBe(1)
})

it('a checkpoint that is repeated leaves what is pending since, and does not land it under the old key', async () => {
  await using memory = await Versioned.open()
  const writer = agent('writer', { state: { text: '' } })
  const state = await memory.of(writer)
  state.text = 'one'
  const first = await memory.checkpoint(why)
  expect(await memory.checkpoint(why)).toMatchObject({ id: first!.id, changed: false })
  state.text = 'two'
  expect(await memory.checkpoint(why)).toMatchObject({ id: first!.id, changed: false })
  expect((await memory.checkpoint('Two'))!.changed).toBe(true)
  expect((await memory.of(writer)).text).toBe('two')
})

describe('between principals', () => {
  async function office(): Promise<{ repo: Repository; ann: Repository; bob: Repository; readGrant: string }> {
    const repo = await open()
    await repo.set('/', { a: 1, secret: 1 }, 'Begin')
    const control = access(repo)
    const as = async (name: string): Promise<Repository> => {
      const { key } = await control.addPrincipal(name, 'agent')
      return control.authenticate(key)
    }
    const [ann, bob] = [await as('agent/ann'), await as('agent/bob')]
    const { id: readGrant } = await control.grant('agent/ann', { capabilities: ['read', 'commit'] })
    await control.grant('agent/bob', { capabilities: ['read', 'commit'] })
    return { repo, ann, bob, readGrant }
  }

  it('each has keys of its own, and so has the operator', async () => {
    const { repo, ann, bob } = await office()
    const ids = [await ann.set('/a', 2, why), await bob.set('/a', 3, why), await repo.set('/a', 4, why)].map(x => x.id)
    expect(new Set(ids).size).toBe(3)
    expect((await ann.set('/a', 2, why)).id).toBe(ids[0])
    await repo.close()
  })

  it('a repetition tells what may be read now', async () => {
    const { repo, ann, readGrant } = await office()
    const said = { ...why, reasoning: 'Because of the merger', tags: ['merger'], attached: { ticket: 7 } }
    const first = await ann.set('/secret', 2, said)
    expect(first).toMatchObject({ reasoning: 'Because of the merger' })
    await access(repo).revoke(readGrant, 'Left the team')
    await access(repo).grant('agent/ann', { capabilities: ['read', 'commit'], paths: ['/a'] })
    const again = await ann.set('/secret', 2, said)
    expect(again.id).toBe(first.id)
    expect(JSON.stringify(again)).not.toMatch(/merger|ticket/)
    await repo.close()
  })
})

it('the entry names key and digest and not what was said, and nobody can tell the value from it', async () => {
  await using repo = await open()
  const guess = async (value: number): Promise<unknown> => {
    await using other = await open()
    await other.set('/pin', value, { ...why, idempotencyKey: 'a guess' })
    return (await other.handle.journal.run(readEntries(2, 2, ['text'])))[0]!.record.request?.digest
  }
  await repo.set('/pin', 1234, why)
  const [entry] = await repo.handle.journal.run(readEntries(2, 2, ['text']))
  const { request } = entry!.record
  expect(Object.keys(JSON.parse(entry!.row.text).request)).toEqual(['digest', 'key'])
  expect(entry!.row.text).not.toContain('once')
  expect(await guess(1234)).not.toBe(request?.digest)
})
