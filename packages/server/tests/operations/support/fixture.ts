/** One store with a little of everything, so that every example of every operation finds what it speaks of. */
import { join } from 'node:path'
import type { Repository } from 'agentstategraph'
import { ask } from 'agentstategraph/internal'
import { exportRepository, pull } from 'agentstategraph/maintenance'
import { Versioned } from 'agentstategraph/memory'
import { plans } from 'agentstategraph/plans'
import { schemas } from 'agentstategraph/schema'
import { createKeyFile, epochs, keyFileSigner, protect, subjectKeyFolder } from 'agentstategraph/trust'
import { type Caller, openHost, type StoreHost } from '../../../src/host/store-host.ts'
import type { Operation, OperationContext } from '../../../src/operations/operation.ts'
import { operations } from '../../../src/operations/table.ts'
import { app } from './app.ts'
import { type AccessIds, fillAccess } from './fill-access.ts'
import { cosignature, witnessKey } from './witness.ts'

export interface Fixture extends AsyncDisposable {
  readonly context: OperationContext
  /** The context of another caller. */
  contextOf(caller: Caller, signal?: AbortSignal): OperationContext
  /** The store as the operator sees it. */
  readonly repo: Repository
  /** How many entries the journal has. */
  entries(): Promise<number>
  /** The input of an example, with what only this store can give: signatures, exports, ids made by chance. */
  filled(name: string, input: Readonly<Record<string, unknown>>): Promise<Record<string, unknown>>
}

/** Keys that all fixtures of one test file share. */
export async function makeKeys(folder: string) {
  const file = join(folder, 'log.key')
  await createKeyFile(file, { name: 'example' })
  return { signer: await keyFileSigner(file), keys: await subjectKeyFolder(join(folder, 'subjects')) }
}

export type Keys = Awaited<ReturnType<typeof makeKeys>>

/** A store with everything, or with what the operations of one group speak of; for the operator, or for another caller. */
export async function makeFixture(
  { signer, keys }: Keys,
  group?: Operation['group'],
  caller: Caller = {},
  clock?: () => Date,
): Promise<Fixture> {
  let count = 0
  const wanted: string[] = []
  const host = await openHost(undefined, {
    agent: 'agent/tester',
    signer,
    protect: protect({ patterns: ['/users/{subject}/profile'], keys }),
    apps: app,
    ...(clock === undefined ? {} : { clock }),
    ids: () => wanted.shift() ?? `id-${++count}`,
  })
  const context = host.context({})
  const repo = await context.repo()
  const isFor = (...groups: readonly Operation['group'][]): boolean => group === undefined || groups.includes(group)
  await fillState(repo)
  if (isFor('epochs')) await fillEpochs(repo)
  if (isFor('plans')) await fillPlans(repo)
  if (isFor('graph', 'memory')) await fillApp(repo)
  if (isFor('schema')) await fillSchema(repo, context)
  if (isFor('speculation')) await fillSpeculations(repo, wanted)
  if (isFor('store')) await fillNamespace(host, repo)
  await repo.set('/latency_ms', 40, 'Measure')
  // What is decided about access holds for what follows, so it comes last.
  const ids = isFor('access', 'sessions') ? await fillAccess(repo, wanted) : undefined
  return {
    context: host.context(caller),
    contextOf: host.context,
    repo,
    entries: async () => (await repo.handle.journal.run(ask(log => log.head()))).seq,
    filled: (name, input) => filled(repo, ids, name, input),
    [Symbol.asyncDispose]: () => host.close(),
  }
}

export function getOperation(name: string): Operation {
  return operations.find(operation => operation.name === name)!
}

async function fillState(repo: Repository): Promise<void> {
  await repo.commit('Begin', tx =>
    tx
      .set('/cluster', { replicas: 1, network: 'bridge' })
      .set('/network', { dns: '8.8.8.8', old: true })
      .set('/storage', { type: 'disk', cache: true })
      .set('/name', 'example')
      .set('/users/ada/profile', { born: 1815 }),
  )
  await repo.tag('release/1')
  await repo.as('agent/scaler').set('/cluster/replicas', 2, {
    description: 'Scale to 2 replicas',
    reasoning: 'Traffic goes up',
    confidence: 0.9,
    intent: { id: 'intent-001' },
    alternatives: [{ label: 'wait', whyNot: 'It goes up fast' }],
    expects: [{ path: '/latency_ms', max: 100 }],
  })
  await (await repo.branch('feature/net')).set('/cluster/network', 'flannel', 'Try flannel')
}

async function fillEpochs(repo: Repository): Promise<void> {
  await epochs(repo).create('sealed-epoch', 'The first days')
  await repo.set('/cluster/region', 'eu', 'Say where it is')
  await epochs(repo).seal('sealed-epoch', 'All is set up')
  await epochs(repo).create('open-epoch', 'What comes now')
}

async function fillSchema(repo: Repository, context: OperationContext): Promise<void> {
  await schemas(repo).attach('/name', { type: 'string' }, {}, 'Names are texts')
  await repo.branch('migrated')
  await getOperation('run_migrations').run(context, { refs: ['migrated'], dry_run: false })
}

async function fillSpeculations(repo: Repository, wanted: string[]): Promise<void> {
  for (const [id, type] of [
    ['spec-1', 'nfs'],
    ['spec-2', 'local'],
  ] as const) {
    wanted.push(id)
    await (await repo.speculate({ label: id })).set('/storage/type', type)
  }
}

async function fillPlans(repo: Repository): Promise<void> {
  const release = await plans(repo).create('release-1', 'Ship version 1')
  await release.add([{ title: 'Design' }, { title: 'Build', priority: 'high' }])
  await release.take({ id: 't-2' })
  for (const name of ['finished', 'closed']) {
    const plan = await plans(repo).create(name)
    await plan.add({ title: 'Ship' })
    await plan.take({ id: 't-1' })
    await plan.complete('t-1', { kind: 'commit', value: 'main' })
    if (name === 'closed') await plan.close('Shipped')
  }
}

async function fillApp(repo: Repository): Promise<void> {
  await app.graphs.review(repo).thread('case-1').run({ draft: 'Hello' })
  await repo.branch('memory', { from: 'release/1' })
  await using memory = await Versioned.open(repo, { branch: 'memory' })
  await app.agents.counter.add(1, { state: memory, signal: new AbortController().signal })
}

async function fillNamespace(host: StoreHost, repo: Repository): Promise<void> {
  const context = host.context({})
  await context.storeAdmin.createNamespace('staging')
  const staging = await context.repo('staging')
  await pull(staging, repo, { branches: ['main'] })
  await staging.set('/tried', true, 'Try it here first')
}

async function filled(
  repo: Repository,
  ids: AccessIds | undefined,
  name: string,
  input: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  if (name === 'cosign_epoch') return { ...input, answer: cosignature(await headOf(repo)), key: witnessKey }
  if (name === 'check_head') return { ...input, head: await headOf(repo) }
  if (name === 'verify_bundle') return { ...input, bundle: await textOf(epochs(repo).export('sealed-epoch')) }
  if (name === 'import') return { ...input, export: await textOf(exportRepository(repo)) }
  if (name === 'revoke_key' || name === 'rotate_key') return { ...input, id: ids?.key }
  if (['get_proposal', 'approve', 'reject'].includes(name)) return { ...input, id: ids?.proposal }
  return { ...input }
}

/** The signed head of the sealed epoch. */
async function headOf(repo: Repository): Promise<string> {
  const epoch = await epochs(repo).get('sealed-epoch')
  return epoch.status === 'open' ? '' : (epoch.signature ?? '')
}

async function textOf(lines: AsyncIterable<string>): Promise<string> {
  let text = ''
  for await (const line of lines) text += line
  return text
}
