/** What a caller receives is the caller's, and what a caller handed over is read at once: neither reaches a cache. */
import { describe, expect, it } from 'vitest'
import { type Access, access } from '../../src/access/index.ts'
import { END, StateGraph } from '../../src/graph/index.ts'
import { activity, stats, verify } from '../../src/maintenance/index.ts'
import { agent, events, Versioned, view } from '../../src/memory/index.ts'
import { plans } from '../../src/plans/index.ts'
import { type JournalEvent, open, type Repository } from '../../src/repository/index.ts'
import { migrations, schemas } from '../../src/schema/index.ts'
import { memoryKV } from '../../src/testing/index.ts'
import { epochs } from '../../src/trust/index.ts'
import { vandalise } from '../repo/support/vandalise.ts'

interface Scene {
  readonly repo: Repository
  readonly ann: Repository
  readonly control: Access
}

const writer = agent('writer', { state: { notes: ['x'] as string[] } })
const note = writer.task('note', (text: string, { state }) => void state.notes.push(text))

async function scene(): Promise<Scene> {
  const repo = await open(undefined, { agent: 'agent/op' })
  await repo.set(
    '/',
    { a: { list: [1, 2], when: new Date(0) }, b: 'text', secret: { k: 1 } },
    {
      description: 'Begin',
      tags: ['one', 'two'],
      alternatives: [{ label: 'wait' }],
      expects: [{ path: '/a', min: 1 }],
      tools: [{ name: 'probe', args: { deep: [1] } }],
      attached: { ticket: { ids: [7] } },
    },
  )
  await repo.tag('v1')
  const side = await repo.branch('side')
  await side.set('/b', 'side', { description: 'Aside', tags: ['aside'] })
  await repo.set('/c', { deep: [{ x: 1 }] }, { description: 'Go on', tags: ['three'] })
  await schemas(repo).attach(
    '/d',
    { type: 'object', required: ['x'], properties: { x: { enum: [1, 2] } } },
    {},
    'Attach',
  )
  await epochs(repo).create('q1', 'First', { rootIntents: ['i1'] })
  await repo.set('/e', 1, 'In the epoch')
  await epochs(repo).seal('q1', 'Done')
  const plan = await plans(repo).create('p', 'A plan')
  const one = await plan.add({ title: 'One', payload: { deep: [1] } })
  await plan.add({ title: 'Two', blockedBy: [one.id] })
  await repo.speculate({ label: 'try' })
  const control = access(repo)
  const { key } = await control.addPrincipal('agent/ann', 'agent')
  await control.grant('agent/ann', { capabilities: ['read', 'commit'], paths: ['/a', '/b'], branches: ['main'] })
  const ann = await control.authenticate(key)
  const memory = await Versioned.open(repo.on('main'))
  await note('hello', { state: memory })
  return { repo, ann, control }
}

const graph = new StateGraph({ state: { list: [] as { n: number }[] } })
  .addNode('one', () => ({ list: [{ n: 1 }] }))
  .addNode('two', state => ({ list: [...state.list, { n: 2 }] }))
  .addEdge('one', 'two')
  .addEdge('two', END)

/** Everything that can be asked for, and is the same however often it is asked. */
const reads: Readonly<Record<string, (scene: Scene) => unknown>> = {
  get: ({ repo }) => repo.get('/'),
  find: ({ repo }) => repo.find('/a'),
  list: ({ repo }) => repo.list('/', { depth: 3 }),
  search: ({ repo }) => repo.search('text'),
  head: ({ repo }) => repo.head(),
  log: ({ repo }) => repo.log(),
  'log of a reader': ({ ann }) => ann.log(),
  query: ({ repo }) => repo.query({ tags: ['one'] }),
  blame: ({ repo }) => repo.blame('/a'),
  'blame chain': ({ repo }) => repo.blame('/a', { chain: true }),
  blameTree: ({ repo }) => repo.blameTree('/'),
  history: ({ repo }) => repo.history('/b'),
  branches: ({ repo }) => repo.branches(),
  tags: ({ repo }) => repo.tags(),
  diff: ({ repo }) => repo.diff('v1', 'main'),
  preview: ({ repo }) => repo.previewMerge('side'),
  snapshot: ({ repo }) => repo.at('v1').get('/'),
  'snapshot log': ({ repo }) => repo.at('side').log(),
  speculations: ({ repo }) => repo.speculations(),
  intents: ({ repo }) => repo.intentTree(),
  commitGraph: ({ repo }) => repo.commitGraph(),
  calibration: ({ repo }) => repo.calibration(),
  events: async ({ repo }) => {
    const told: JournalEvent[] = []
    for await (const event of repo.watch({ after: 0 })) if (told.push(event) >= 8) break
    return told
  },
  principals: ({ control }) => control.principals(),
  grants: ({ control }) => control.grants(),
  'grants of a reader': ({ ann }) => access(ann).grants(),
  keys: ({ control }) => control.keys(),
  sessions: ({ control }) => control.sessions(),
  policies: ({ control }) => control.policies(),
  taints: ({ control }) => control.taints(),
  explain: ({ control }) => control.explain('agent/ann', { capability: 'commit', path: '/a' }),
  schemas: ({ repo }) => schemas(repo).list(),
  'schema check': ({ repo }) => schemas(repo).check({ d: {} }),
  migrations: ({ repo }) => migrations(repo).check('main'),
  epochs: ({ repo }) => epochs(repo).list(),
  epoch: ({ repo }) => epochs(repo).get('q1'),
  tasks: async ({ repo }) => (await plans(repo).get('p')).tasks(),
  'next task': async ({ repo }) => (await plans(repo).get('p')).next(),
  memory: async ({ repo }) => view(await Versioned.open(repo)),
  'memory events': async ({ repo }) => events(await Versioned.open(repo)),
  verify: async ({ repo }) => (await verify(repo)).damage,
  stats: ({ repo }) => stats(repo),
  activity: ({ repo }) => activity(repo),
}

/** What a reader may not do, whatever was done to what was handed out. */
async function rightsOf({ ann, repo }: Scene): Promise<readonly unknown[]> {
  const tried = [
    () => ann.get('/secret'),
    () => ann.set('/secret/k', 2, 'Try'),
    () => ann.on('side').set('/b', 1, 'Try'),
    () => ann.deleteBranch('side'),
    () => repo.set('/d', { x: 3 }, 'Breaks the schema'),
  ]
  const codes: unknown[] = []
  for (const attempt of tried)
    codes.push(
      await attempt().then(
        () => 'done',
        error => (error as { code: string }).code,
      ),
    )
  return codes
}

async function answers(given: Scene): Promise<Record<string, string>> {
  const all: Record<string, string> = {}
  for (const [name, read] of Object.entries(reads)) all[name] = JSON.stringify(await read(given))
  return all
}

it('nothing that is done to an answer changes a later one, or what somebody may do', async () => {
  const given = await scene()
  const rights = await rightsOf(given)
  expect(rights).not.toContain('done')
  const before = await answers(given)
  for (const read of Object.values(reads)) vandalise(await read(given))
  const after = await answers(given)
  const other = Object.keys(reads).filter(name => after[name] !== before[name])
  expect(other).toEqual([])
  expect(await rightsOf(given)).toEqual(rights)
  await given.repo.close()
})

it('what a write gives back can be changed, and the commit stays', async () => {
  await using repo = await open()
  const why = { description: 'Begin', tags: ['a'], attached: { deep: [1] } }
  const written = await repo.set('/a', 1, why)
  const before = JSON.stringify(await repo.log())
  vandalise(written)
  expect(JSON.stringify(await repo.log())).toBe(before)
})

it('the state of a thread, its history and its result can be changed, and the thread stays', async () => {
  await using repo = await open()
  const thread = graph.compile({ repo, name: 'g' }).thread('t')
  const result = await thread.run({})
  const before = JSON.stringify([await thread.state(), await thread.history()])
  vandalise(result)
  vandalise(await thread.state())
  vandalise(await thread.history())
  expect(JSON.stringify([await thread.state(), await thread.history()])).toBe(before)
})

describe('what is handed over and changed at once', () => {
  const given = (): {
    value: { list: number[] }
    why: { description: string; tags: string[]; attached: { n: number[] } }
  } => ({
    value: { list: [1] },
    why: { description: 'Said', tags: ['said'], attached: { n: [1] } },
  })

  it.each([
    ['memory', async () => open()],
    ['a store that answers later', async () => open(memoryKV())],
  ])('is stored as it was, in %s', async (_, opened) => {
    await using repo = await opened()
    await repo.set('/begin', 1, 'Begin')
    await (await repo.branch('side')).set('/side', 1, 'Aside')
    const ways: ((value: object, why: ReturnType<typeof given>['why']) => Promise<unknown>)[] = [
      (value, why) => repo.set('/x', value, why),
      (_value, why) => repo.merge('side', why),
      (_value, why) => repo.revert('main', why),
      (value, why) => repo.commit(why, tx => tx.set('/y', value)),
      (_value, why) => schemas(repo).attach('/z', true, {}, why),
    ]
    for (const way of ways) {
      const { value, why } = given()
      const done = way(value, why)
      vandalise(why)
      if (way !== ways[3]) vandalise(value)
      await done
      expect(await repo.head()).toMatchObject({ intent: { description: 'Said', tags: ['said'] }, attached: { n: [1] } })
    }
    expect(await repo.find('/y')).toEqual({ list: [1] })
  })

  it('options of a repository and of its handles are read when they are given', async () => {
    const [policies, tags] = [{ '/n': 'ours' as const }, ['team']]
    await using repo = await open(undefined, { policies })
    const named = repo.as({ tags })
    Object.assign(policies, { '/n': 'theirs', '/': 'theirs' })
    tags.push('later')
    expect((await named.set('/n', 1, 'Begin')).intent.tags).toEqual(['team'])
    await (await repo.branch('side')).set('/n', 2, 'Aside')
    await repo.set('/n', 3, 'Here')
    await repo.merge('side')
    expect(await repo.get('/n')).toBe(3)
  })

  it('grants are what they were when they were given', async () => {
    await using repo = await open()
    const { key } = await access(repo).addPrincipal('agent/ann', 'agent')
    const spec = { capabilities: ['read' as const, 'commit' as const], paths: ['/a'] }
    const granting = access(repo).grant('agent/ann', spec)
    spec.paths.push('/secret')
    await granting
    const ann = await access(repo).authenticate(key)
    expect((await access(ann).grants())[0]?.paths).toEqual(['/a'])
    await expect(ann.set('/secret', 1, 'Try')).rejects.toMatchObject({ code: 'access-denied' })
  })
})
