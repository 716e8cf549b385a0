/** Where a repository is read-only, every way of writing is refused and no entry is appended, on every kind of store. */
import { copyFileSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { access } from '../../src/access/index.ts'
import { memory } from '../../src/backends/index.ts'
import { END, START, StateGraph } from '../../src/graph/index.ts'
import { exportRepository, gc, importRepository } from '../../src/maintenance/index.ts'
import { agent, Versioned } from '../../src/memory/index.ts'
import { plans } from '../../src/plans/index.ts'
import { type OpenOptions, open, type Repository } from '../../src/repository/index.ts'
import { schemas } from '../../src/schema/index.ts'
import { epochs } from '../../src/trust/index.ts'
import { newSigner } from '../trust/support/signer.ts'

const newFile = (): string => join(mkdtempSync(join(tmpdir(), 'asg-read-only-')), 'state.db')

async function fill(repo: Repository): Promise<void> {
  await repo.set('/a', 1, 'Begin')
  await repo.branch('side')
  await repo.on('side').set('/b', 1, 'Aside')
  await access(repo).openSession({ agent: 'agent/worker', intent: 'work' })
  await plans(repo).create('plan')
}

/** The stores, each filled and then opened so that nothing may be written, with the code that says so. */
const stores: Readonly<Record<string, () => Promise<{ readonly repo: Repository; readonly code: string }>>> = {
  async 'a store in memory'() {
    const backend = memory()
    await fill(await open(backend))
    return { repo: await open(backend, { readOnly: true }), code: 'read-only' }
  },
  async 'a file'() {
    const file = newFile()
    await closed(file, {}, fill)
    return { repo: await open(file, { readOnly: true }), code: 'read-only' }
  },
  async 'a history that is too short'() {
    const file = newFile()
    const signer = newSigner()
    await closed(file, { signer }, fill)
    copyFileSync(file, `${file}.backup`)
    await closed(file, { signer }, repo => repo.set('/a', 2, 'What is lost'))
    copyFileSync(`${file}.backup`, file)
    return { repo: await open(file, { signer }), code: 'history-short' }
  },
}

async function closed(file: string, options: OpenOptions, work: (repo: Repository) => Promise<unknown>): Promise<void> {
  await using repo = await open(file, options)
  await work(repo)
}

const graph = new StateGraph({ state: { n: 0 } })
  .addNode('count', ({ n }) => ({ n: n + 1 }))
  .addEdge(START, 'count')
  .addEdge('count', END)

async function session(repo: Repository) {
  const [open] = await access(repo).sessions()
  return access(repo).resumeSession(open!.id)
}

const ways: Readonly<Record<string, (repo: Repository) => unknown>> = {
  'a set': repo => repo.set('/a', 2, 'Try'),
  'a set that changes nothing': repo => repo.set('/a', 1, { description: 'Try', allowEmpty: true }),
  'a merge': repo => repo.merge('side', 'Try'),
  'an undo': repo => repo.undo(),
  'a branch': repo => repo.branch('other'),
  'a tag': repo => repo.tag('v1'),
  'a speculation': repo => repo.speculate(),
  'an observation': async repo => repo.observe((await repo.head()).id, { held: true }),
  'a resolution': repo => repo.resolveIntent('work', { outcome: 'fulfilled', summary: 'Try' }),
  'a session': repo => access(repo).openSession({ agent: 'agent/eve' }),
  'a session on a new branch': repo => access(repo).openSession({ agent: 'agent/eve', branch: 'eve' }),
  'a part of a session': async repo => (await session(repo)).delegate({ agent: 'agent/worker/eve' }),
  'the end of a session': async repo => (await session(repo)).end({ outcome: 'failed', summary: 'Try' }),
  'an intent': repo => access(repo).intents.propose({ id: 'more', description: 'Try' }),
  'the end of an intent': repo => access(repo).intents.complete('work', 'Try'),
  'a principal': repo => access(repo).addPrincipal('agent/eve', 'agent'),
  'a taint': repo => access(repo).taint({ path: '/a', effect: 'warn', reason: 'Try' }),
  'a proposal': repo => access(repo).proposing().set('/a', 2, 'Try'),
  'a plan': repo => plans(repo).create('another'),
  'a task': async repo => (await plans(repo).get('plan')).add({ title: 'Try' }),
  'a schema': repo => schemas(repo).attach('/a', { type: 'number' }, {}, 'Try'),
  'an epoch': repo => epochs(repo).create('e', 'Try'),
  'a garbage collection': repo => gc(repo, { keepNewerMs: -1 }),
  'an import': async repo => {
    await using other = await open()
    await other.set('/a', 3, 'Elsewhere')
    await importRepository(repo, exportRepository(other))
  },
  'a run of a graph': repo => graph.compile({ repo, name: 'count' }).thread('t').run({}),
  'a task of a memory': async repo => {
    const count = agent('counter', { state: { n: 0 } }).task('count', (_: undefined, { state }) => void state.n++)
    await count(undefined, { state: await Versioned.open(repo) })
  },
}

describe.each(Object.entries(stores))('on %s', (_, make) => {
  let repo: Repository
  let refused: string
  beforeAll(async () => {
    const made = await make()
    repo = made.repo
    refused = made.code
  })
  afterAll(() => repo.close())

  it.each(Object.entries(ways))('%s is refused', async (_name, way) => {
    const before = await repo.handle.journal.log.head()
    await expect((async () => way(repo))()).rejects.toMatchObject({ code: refused })
    expect(await repo.handle.journal.log.head()).toEqual(before)
  })

  it('a session that is left is left as it is', async () => {
    const before = await repo.handle.journal.log.head()
    {
      await using _ = await session(repo)
    }
    expect(await repo.handle.journal.log.head()).toEqual(before)
  })
})
