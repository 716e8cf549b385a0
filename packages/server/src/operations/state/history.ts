/** Commits: listed, found and shown, and who wrote which value. */
import { z } from 'zod'
import { blameSchema, chainedBlameSchema, wireBlame, wireBlameChain } from '../../wire/blame.ts'
import { describedSchema, wireDescribed } from '../../wire/change.ts'
import { commitSchema, wireCommit } from '../../wire/commit.ts'
import { anyRefField, idField, pathField, stateFields } from '../../wire/fields.ts'
import { filterFields, filterFrom, logFields } from '../../wire/filter.ts'
import { pageFields, pageOf, wirePage } from '../../wire/page.ts'
import { inGroup, type Operation, operation, reading } from '../operation.ts'
import { pageAtOf, pageOrFresh, placeOrFresh } from './fresh-state.ts'
import { stateAt } from './state-at.ts'

const log = operation({
  name: 'log',
  summary: 'Show the commits that led to a ref, newest first',
  guidance: 'For the reasoning and confidence of one of them use get_commit; for the writer of one path use blame.',
  ...reading,
  input: () => ({
    ...logFields,
    first_parent: z.boolean().default(false).describe('Leave out commits that were merged in'),
    ...pageFields(20),
    ...stateFields,
  }),
  output: () => pageAtOf(commitSchema),
  route: 'GET /api/log/{ref}',
  command: 'log [ref]',
  tools: 'core',
  examples: [{ title: 'the last five commits', input: { limit: 5 } }],
  async run(repo, { limit, cursor, ref, as_of, first_parent, ...filter }) {
    const where = { ref, as_of }
    const commits = stateAt(repo, where).log({ ...filterFrom(filter), firstParent: first_parent })
    return pageOrFresh(wirePage(commits, { limit, cursor }, wireCommit), where)
  },
})

const query = operation({
  name: 'query',
  summary: 'Find commits by agent, reason, time, path and confidence',
  guidance:
    'A commit has to pass every filter given. Without ref it searches the commits of all branches by index; with ref, only ' +
    'those that led to it. text searches descriptions and reasoning; path matches commits that changed it or anything below.',
  ...reading,
  input: () => ({ ref: anyRefField, ...filterFields, ...pageFields(20) }),
  output: () => pageOf(commitSchema),
  route: 'POST /api/query/{ref}',
  command: 'query [ref]',
  tools: 'standard',
  examples: [
    {
      title: 'what the scaler did with confidence',
      input: { agent: 'agent/scaler', confidence_min: 0.7, text: 'traffic' },
    },
  ],
  async run(repo, { ref, limit, cursor, ...filter }) {
    const commits = ref === '*' ? repo.query(filterFrom(filter)) : repo.at(ref).log(filterFrom(filter))
    return wirePage(commits, { limit, cursor }, wireCommit)
  },
})

const getCommit = operation({
  name: 'get_commit',
  summary: 'Show one commit',
  guidance: 'With changes, also what it changed.',
  ...reading,
  input: () => ({
    id: idField.describe('A commit id or the beginning of one, a branch or a tag'),
    changes: z.boolean().default(false).describe('Add what it changed, and its grants'),
  }),
  output: () => describedSchema,
  route: 'GET /api/commits/{id}',
  command: 'show <id>',
  tools: 'core',
  examples: [
    { title: 'where main is', input: { id: 'main' } },
    { title: 'and what it changed', input: { id: 'main', changes: true } },
  ],
  async run(repo, { id, changes }, { pace }) {
    const at = repo.at(id)
    return changes ? wireDescribed(await at.describe(), pace) : wireCommit(await at.head())
  },
})

const blame = operation({
  name: 'blame',
  summary: 'Show who last wrote a path, and why',
  guidance:
    'Returns the commit behind a value with agent, intent, reasoning and confidence. Call it before you change what another ' +
    'agent wrote. With chain it adds alternatives, observations, parent intents and later commits.',
  ...reading,
  input: () => ({
    path: pathField,
    chain: z.boolean().default(false).describe('Add what surrounds the commit'),
    ...stateFields,
  }),
  output: () => chainedBlameSchema,
  route: 'GET /api/blame/{ref}',
  command: 'blame <path>',
  tools: 'core',
  examples: [
    { title: 'why three replicas?', input: { path: '/cluster/replicas' } },
    { title: 'and all around it', input: { path: '/cluster/replicas', chain: true } },
  ],
  async run(repo, { path, chain, ...where }, { pace }) {
    const state = stateAt(repo, where)
    if (chain) return wireBlameChain(await placeOrFresh(state.blame(path, { chain: true }), where, path), pace)
    return wireBlame(await placeOrFresh(state.blame(path), where, path), pace)
  },
})

const blameTree = operation({
  name: 'blame_tree',
  summary: 'Show who last wrote each value below a path',
  guidance: 'Returns one row for each value below the path, with its commit. For the details of one of them use blame.',
  ...reading,
  input: () => ({ path: pathField.default('/'), ...pageFields(100), ...stateFields }),
  output: () => pageAtOf(blameSchema),
  route: 'GET /api/blame/{ref}/tree',
  command: 'blame-tree [path]',
  examples: [{ title: 'who wrote what of a cluster', input: { path: '/cluster' } }],
  async run(repo, { path, limit, cursor, ...where }, { pace }) {
    const rows = stateAt(repo, where).blameTree(path)
    return pageOrFresh(
      wirePage(rows, { limit, cursor }, row => wireBlame(row, pace)),
      where,
    )
  },
})

const history = operation({
  name: 'history',
  summary: 'Show every write of a path, newest first',
  guidance: 'Returns each value that the path had, with the commit that wrote it and why.',
  ...reading,
  input: () => ({ path: pathField, ...pageFields(20), ...stateFields }),
  output: () => pageOf(blameSchema),
  route: 'GET /api/history/{ref}',
  command: 'history <path>',
  tools: 'standard',
  examples: [{ title: 'how replicas came to be 3', input: { path: '/cluster/replicas' } }],
  async run(repo, { path, limit, cursor, ...where }, { pace }) {
    const writes = stateAt(repo, where).history(path)
    return placeOrFresh(
      wirePage(writes, { limit, cursor }, one => wireBlame(one, pace)),
      where,
      path,
    )
  },
})

export const historyOperations: readonly Operation[] = inGroup('history', [
  log,
  query,
  getCommit,
  blame,
  blameTree,
  history,
])
