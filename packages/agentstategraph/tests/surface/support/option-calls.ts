/** One call for each table of options, whole surface, with options that are right but for one name. */
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { access } from '../../../src/access/index.ts'
import { cache, disk, kvBackend, sqlite } from '../../../src/backends/index.ts'
import { indexeddb } from '../../../src/backends/indexeddb/indexeddb-backend.ts'
import { postgres } from '../../../src/backends/postgres/index.ts'
import { redis } from '../../../src/backends/redis/index.ts'
import { s3 } from '../../../src/backends/s3/index.ts'
import { Command, SendBatch, StateGraph } from '../../../src/graph/index.ts'
import {
  activity,
  backup,
  copyStore,
  exportRepository,
  gc,
  importRepository,
  pull,
  push,
  reindex,
  repair,
  restore,
  verify,
} from '../../../src/maintenance/index.ts'
import { agent, events, Live, Versioned, view } from '../../../src/memory/index.ts'
import { plans } from '../../../src/plans/index.ts'
import { open, type Repository } from '../../../src/repository/index.ts'
import { migrationRegistry, migrations, schemas } from '../../../src/schema/index.ts'
import { memoryKV } from '../../../src/testing/index.ts'
import { createKeyFile, epochs, openBundle, protect, verifyBundle } from '../../../src/trust/index.ts'

export interface Bench {
  readonly repo: Repository
  readonly other: Repository
}

type Call = (bench: Bench, wrong: never) => unknown

async function* nothing(): AsyncGenerator<string> {}

const graph = () => new StateGraph({ state: { n: 0 } }).addNode('a', () => ({ n: 1 }))
const session = { agent: 'agent/s' }

/** By the name that the error tells, a call with options that are right but for one name. */
export const optionCalls: Readonly<Record<string, Call>> = {
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
  undo: ({ repo }, wrong) => repo.undo(undefined, wrong),
  previewUndo: ({ repo }, wrong) => repo.previewUndo(undefined, wrong),
  'set or delete of a speculation': async ({ repo }, wrong) => (await repo.speculate()).set('/a', 2, wrong),
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
  intentTree: ({ repo }, wrong) => repo.intentTree(wrong),
  list: ({ repo }, wrong) => repo.list('/', wrong),
  search: ({ repo }, wrong) => repo.search('x', wrong),
  log: ({ repo }, wrong) => repo.log(wrong),
  blame: ({ repo }, wrong) => repo.blame('/a', wrong),
  history: ({ repo }, wrong) => repo.history('/a', wrong),
  page: ({ repo }, wrong) => repo.log().page(wrong),
  backup: ({ repo }, wrong) => backup(repo, join(tmpdir(), 'backup.db'), wrong),
  copyStore: (_, wrong) => copyStore(memoryKV(), memoryKV(), wrong),
  restore: (_, wrong) => restore(join(tmpdir(), 'backup.db'), join(tmpdir(), 'restored.db'), wrong),
  gc: ({ repo }, wrong) => gc(repo, wrong),
  reindex: ({ repo }, wrong) => reindex(repo, wrong),
  repair: ({ repo }, wrong) => repair(repo, wrong),
  verify: ({ repo }, wrong) => verify(repo, wrong),
  exportRepository: ({ repo }, wrong) => exportRepository(repo, wrong).next(),
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
  revokeKey: ({ repo }, wrong) => access(repo).revokeKey('k', 'Leaked', wrong),
  rotateKey: ({ repo }, wrong) => access(repo).rotateKey('k', 'Leaked', wrong),
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
  indexeddb: (_, wrong) => indexeddb('state', wrong),
  postgres: (_, wrong) => postgres({ connect: async () => Promise.reject(new Error()) }, wrong),
  s3: (_, wrong) => s3('s3://bucket/prefix', wrong),
  redis: (_, wrong) => redis({ callBuffer: async () => null }, wrong),
  cache: (_, wrong) => cache(memoryKV(), wrong),
}
