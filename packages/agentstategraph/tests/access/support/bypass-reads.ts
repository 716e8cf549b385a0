/** Getting to know what may not be read: each answer to the limited reader is searched for what is hidden. */
import { access } from '../../../src/access/index.ts'
import { END, START, StateGraph } from '../../../src/graph/index.ts'
import { exportRepository, importRepository, stats } from '../../../src/maintenance/index.ts'
import { open, type Repository } from '../../../src/repository/index.ts'
import { epochs } from '../../../src/trust/index.ts'
import { SECRET, told } from './limited-reader.ts'
import { person } from './people.ts'

export interface Question {
  readonly name: string
  /** What the operator does before, and gives to the question. */
  prepare?(repo: Repository): Promise<unknown>
  ask(reader: Repository, prepared: never): unknown
}

function question<T>(
  name: string,
  prepare: (repo: Repository) => Promise<T>,
  ask: (reader: Repository, prepared: T) => unknown,
): Question {
  return { name, prepare, ask }
}

async function drained(events: AsyncIterable<unknown>, count: number): Promise<readonly unknown[]> {
  const found: unknown[] = []
  for await (const event of events) if (found.push(event) >= count) break
  return found
}

/** A branch that both sides of a merge changed at a hidden key. */
async function conflicting(repo: Repository): Promise<void> {
  await (await repo.branch('open/two')).set(`/private/${SECRET}`, 1, 'Theirs')
  await repo.set(`/private/${SECRET}`, 2, 'Ours')
}

/** The secret when an answer holds an id. */
function secretIfIn(answer: unknown, id: string): string {
  return JSON.stringify(answer).includes(id) ? SECRET : ''
}

/** The secret when the answers for a hidden name and for one that is nowhere differ in more than the name. */
async function differs(names: readonly string[], ask: (name: string) => Promise<unknown>): Promise<string> {
  const answers: string[] = []
  for (const name of names) answers.push((await told(() => ask(name))).replaceAll(name, 'NAME'))
  return answers.every(answer => answer === answers[0]) ? '' : SECRET
}

export const questions: readonly Question[] = [
  question(
    'an intent that another proposed',
    repo => access(repo).intents.propose({ id: 'plan', description: SECRET }),
    reader => reader.intentTree({ intent: 'plan' }),
  ),
  question(
    'an intent that was delegated',
    async repo => {
      const session = await access(repo).openSession({ agent: 'agent/h', branch: 'secret/plan', intent: 'work' })
      await session.end({ outcome: 'fulfilled', summary: SECRET })
    },
    async reader => [await reader.intentTree({ intent: 'work' }), await reader.intentTree()],
  ),
  question(
    'a rule about hidden names',
    repo => access(repo).proposePolicy({ name: 'r', effect: 'deny', when: { paths: [`/private/${SECRET}`] } }),
    reader => access(reader).policies(),
  ),
  question(
    'a rule about hidden branches',
    repo => access(repo).proposePolicy({ name: 'r', effect: 'deny', when: { branches: [`secret/${SECRET}`] } }),
    reader => access(reader).policies(),
  ),
  question(
    'a taint with a hidden name in it',
    repo => access(repo).taint({ path: `/**/${SECRET}`, effect: 'warn', reason: SECRET }),
    reader => access(reader).taints(),
  ),
  question(
    'a taint on a hidden branch',
    repo => access(repo).taint({ path: '/public', effect: 'warn', reason: 'r', branches: [`secret/${SECRET}`] }),
    reader => access(reader).taints(),
  ),
  question(
    'why the head was made, by a write that changes nothing',
    repo => repo.set('/private/token', 'x', { description: SECRET, intent: { id: SECRET }, reasoning: SECRET }),
    reader => reader.set('/public/greeting', 'hello', 'Nothing new'),
  ),
  question(
    'the id of a hidden head, by a write that changes nothing',
    async repo => (await repo.set('/private/token', 'x', 'Hidden')).id,
    async (reader, id) => secretIfIn(await reader.set('/public/greeting', 'hello', 'Nothing new'), id),
  ),
  question(
    'the id of a hidden head, by a precondition',
    async repo => (await repo.set('/private/token', 'x', 'Hidden')).id,
    async (reader, id) =>
      secretIfIn(
        await told(() => reader.set('/public/greeting', 'x', { description: 'Try', onlyIf: { head: 'a' } })),
        id,
      ),
  ),
  question(
    'the id of a hidden head, by what begins there',
    async repo => (await repo.set('/private/token', 'x', 'Hidden')).id,
    async (reader, id) => {
      const speculation = await reader.speculate()
      const listed = await reader.speculations()
      return secretIfIn(
        [speculation.base, listed, await reader.compare([speculation]), await reader.tag('open/tag')],
        id,
      )
    },
  ),
  question(
    'the id of a hidden head, by a path that is not there',
    async repo => (await repo.set('/private/token', 'x', 'Hidden')).id.slice(0, 12),
    async (reader, id) => secretIfIn(await told(() => reader.get('/public/nowhere')), id),
  ),
  question(
    'the ids of hidden parents',
    async repo => repo.set('/public/greeting', 'after what is hidden', 'Greet again'),
    async reader => [await reader.log(), await reader.query({}), await reader.commitGraph()],
  ),
  question(
    'whether an intent is there, by proposing one',
    async repo => {
      await access(repo).intents.propose({ id: SECRET, description: 'Hidden' })
      return person(repo, 'agent/proposer', { capabilities: ['read', 'propose'], paths: ['/public'] })
    },
    (_, proposer) =>
      differs([SECRET, 'nowhere'], async id => ({
        ...(await access(proposer).intents.propose({ id, description: 'Mine' })),
        time: undefined,
      })),
  ),
  question(
    'the head of a branch that is not to be seen',
    repo => repo.on('open/one').set('/private/token', 'y', 'Hidden'),
    async reader => [await reader.branches(), await reader.tags()],
  ),
  question(
    'what refs moved to',
    async repo => {
      const { seq } = await repo.set('/private/token', 'y', 'Hidden')
      await repo.branch('open/three')
      return seq
    },
    (reader, seq) => drained(reader.watch({ after: seq }), 1),
  ),
  question(
    'a hidden speculation, as an alternative',
    async repo => {
      const trial = await repo.on('secret/plan').speculate({ label: 'try' })
      await trial.set('/public/greeting', `${SECRET}!`)
      return trial.id
    },
    async (reader, speculation) => {
      await reader.set('/public/mine', 1, { description: 'Mine', alternatives: [{ label: 'that', speculation }] })
      return reader.blame('/public/mine', { chain: true })
    },
  ),
  question('which hidden key conflicts, by policies', conflicting, reader =>
    differs([SECRET, 'none'], key => reader.previewMerge('open/two', { policies: { [`/private/${key}`]: 'ours' } })),
  ),
  question('which hidden key conflicts, by policies with stars', conflicting, reader =>
    differs([SECRET, 'none'], key => reader.previewMerge('open/two', { policies: { [`/**/${key}`]: 'ours' } })),
  ),
  question('which hidden key conflicts, by resolutions', conflicting, reader =>
    differs([SECRET, 'none'], key => reader.previewMerge('open/two', { resolutions: { [`/private/${key}`]: 'ours' } })),
  ),
  question(
    'whether a branch is there, by an import',
    async () => {},
    reader =>
      differs(['secret/plan', 'secret/none'], async name => {
        await using copy = await open(undefined, { agent: 'agent/reader' })
        await copy.set('/public/x', 1, 'Mine')
        await copy.branch(name)
        await importRepository(reader, exportRepository(copy))
      }),
  ),
  question(
    'what a node computed for another',
    async repo => {
      await asking(repo, SECRET).thread('theirs').run({ n: 1 })
      const branches = ['thread/asking/**']
      return person(repo, 'agent/runner', { capabilities: ['read', 'commit', 'branch'], branches })
    },
    async (_, runner) => {
      const thread = asking(runner, 'own').thread('mine')
      await thread.run({ n: 1 })
      return (await thread.state()).state
    },
  ),
  question(
    'the branches of an epoch',
    async repo => {
      await epochs(repo).create('e', 'All')
      await repo.branch(`secret/${SECRET}`)
      await repo.as(`agent/${SECRET}`).on('secret/plan').set('/private/token', 'z', 'Hidden')
      await epochs(repo).seal('e', 'Done')
    },
    async reader => epochs(reader).list(),
  ),
  {
    name: 'the hash of the state',
    ask: async reader => [await reader.log(), await reader.query({}), await reader.head()],
  },
  {
    name: 'the hash of the state after a write of its own',
    ask: reader => reader.set('/public/greeting', 'changed', 'Mine'),
  },
  {
    name: 'the hash of the state by blame',
    ask: async reader => [await reader.blame('/public/greeting'), await reader.history('/public/greeting')],
  },
  {
    name: 'the numbers of the whole',
    ask: reader => stats(reader),
  },
]

/** A graph with a node whose results are cached. */
function asking(repo: Repository, result: string) {
  return new StateGraph({ state: { n: 0, text: '' } })
    .addNode('ask', () => ({ text: result }), { cache: {} })
    .addEdge(START, 'ask')
    .addEdge('ask', END)
    .compile({ repo, name: 'asking' })
}
