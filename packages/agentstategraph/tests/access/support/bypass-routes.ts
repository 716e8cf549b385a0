/** Getting around by another route than a write: branches, merges, going back, speculations, sync, graphs, memory, care. */

import { END, START, StateGraph } from '../../../src/graph/index.ts'
import {
  backup,
  compact,
  exportRepository,
  gc,
  importRepository,
  namespaces,
  pull,
  push,
  reindex,
} from '../../../src/maintenance/index.ts'
import { agent, Versioned } from '../../../src/memory/index.ts'
import { plans } from '../../../src/plans/index.ts'
import { moveRefs } from '../../../src/repo/index.ts'
import { open, type Repository } from '../../../src/repository/index.ts'
import { schemas } from '../../../src/schema/index.ts'
import { epochs } from '../../../src/trust/index.ts'
import { newFile } from '../../store/support/sqlite-file.ts'
import { type Attempt, other, type Scene, work } from './bypass.ts'

const denied = 'access-denied'

function by(name: string, attempt: (mallory: Repository, scene: Scene) => unknown, code = denied): Attempt {
  return { name, code, attempt: scene => attempt(scene.mallory, scene) }
}

/** With something that the operator, or Mallory within her rights, does before. */
function after<T>(
  name: string,
  prepare: (scene: Scene) => Promise<T>,
  attempt: (mallory: Repository, prepared: T, scene: Scene) => unknown,
  code = denied,
): Attempt {
  return { name, code, prepare, attempt: (scene, prepared) => attempt(scene.mallory, prepared, scene) }
}

/** The same history elsewhere, with a change that Mallory made there as its operator. */
async function copyOf({ repo }: Scene, change: (copy: Repository) => Promise<unknown>): Promise<Repository> {
  const copy = await open(undefined, { agent: 'mallory' })
  await importRepository(copy, exportRepository(repo))
  await change(copy)
  return copy
}

/** A history that Mallory made up, whose only ref is a tag. */
async function madeUp(): Promise<readonly string[]> {
  await using elsewhere = await open(undefined, { agent: 'mallory' })
  const { seq } = await elsewhere.set('/', { team: { a: 1 }, secret: { k: 'made up' } }, 'Make it up')
  await elsewhere.tag('feature/t')
  const { handle } = elsewhere
  await handle.journal.run(moveRefs(handle, [{ name: 'branch/main', expect: seq, to: null }]))
  const lines: string[] = []
  for await (const line of exportRepository(elsewhere)) lines.push(line)
  return lines
}

function counting(repo: Repository, field: 'team' | 'secret') {
  return new StateGraph({ state: { team: 0, secret: 0 } })
    .addNode('count', () => (field === 'team' ? { team: 1 } : { secret: 1 }))
    .addEdge(START, 'count')
    .addEdge('count', END)
    .compile({ repo, name: 'count' })
}

/** What concerns all namespaces of a store, tried by a principal that may do everything in one. */
const beyondNamespace = (
  [
    ['a copy of all namespaces', root => backup(root, newFile())],
    ['all namespaces held up while the store is made smaller', root => compact(root)],
    ['another namespace made', root => namespaces(root).create('of-root')],
    ['another namespace deleted', root => namespaces(root).delete('elsewhere')],
  ] as const satisfies readonly (readonly [string, (root: Repository) => unknown])[]
).map(
  ([name, attempt]): Attempt =>
    after(
      name,
      scene => other(scene, 'root', { capabilities: ['read', 'export', 'admin'] }),
      (_, root) => attempt(root),
      'operator-only',
    ),
)

export const routeAttempts: readonly Attempt[] = [
  ...beyondNamespace,
  by('a write on another branch', m => m.on('release').set('/team/a', 9, 'Try')),
  by('an empty commit on another branch', m =>
    m.on('release').set('/team/a', 5, { description: 'Try', allowEmpty: true }),
  ),
  by('a branch below the pattern', m => m.branch('feature/x/y')),
  by('a branch elsewhere', m => m.branch('release2')),
  by('a branch in another case', m => m.branch('Feature/z')),
  by('a branch renamed away', m => m.renameBranch('feature/x', 'release3')),
  by('another branch renamed here', m => m.renameBranch('release', 'feature/r')),
  by('another branch deleted', m => m.deleteBranch('release')),
  by('a tag elsewhere', m => m.tag('v2')),
  by('another tag deleted', m => m.deleteTag('v1')),
  by('a merge that brings the secret', m => m.merge('evil', 'Try')),
  by('the same by commit', async (m, { repo }) => m.merge({ id: (await repo.on('evil').log())[0]!.id }, 'Try')),
  by('a fast-forward', m => m.merge('evil', { description: 'Try', fastForward: true })),
  by('a merge into another branch', m => m.on('release').merge('feature/x', 'Try')),
  after(
    'a conflict resolved elsewhere than in it',
    ({ repo }) => repo.set('/secret/k', 'ours', 'Go apart'),
    m => m.merge('evil', { description: 'Try', resolutions: { '/secret/k': { value: 'mine' } } }),
  ),
  by('a revert', (m, { secretCommit }) => m.revert(secretCommit)),
  by('a rollback', async (m, { repo }) => m.rollback({ id: (await repo.log()).at(-1)!.id }, 'Try')),
  by('a cherry-pick', m => m.cherryPick('evil')),
  by('an undo of what others did', async (m, { repo }) => m.undo((await repo.log())[0]!.seq)),
  after(
    'an undo that brings a branch back',
    async ({ repo }) => {
      await repo.deleteBranch('release')
      return (await repo.handle.journal.log.head()).seq
    },
    (m, seq) => m.undo(seq),
  ),
  after(
    'a write in a speculation',
    ({ mallory }) => mallory.speculate(),
    async (_, spec) => spec.set('/secret/k', 9),
  ),
  after(
    'a guess in a speculation, which would change nothing',
    ({ mallory }) => mallory.speculate(),
    async (_, spec) => spec.set('/secret/k', 't'),
  ),
  by('a schema that asks what is there', m => schemas(m).attach('/secret/k', { const: 'nothing' }, {}, 'Try')),
  after(
    "another's speculation landed",
    async ({ repo }) => {
      const spec = await repo.speculate()
      await spec.set('/secret/k', 9)
      return spec.id
    },
    (m, id) => m.commitSpeculation(id, 'Try'),
  ),
  after(
    "another branch's speculation discarded",
    async ({ repo }) => (await repo.on('release').speculate()).id,
    async (m, id) => (await m.getSpeculation(id)).discard(),
  ),
  by('a speculation on another branch', m => m.on('release').speculate()),
  after(
    'a branch made of a proposal',
    async scene => {
      const eve = await other(scene, 'eve', { capabilities: ['read', 'propose', 'branch'] })
      await eve.set('/secret/k', 'proposed', 'Propose').catch(() => {})
      const { journal } = scene.repo.handle
      const [cell] = await journal.log.refs('proposal/')
      const [entry] = await journal.log.entries(cell!.seq, cell!.seq, ['text', 'commit'])
      return { eve, id: entry!.commit!.id }
    },
    (_, { eve, id }) => eve.branch('stolen', { from: { id } }),
    'ref-not-found',
  ),
  after(
    'a branch made of a draft',
    async scene => {
      const eve = await other(scene, 'eve', { capabilities: ['read', 'branch'] })
      const spec = await scene.repo.speculate()
      await spec.set('/secret/k', 'draft')
      const { journal } = scene.repo.handle
      const [cell] = await journal.log.refs('draft/')
      const [entry] = await journal.log.entries(cell!.seq, cell!.seq, ['text', 'commit'])
      return { eve, id: entry!.commit!.id }
    },
    (_, { eve, id }) => eve.branch('stolen', { from: { id } }),
    'ref-not-found',
  ),
  after(
    'a pull that brings the secret',
    scene => copyOf(scene, copy => copy.set('/secret/k', 'pulled', 'Elsewhere')),
    (m, copy) => pull(m, copy, { branches: ['main'] }),
  ),
  after(
    'a pull of a branch that is not here',
    scene => copyOf(scene, copy => copy.branch('release9')),
    (m, copy) => pull(m, copy, { branches: ['release9'] }),
  ),
  after(
    'a push to another branch',
    scene => copyOf(scene, copy => copy.on('release').set('/team/a', 9, 'Elsewhere')),
    (m, copy) => push(copy, m, { branches: ['release'] }),
  ),
  after(
    'a pull of what others are said to have done',
    scene => copyOf(scene, copy => copy.as('human/boss').set('/team/a', 9, 'Elsewhere')),
    (m, copy) => pull(m, copy, { branches: ['main'] }),
    'commit-refused',
  ),
  after(
    'an import that brings the secret',
    scene => copyOf(scene, copy => copy.set('/secret/k', 'imported', 'Elsewhere')),
    (m, copy) => importRepository(m, exportRepository(copy)),
  ),
  after('an import of a made-up history under a tag', madeUp, (m, lines) => importRepository(m, lines)),
  after(
    'a branch at a tag of a made-up history',
    async ({ repo }) => importRepository(repo, await madeUp()),
    m => m.branch('feature/b', { from: 'feature/t' }),
  ),
  after(
    'a tag at the commit of another tag',
    async ({ repo }) => importRepository(repo, await madeUp()),
    m => m.tag('feature/u', { from: 'feature/t' }),
  ),
  after(
    'a branch in the midst of what was pulled',
    async scene => {
      const copy = await copyOf(scene, async () => {})
      const { id } = await copy.set('/secret/k', 'in the midst', 'Elsewhere')
      await copy.set('/secret/k', 't', 'As it was')
      await copy.set('/team/a', 9, 'Elsewhere')
      await pull(scene.mallory, copy, { branches: ['main'] })
      return id
    },
    (m, id) => m.branch('feature/b', { from: { id } }),
  ),
  after(
    'an import that decides about access',
    async scene => {
      const copy = await copyOf(scene, async () => {})
      const lines: string[] = []
      for await (const line of exportRepository(copy)) lines.push(line)
      return lines
    },
    (_, lines, { repo }) =>
      importRepository(
        repo,
        lines.map(line => line.replaceAll('"branch/main"', '"system/access"')),
      ),
    'ref-protected',
  ),
  after(
    'garbage collected',
    async ({ repo }) => {
      const spec = await repo.speculate()
      await spec.set('/team/a', 9)
      await spec.discard()
    },
    m => gc(m, { keepNewerMs: -1 }),
  ),
  by('garbage collected where there is none', m => gc(m)),
  after(
    'what could be collected, counted by who may not read everything',
    scene => other(scene, 'eve', { capabilities: work, paths: ['/team'] }),
    (_, eve) => gc(eve, { dryRun: true }),
  ),
  by('an index dropped', m => reindex(m)),
  by('an epoch', m => epochs(m).create('e1', 'Try')),
  after(
    'the signed head of an epoch, for a witness of her own',
    async ({ repo }) => {
      await epochs(repo).create('e1', 'Begin')
      await epochs(repo).seal('e1', 'Done')
    },
    m => epochs(m).witnessRequest('e1', 0),
  ),
  after(
    'an epoch sealed',
    ({ repo }) => epochs(repo).create('e1', 'Begin'),
    m => epochs(m).seal('e1', 'Try'),
  ),
  by('a plan', m => plans(m).create('p')),
  after(
    'a task of a plan',
    ({ repo }) => plans(repo).create('p'),
    async m => (await plans(m).get('p')).add({ title: 'Try' }),
  ),
  by('a schema', m => schemas(m).attach('/team', { type: 'object' }, {}, 'Try')),
  by('a thread of a graph', m => counting(m, 'team').thread('t').run({})),
  after(
    'a node that writes elsewhere',
    scene => other(scene, 'eve', { capabilities: work, paths: ['/team'], branches: ['thread/count/**'] }),
    (_, eve) => counting(eve, 'secret').thread('t').run({}),
  ),
  after(
    'a thread deleted',
    ({ repo }) => counting(repo, 'team').thread('t').run({}),
    m => counting(m, 'team').thread('t').delete(),
  ),
  after(
    "a task's memory on another branch",
    ({ mallory }) => Versioned.open(mallory.on('release')),
    async (_, memory) => {
      const helper = agent('mallory', { state: { team: 0 } })
      await helper.task('count', (_input: undefined, { state }) => void state.team++)(undefined, { state: memory })
    },
  ),
  by('an observation elsewhere', (m, { secretCommit }) => m.on('release').observe(secretCommit, { held: true })),
  by('an intent resolved elsewhere', m => m.on('release').resolveIntent('i', { outcome: 'fulfilled', summary: 'Try' })),
]
