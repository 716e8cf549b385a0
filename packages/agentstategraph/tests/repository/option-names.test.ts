/**
 * A misspelt option is refused by name, by every call that takes options.
 *
 * The first half reads the sources: options have a named type, and each such type has a table of names. The second half makes
 * the calls, one for each table.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { access } from '../../src/access/index.ts'
import { cache, disk, kvBackend, sqlite } from '../../src/backends/index.ts'
import { Command, SendBatch, StateGraph } from '../../src/graph/index.ts'
import {
  activity,
  exportRepository,
  gc,
  importRepository,
  pull,
  push,
  reindex,
  verify,
} from '../../src/maintenance/index.ts'
import { agent, events, Live, Versioned, view } from '../../src/memory/index.ts'
import { plans } from '../../src/plans/index.ts'
import { open, type Repository } from '../../src/repository/index.ts'
import { migrationRegistry, migrations, schemas } from '../../src/schema/index.ts'
import { memoryKV } from '../../src/testing/index.ts'
import { createKeyFile, epochs, openBundle, protect, verifyBundle } from '../../src/trust/index.ts'

const source = fileURLToPath(new URL('../../src', import.meta.url))
const folders = ['repository', 'maintenance', 'trust', 'schema', 'graph', 'memory', 'plans', 'access', 'backends']
const files = folders.flatMap(folder =>
  readdirSync(join(source, folder), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map(name => ({ name: `${folder}/${name}`, text: readFileSync(join(source, folder, name), 'utf8') })),
)
const everything = files.map(({ text }) => text).join('\n')

describe('in the sources', () => {
  it('options have a type with a name', () => {
    const inline = files.flatMap(({ name, text }) =>
      (text.match(/\b(?:options|filter|how|ask|spec)\??: \{(?! \.\.\.)(?!.*=>).*/g) ?? []).map(
        line => `${name}: ${line}`,
      ),
    )
    expect(inline).toEqual([])
  })

  it('each type of options has a table of their names, or is checked by the graph that it is for', () => {
    const exported = files.filter(({ name }) => /^\w+\/index\.ts$/.test(name)).map(({ text }) => text)
    const told = exported.flatMap(text => text.match(/\b\w+(?:Options|Filter|Spec)\b/g) ?? [])
    // Checked with all other faults of a definition, and with the values of a run.
    const byGraphs = ['DefaultOptions', 'CompileOptions', 'RunOptions', 'ThreadRunOptions']
    // Part of what a why takes.
    const inWhy = ['MergeOptions', 'WriteOptions']
    // Handed to a backend by the library.
    const ofBackends = ['LogOptions']
    const known = [...byGraphs, ...inWhy, ...ofBackends]
    const missing = told.filter(
      name => !known.includes(name) && !new RegExp(`optionsOf<(?:repo\\.)?${name}\\b`).test(everything),
    )
    expect(missing).toEqual([])
  })
})

interface Bench {
  readonly repo: Repository
  readonly other: Repository
}

type Call = (bench: Bench, wrong: never) => unknown

async function* nothing(): AsyncGenerator<string> {}

const graph = () => new StateGraph({ state: { n: 0 } }).addNode('a', () => ({ n: 1 }))
const session = { agent: 'agent/s' }

/** By the name that the error tells, a call with options that are right but for one name. */
const calls: Readonly<Record<string, Call>> = {
  open: (_, wrong) => open(undefined, wrong),
  'the limits of open': (_, wrong) => open(undefined, { limits: wrong }),
  as: ({ repo }, wrong) => repo.as(wrong),
  set: ({ repo }, wrong) => repo.set('/b', 1, wrong),
  'onlyIf of set': ({ repo }, wrong) => repo.set('/b', 1, { description: 'Set', onlyIf: wrong }),
  'the intent of set': ({ repo }, wrong) => repo.set('/b', 1, { description: 'Set', intent: wrong }),
  'an alternative of set': ({ repo }, wrong) => repo.set('/b', 1, { description: 'Set', alternatives: [wrong] }),
  'an expectation of set': ({ repo }, wrong) => repo.set('/b', 1, { description: 'Set', expects: [wrong] }),
  'a tool call of set': ({ repo }, wrong) => repo.set('/b', 1, { description: 'Set', tools: [wrong] }),
  delete: ({ repo }, wrong) => repo.delete('/a', wrong),
  commit: ({ repo }, wrong) => repo.commit(wrong, () => {}),
  branch: ({ repo }, wrong) => repo.branch('b', wrong),
  branches: ({ repo }, wrong) => repo.branches(wrong),
  tag: ({ repo }, wrong) => repo.tag('t', wrong),
  tags: ({ repo }, wrong) => repo.tags(wrong),
  diff: ({ repo }, wrong) => repo.diff('main', 'main', wrong),
  merge: ({ repo }, wrong) => repo.merge('main', wrong),
  previewMerge: ({ repo }, wrong) => repo.previewMerge('main', wrong),
  revert: ({ repo }, wrong) => repo.revert('main', wrong),
  rollback: ({ repo }, wrong) => repo.rollback('main', wrong),
  cherryPick: ({ repo }, wrong) => repo.cherryPick('main', wrong),
  bisect: ({ repo }, wrong) => repo.bisect(wrong, () => true),
  watch: ({ repo }, wrong) => repo.watch(wrong)[Symbol.asyncIterator]().next(),
  observe: ({ repo }, wrong) => repo.observe('main', wrong),
  'what observe observed': ({ repo }, wrong) => repo.observe('main', { held: true, observed: [wrong] }),
  resolveIntent: ({ repo }, wrong) => repo.resolveIntent('i', wrong),
  calibration: ({ repo }, wrong) => repo.calibration(wrong),
  query: ({ repo }, wrong) => repo.query(wrong),
  'confidence of query': ({ repo }, wrong) => repo.query({ confidence: wrong }),
  speculate: ({ repo }, wrong) => repo.speculate(wrong),
  commitSpeculation: ({ repo }, wrong) => repo.commitSpeculation('x', wrong),
  'commit of a speculation': async ({ repo }, wrong) => (await repo.speculate()).commit(wrong),
  commitGraph: ({ repo }, wrong) => repo.commitGraph(wrong),
  list: ({ repo }, wrong) => repo.list('/', wrong),
  search: ({ repo }, wrong) => repo.search('x', wrong),
  log: ({ repo }, wrong) => repo.log(wrong),
  blame: ({ repo }, wrong) => repo.blame('/a', wrong),
  history: ({ repo }, wrong) => repo.history('/a', wrong),
  page: ({ repo }, wrong) => repo.log().page(wrong),
  gc: ({ repo }, wrong) => gc(repo, wrong),
  reindex: ({ repo }, wrong) => reindex(repo, wrong),
  verify: ({ repo }, wrong) => verify(repo, wrong),
  importRepository: ({ repo, other }, wrong) => importRepository(other, exportRepository(repo), wrong),
  push: ({ repo, other }, wrong) => push(repo, other, wrong),
  pull: ({ repo, other }, wrong) => pull(repo, other, wrong),
  activity: ({ repo }, wrong) => activity(repo, wrong),
  create: ({ repo }, wrong) => epochs(repo).create('e', 'An epoch', wrong),
  'the list of epochs': ({ repo }, wrong) => epochs(repo).list(wrong),
  export: ({ repo }, wrong) => epochs(repo).export('e', wrong)[Symbol.asyncIterator]().next(),
  'a bundle': (_, wrong) => verifyBundle(nothing(), wrong),
  'a bundle ': (_, wrong) => openBundle(nothing(), wrong),
  protect: (_, wrong) => protect(wrong),
  createKeyFile: (_, wrong) => createKeyFile(join(tmpdir(), 'never-made.key'), wrong),
  attach: ({ repo }, wrong) => schemas(repo).attach('/a', {}, wrong, 'Attach'),
  'attach ': ({ repo }, wrong) => schemas(repo).attach('/a', {}, {}, wrong),
  detach: ({ repo }, wrong) => schemas(repo).detach('/a', wrong),
  'run of migrations': ({ repo }, wrong) => migrations(repo).run('main', wrong),
  'rollback of migrations': ({ repo }, wrong) => migrations(repo).rollback('main', 0, wrong),
  'a migration': (_, wrong: object) => migrationRegistry({ from: 0, to: 1, name: 'm', migrate: () => {}, ...wrong }),
  plans: ({ repo }, wrong) => plans(repo, wrong),
  'the list of plans': ({ repo }, wrong) => plans(repo).list(wrong),
  tasks: async ({ repo }, wrong) => (await plans(repo).get('p')).tasks(wrong),
  add: async ({ repo }, wrong) => (await plans(repo).get('p')).add(wrong),
  change: async ({ repo }, wrong) => (await plans(repo).get('p')).change('t-1', wrong),
  claim: async ({ repo }, wrong) => (await plans(repo).get('p')).claim(wrong),
  take: async ({ repo }, wrong) => (await plans(repo).get('p')).take(wrong),
  renew: async ({ repo }, wrong) => (await plans(repo).get('p')).renew('t-1', wrong),
  complete: async ({ repo }, wrong) =>
    (await plans(repo).get('p')).complete('t-1', { kind: 'commit', value: 'x' }, wrong),
  release: async ({ repo }, wrong) => (await plans(repo).get('p')).release('t-1', wrong),
  openSession: ({ repo }, wrong) => access(repo).openSession(wrong),
  'the scope of openSession': ({ repo }, wrong) => access(repo).openSession({ ...session, scope: wrong }),
  delegate: async ({ repo }, wrong) => (await access(repo).openSession(session)).delegate(wrong),
  end: async ({ repo }, wrong) => (await access(repo).openSession(session)).end(wrong),
  sessions: ({ repo }, wrong) => access(repo).sessions(wrong),
  reports: ({ repo }, wrong) => access(repo).reports(wrong),
  grant: ({ repo }, wrong) => access(repo).grant('agent/a', wrong),
  'the limits of grant': ({ repo }, wrong) => access(repo).grant('agent/a', { capabilities: ['read'], limits: wrong }),
  grants: ({ repo }, wrong) => access(repo).grants(wrong),
  addKey: ({ repo }, wrong) => access(repo).addKey('agent/a', wrong),
  keys: ({ repo }, wrong) => access(repo).keys(wrong),
  propose: ({ repo }, wrong) => access(repo).intents.propose(wrong),
  'the list of intents': ({ repo }, wrong) => access(repo).intents.list(wrong),
  refusals: ({ repo }, wrong) => access(repo).refusals(wrong),
  policies: ({ repo }, wrong) => access(repo).policies(wrong),
  proposals: ({ repo }, wrong) => access(repo).proposals(wrong),
  taint: ({ repo }, wrong) => access(repo).taint(wrong),
  taints: ({ repo }, wrong) => access(repo).taints(wrong),
  explain: ({ repo }, wrong) => access(repo).explain('agent/a', wrong),
  freeze: ({ repo }, wrong) => access(repo).freeze(wrong, 'Odd'),
  thaw: ({ repo }, wrong) => access(repo).thaw(wrong, 'Fine'),
  threads: ({ repo }, wrong) => graph().compile({ repo, name: 'g' }).threads(wrong),
  'history ': ({ repo }, wrong) => graph().compile({ repo, name: 'g' }).thread('t').history(wrong),
  update: ({ repo }, wrong) => graph().compile({ repo, name: 'g' }).thread('t').update({ n: 2 }, wrong),
  fork: ({ repo }, wrong) => graph().compile({ repo, name: 'g' }).thread('t').fork('u', wrong),
  SendBatch: (_, wrong) => new SendBatch([], wrong),
  Command: (_, wrong) => new Command(wrong),
  agent: (_, wrong) => agent('a', wrong),
  task: (_, wrong) => agent('a').task('t', () => {}, wrong),
  'a task': (_, wrong) => agent('a').task('t', () => {})(undefined, wrong),
  'Versioned.open': ({ repo }, wrong) => Versioned.open(repo, wrong),
  checkpoint: async ({ repo }, wrong) => (await Versioned.open(repo)).checkpoint(wrong),
  'rollback ': async ({ repo }, wrong) => (await Versioned.open(repo)).rollback('main', wrong),
  'merge ': async ({ repo }, wrong) => (await Versioned.open(repo)).merge('main', wrong),
  events: async (_, wrong) => events(new Live(), wrong),
  view: (_, wrong) => view(new Live(), wrong),
  sqlite: (_, wrong) => sqlite(join(tmpdir(), 'never-made.db'), wrong),
  disk: (_, wrong) => disk(join(tmpdir(), 'never-made'), wrong),
  'the retention of disk': (_, wrong) => disk(join(tmpdir(), 'never-made'), { retention: wrong }),
  kvBackend: (_, wrong) => kvBackend(memoryKV(), wrong),
  cache: (_, wrong) => cache(memoryKV(), wrong),
}

describe('an unknown option is refused by its name, and nothing is written', () => {
  it.each(Object.entries(calls))('%s', async (name, call) => {
    await using repo = await open()
    await using other = await open()
    await repo.set('/a', 1, 'Begin')
    await plans(repo).create('p')
    const before = { head: await repo.head(), branches: await repo.branches() }
    const given = async (wrong: object): Promise<unknown> => call({ repo, other }, wrong as never)
    await expect(given({ nonsense: 1 })).rejects.toMatchObject({
      code: 'option-unknown',
      message: expect.stringContaining("'nonsense'"),
      data: { call: name.trim(), option: 'nonsense' },
    })
    expect({ head: await repo.head(), branches: await repo.branches() }).toEqual(before)
  })

  it('has a call for every table', () => {
    const tables = [
      ...everything.matchAll(
        /(?:optionsOf<[^(]*|(?:why|merge|conflict|resolution|session|grant|progress)Options)\('([^']+)'/g,
      ),
    ]
    const covered = new Set(Object.keys(calls).map(name => name.trim()))
    const inGraphs = ['retry', 'cache', 'a node', 'compile', 'StateGraph']
    expect(tables.map(([, name]) => name!).filter(name => !covered.has(name) && !inGraphs.includes(name))).toEqual([])
  })

  it('says which name was meant', async () => {
    await using repo = await open()
    const meant: readonly [() => unknown, string][] = [
      [() => repo.set('/a', 1, { description: 'x', reasonning: 'y' } as never), "Did you mean 'reasoning'?"],
      [() => repo.query({ agnet: 'a' } as never), "Did you mean 'agent'?"],
      [() => repo.log({ Since: 'a' } as never), "Did you mean 'since'?"],
    ]
    for (const [call, hint] of meant) {
      await expect((async () => call())()).rejects.toMatchObject({ message: expect.stringContaining(hint) })
    }
  })
})
