/** The stack of every error names the line that made the call, also at the stack limit that Node begins with. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { access } from '../../src/access/index.ts'
import { sqlite } from '../../src/backends/index.ts'
import { isStateError } from '../../src/core/index.ts'
import { END, START, StateGraph } from '../../src/graph/index.ts'
import { agent, Versioned } from '../../src/memory/index.ts'
import { plans } from '../../src/plans/index.ts'
import { open, type Repository, type Store } from '../../src/repository/index.ts'
import { migrations, schemas } from '../../src/schema/index.ts'
import { memoryKV } from '../../src/testing/index.ts'
import { epochs } from '../../src/trust/index.ts'
import { optionCalls } from './support/option-calls.ts'

const deepest = '/x'.repeat(63)
const never = 'not-there'

function compiled(repo?: Repository) {
  const graph = new StateGraph({ state: { n: 0 } })
    .addNode('a', () => ({ n: 1 }))
    .addEdge(START, 'a')
    .addEdge('a', END)
  return repo === undefined ? graph.compile() : graph.compile({ repo, name: 'g' })
}

const badInput = { nonsense: 1 } as never

/** Calls that fail, most of them deep inside the library. */
const failures: Readonly<Record<string, (repo: Repository) => unknown>> = {
  get: repo => repo.get('/b/c'),
  'get of no path': repo => repo.get('b'),
  find: repo => repo.find('b'),
  has: repo => repo.has('b'),
  list: repo => repo.list('b'),
  search: repo => repo.search('x', { below: 'b' }),
  head: repo => repo.on(never).head(),
  'a page of a log': repo => repo.log().page({ limit: 1, after: '1:x' }),
  blame: repo => repo.blame('/b'),
  'blame with its chain': repo => repo.blame('/b', { chain: true }),
  blameTree: repo => repo.blameTree('b'),
  history: repo => repo.history('b'),
  'count of a history': repo => repo.history('b').count(),
  set: repo => repo.set('b', 1, 'Set'),
  'set of what cannot be stored': repo => repo.set('/f', () => 1, 'Set'),
  'set below a number': repo => repo.set('/a/b/c', 1, 'Set'),
  'set at the greatest depth': repo => repo.set(`${deepest}/y`, 1, 'Set'),
  delete: repo => repo.delete('b', 'Delete'),
  commit: repo => repo.commit('Edit', tx => tx.set('/a/b/c', 1)),
  'get in a transaction': repo => repo.commit('Read', async tx => void (await tx.get('/b'))),
  'list in a transaction': repo => repo.commit('Read', async tx => void (await tx.list('b'))),
  'set in a transaction': repo => repo.commit('Edit', tx => tx.set('b', 1)),
  branch: repo => repo.branch('main'),
  'branch from nowhere': repo => repo.branch('b', { from: never }),
  renameBranch: repo => repo.renameBranch(never, 'b'),
  deleteBranch: repo => repo.deleteBranch(never),
  tag: repo => repo.tag('t', { from: never }),
  deleteTag: repo => repo.deleteTag(never),
  diff: repo => repo.diff(never, 'main'),
  merge: repo => repo.merge(never),
  previewMerge: repo => repo.previewMerge(never),
  revert: repo => repo.revert(never),
  rollback: repo => repo.rollback(never, 'Back'),
  cherryPick: repo => repo.cherryPick(never),
  undo: repo => repo.undo(9999),
  previewUndo: repo => repo.previewUndo(9999),
  bisect: repo => repo.bisect({ good: never, bad: 'main' }, () => true),
  observe: repo => repo.observe(never, { held: true }),
  query: repo => repo.query({ since: 'no moment' }),
  getSpeculation: repo => repo.getSpeculation(never),
  commitSpeculation: repo => repo.commitSpeculation(never, 'Land'),
  compare: repo => repo.compare([never, 'b']),
  commitGraph: repo => repo.commitGraph({ from: never }),
  'a snapshot': repo => repo.at(never).get('/a'),
  'a list of a snapshot': repo => repo.at(never).list(),
  'get of a speculation': async repo => await (await repo.speculate()).get('/b'),
  'set of a speculation': async repo => await (await repo.speculate()).set('b', 1),
  'a speculation that is over': async repo => {
    const speculation = await repo.speculate()
    await speculation.discard()
    await speculation.get('/a')
  },
  'a plan': repo => plans(repo).get(never),
  'create of a plan': repo => plans(repo).create('p'),
  'a task of a plan': async repo => await (await plans(repo).get('p')).get('t-9'),
  'claim of a plan': async repo => await (await plans(repo).get('p')).claim({ id: 't-9' }),
  'complete of a plan': async repo =>
    await (await plans(repo).get('p')).complete('t-9', { kind: 'commit', value: never }),
  'abandon of a plan': async repo => await (await plans(repo).get('p')).abandon('t-9', 'Never'),
  revoke: repo => access(repo).revoke(never, 'Over'),
  'a grant': repo => access(repo).grant('', { capabilities: ['read'] }),
  'an intent': repo => access(repo).intents.get(never),
  'an epoch': repo => epochs(repo).get(never),
  'seal of an epoch': repo => epochs(repo).seal(never, 'Seal'),
  'create of an epoch': repo => epochs(repo).create('', ''),
  attach: repo => schemas(repo).attach('/a', { type: 'nonsense' } as never, {}, 'Attach'),
  migrations: repo => migrations(repo).run(never),
  'a run without a repository': () => compiled().run(badInput),
  'a run of a graph': repo => compiled(repo).run(badInput),
  'a run of a thread': repo => compiled(repo).thread('t').run(badInput),
  'resume of a thread': repo => compiled(repo).thread('t').resume(),
  'state of a thread': repo => compiled(repo).thread('t').state(),
  'update of a thread': repo => compiled(repo).thread('t').update(badInput),
  'fork of a thread': repo => compiled(repo).thread('t').fork('u'),
  'history of a thread': repo => compiled(repo).thread('t').history(),
  'Versioned.open': repo => Versioned.open(repo, { branch: never }),
  'rollback of a memory': async repo => await (await Versioned.open(repo)).rollback(never),
  'merge of a memory': async repo => await (await Versioned.open(repo)).merge(never),
  'checkout of a memory': async repo => await (await Versioned.open(repo)).checkout(never),
  'a task of an agent': async repo => {
    const memory = await Versioned.open(repo)
    const keep = agent('a', { state: { n: 0 } }).task('keep', (_: undefined, { state }) => {
      state.n = (() => 1) as never
    })
    await keep(undefined, { state: memory })
  },
  open: () => open('nonsense://x'),
}

let folder: string
let files = 0
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stacks-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const stores: Readonly<Record<string, () => Store | undefined>> = {
  memory: () => undefined,
  'a key-value store': () => memoryKV(),
  SQLite: () => sqlite(join(folder, `${files++}.db`)),
}

const limit = Error.stackTraceLimit
beforeEach(() => {
  Error.stackTraceLimit = 10
})
afterEach(() => {
  Error.stackTraceLimit = limit
})

async function begun(store?: Store): Promise<Repository> {
  const repo = await open(store)
  await repo.commit('Begin', tx => tx.set('/a', 1).set(deepest, 1))
  await plans(repo).create('p')
  return repo
}

/** What a call throws, as the code around the call sees it. */
async function thrownBy(call: () => unknown): Promise<unknown> {
  try {
    await call()
  } catch (error) {
    return error
  }
  return undefined
}

function assertTold(name: string, error: unknown): void {
  if (!isStateError(error)) throw new Error(`${name} threw no StateError`, { cause: error })
  expect(error.stack, name).toContain('stacks.test.ts')
}

describe.each(Object.entries(stores))('on %s', (_, store) => {
  it('a call that fails is in the stack', async () => {
    await using repo = await begun(store())
    for (const [name, call] of Object.entries(failures)) assertTold(name, await thrownBy(() => call(repo)))
  })

  it('a call with an option that it does not take is in the stack', async () => {
    await using repo = await begun(store())
    await using other = await open()
    for (const [name, call] of Object.entries(optionCalls)) {
      assertTold(name, await thrownBy(() => call({ repo, other }, { nonsense: 1 } as never)))
    }
  })
})

it('the limit of the process stays as it is', async () => {
  await using repo = await begun()
  Error.stackTraceLimit = 3
  await thrownBy(() => repo.get('/b'))
  expect(Error.stackTraceLimit).toBe(3)
})

it('no stack is taken where the process wants none', async () => {
  await using repo = await begun()
  Error.stackTraceLimit = 0
  const error = await thrownBy(() => repo.get('/b'))
  expect(isStateError(error) && error.stack).not.toContain('    at ')
})
