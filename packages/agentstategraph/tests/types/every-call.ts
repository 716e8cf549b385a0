/**
 * Every call of a repository with all that it takes and what it gives back, held by the compiler: this file is compiled
 * with the tests and never runs. A name or option that goes, or a result that changes its shape, stops the build.
 */
import {
  type Blame,
  type BlameChain,
  type Calibration,
  type Change,
  type Commit,
  type Comparison,
  type Conflict,
  type DescribedCommit,
  type Entry,
  isStateError,
  type JournalEvent,
  type Listing,
  type Merged,
  type MergePreview,
  open,
  type Page,
  type Reader,
  type Ref,
  type Repository,
  type Snapshot,
  type Speculation,
  type SpeculationInfo,
  type StateErrorCode,
  type UndoEvent,
  type UndoneOperation,
  type Written,
} from '../../src/repository/index.ts'
import type { Equal, IsTrue } from './equal.ts'

type Gives<F extends (...args: never) => unknown, R> = Equal<ReturnType<F>, R>

/** What the calls of a repository give. */
export type Results = [
  IsTrue<Gives<Repository['has'], Promise<boolean>>>,
  IsTrue<Gives<Repository['list'], Listing<Entry>>>,
  IsTrue<Gives<Repository['search'], Listing<{ readonly path: string; readonly value: unknown }>>>,
  IsTrue<Gives<Repository['head'], Promise<Commit>>>,
  IsTrue<Gives<Repository['log'], Listing<Commit>>>,
  IsTrue<Gives<Repository['blameTree'], Listing<Blame>>>,
  IsTrue<Gives<Repository['history'], Listing<Blame>>>,
  IsTrue<Gives<Repository['as'], Repository>>,
  IsTrue<Gives<Repository['on'], Repository>>,
  IsTrue<Gives<Repository['at'], Snapshot>>,
  IsTrue<Gives<Repository['set'], Promise<Written>>>,
  IsTrue<Gives<Repository['delete'], Promise<Written>>>,
  IsTrue<Gives<Repository['commit'], Promise<Written>>>,
  IsTrue<Gives<Repository['branch'], Promise<Repository>>>,
  IsTrue<Gives<Repository['branches'], Listing<Ref>>>,
  IsTrue<Gives<Repository['renameBranch'], Promise<void>>>,
  IsTrue<Gives<Repository['deleteBranch'], Promise<void>>>,
  IsTrue<Gives<Repository['tag'], Promise<Ref>>>,
  IsTrue<Gives<Repository['tags'], Listing<Ref>>>,
  IsTrue<Gives<Repository['deleteTag'], Promise<void>>>,
  IsTrue<Gives<Repository['diff'], Promise<readonly Change[]>>>,
  IsTrue<Gives<Repository['merge'], Promise<Merged>>>,
  IsTrue<Gives<Repository['previewMerge'], Promise<MergePreview>>>,
  IsTrue<Gives<Repository['revert'], Promise<Written>>>,
  IsTrue<Gives<Repository['rollback'], Promise<Written>>>,
  IsTrue<Gives<Repository['cherryPick'], Promise<Written>>>,
  IsTrue<Gives<Repository['undo'], Promise<UndoEvent>>>,
  IsTrue<Gives<Repository['previewUndo'], Promise<UndoneOperation>>>,
  IsTrue<Gives<Repository['describe'], Promise<DescribedCommit>>>,
  IsTrue<Gives<Repository['bisect'], Promise<Commit>>>,
  IsTrue<Gives<Repository['speculate'], Promise<Speculation>>>,
  IsTrue<Gives<Repository['getSpeculation'], Promise<Speculation>>>,
  IsTrue<Gives<Repository['speculations'], Listing<SpeculationInfo>>>,
  IsTrue<Gives<Repository['compare'], Promise<Comparison>>>,
  IsTrue<Gives<Repository['query'], Listing<Commit>>>,
  IsTrue<Gives<Repository['watch'], AsyncIterable<JournalEvent>>>,
  IsTrue<Gives<Repository['observe'], Promise<void>>>,
  IsTrue<Gives<Repository['resolveIntent'], Promise<void>>>,
  IsTrue<Gives<Repository['calibration'], Promise<Calibration>>>,
  IsTrue<Gives<Repository['close'], Promise<void>>>,
]

export async function everyOption(signal: AbortSignal): Promise<void> {
  await using repo = await open('state.db', {
    namespace: 'team',
    agent: 'agent/a',
    readOnly: false,
    durability: 'full',
    policies: { '/counters/*': 'sum', '/names': { unionBy: 'id' }, '/own': (_base, ours, theirs) => ours ?? theirs },
    clock: () => new Date(0),
    ids: () => 'id',
  })
  const handle = repo.as({ agent: 'agent/b', tags: ['a'], intent: 'intent-1', trace: 'trace-1' })
  const written = await handle.set(['a', 0, 'b'], 1, {
    description: 'Everything there is to say',
    category: 'A category of one’s own',
    agent: 'agent/c',
    reasoning: 'Because',
    confidence: 0.5,
    tags: ['b'],
    alternatives: [{ label: 'not to', whyNot: 'it is needed' }, await repo.speculate({ label: 'try', ttlMs: 1000 })],
    expects: [
      { path: '/a', equals: 1 },
      { path: '/b', min: 1, max: 2 },
      { path: '/c', text: 'it works' },
    ],
    tools: [{ name: 'search', args: {}, result: [], started: 'then', ended: 'now' }],
    intent: { id: 'intent-2', parent: 'intent-1' },
    trace: 'trace-2',
    idempotencyKey: 'once',
    onlyIf: { value: undefined },
    allowEmpty: true,
  })
  const filter = {
    agent: ['agent/a', 'agent/b'],
    category: 'Fix',
    tags: { any: ['a'] },
    text: 'because',
    confidence: { min: 0.1, max: 0.9 },
    since: new Date(0),
    until: '2026-01-01',
    path: '/a/**',
    session: 's',
    intent: 'intent-1',
    authority: 'g',
    deviated: true,
    firstParent: true,
    order: 'oldest',
    limit: 5,
  } as const
  for await (const commit of repo.query(filter)) use(commit.id)
  const page: Page<Commit> = await repo.log(filter).page({ limit: 10, after: 'cursor' })
  const chain: BlameChain = await repo.blame('/a', { chain: true })
  await repo.merge(written, {
    description: 'Merge by commit',
    policies: { '/**': 'latest' },
    resolutions: { '/a': 'ours', '/b': 'base', '/c': { value: 1 } },
    fastForward: true,
    onlyIf: { head: written.id },
  })
  await repo.observe(written, { held: true, note: 'as said', observed: [{ path: '/a', value: 1 }] })
  await repo.resolveIntent('intent-1', {
    outcome: 'partial',
    summary: 'Half of it',
    deviations: [{ description: 'late', reason: 'holidays', impact: 'low' }],
  })
  const events = repo.watch({ path: '/a/**', branch: 'feature/*', category: 'Fix', after: 12, signal })
  for await (const event of events) if (event.kind === 'commit') use(event.branch, event.commit, event.changes)
  await repo.bisect({ good: 'v1', bad: new Date(0) }, at => at.has('/a'))
  use(page.next, chain.considered, chain.observed, chain.intents, chain.next, await repo.undo(12))
}

/** What a program that only reads can be given. */
export async function reading(from: Reader<{ a: number }>): Promise<number> {
  return (await from.get('/a')) + (await from.log().count())
}

export function errors(error: unknown): readonly Conflict[] {
  if (isStateError(error, 'merge-conflict')) return error.data.conflicts
  if (isStateError(error)) use(error.code satisfies StateErrorCode, error.hint, error.toJSON())
  // @ts-expect-error there is no such code
  use(isStateError(error, 'merge-conflct'))
  return []
}

function use(..._values: readonly unknown[]): void {}
