/**
 * What the types of a repository promise, held by the compiler: this file is compiled with the tests and never runs.
 *
 * A wrong path or value on a typed repository does not compile, an unknown state gives `unknown`, and the past is
 * read-only.
 */
import type { KnownPath, PathOf, Repository, Snapshot, Transaction, ValueAt } from '../../src/repository/index.ts'
import type { Equal, IsTrue } from './equal.ts'

interface Node {
  id: string
  status: 'up' | 'down'
}
interface Cluster {
  cluster: {
    name: string
    replicas: number
    nodes: Node[]
    network?: { subnet: string }
    'a/b': boolean
    'c~d': boolean
  }
  limits: Readonly<Record<string, number>>
  seats: Map<string, { taken: boolean }>
  since: Date
  1: 'numeric'
}

/** What is at a path is read off the state's type. */
export type Reads = [
  IsTrue<Equal<ValueAt<Cluster, '/cluster/replicas'>, number>>,
  IsTrue<Equal<ValueAt<Cluster, '/cluster/nodes/0/status'>, 'up' | 'down'>>,
  IsTrue<Equal<ValueAt<Cluster, '/cluster/nodes/-'>, Node>>,
  IsTrue<Equal<ValueAt<Cluster, '/cluster/network/subnet'>, string>>,
  IsTrue<Equal<ValueAt<Cluster, '/cluster/a~1b'>, boolean>>,
  IsTrue<Equal<ValueAt<Cluster, '/cluster/c~0d'>, boolean>>,
  IsTrue<Equal<ValueAt<Cluster, '/limits/anything'>, number>>,
  IsTrue<Equal<ValueAt<Cluster, '/1'>, 'numeric'>>,
  IsTrue<Equal<ValueAt<Cluster, '/'>, Cluster>>,
  IsTrue<Equal<ValueAt<Cluster, ''>, Cluster>>,
  IsTrue<Equal<ValueAt<Cluster, readonly ['cluster', 'nodes', 0, 'status']>, 'up' | 'down'>>,
  IsTrue<Equal<ValueAt<Cluster, string>, unknown>>,
  IsTrue<Equal<ValueAt<Cluster, string[]>, unknown>>,
  IsTrue<Equal<ValueAt<unknown, '/anything'>, unknown>>,
]

/** What an editor offers: every real path of three levels, escaped, and any other path besides. */
export type Offers = [
  IsTrue<
    Equal<
      PathOf<Pick<Cluster, 'cluster' | 'seats' | 1>>,
      | '/cluster'
      | '/cluster/name'
      | '/cluster/replicas'
      | '/cluster/nodes'
      | `/cluster/nodes/${number}`
      | '/cluster/network'
      | '/cluster/network/subnet'
      | '/cluster/a~1b'
      | '/cluster/c~0d'
      | '/seats'
      | '/1'
      | (string & {})
      | readonly (string | number)[]
    >
  >,
  IsTrue<Equal<PathOf<unknown>, (string & {}) | readonly (string | number)[]>>,
]

/** A wrong path becomes a sentence that names it. */
export type Sentences = [
  IsTrue<Equal<KnownPath<Cluster, '/cluster/replcas'>, 'the state has no /cluster/replcas'>>,
  IsTrue<Equal<KnownPath<Cluster, '/cluster/nodes/first'>, 'the state has no /cluster/nodes/first'>>,
  IsTrue<Equal<KnownPath<Cluster, '/cluster/name/0'>, 'the state has no /cluster/name/0'>>,
  IsTrue<Equal<KnownPath<Cluster, '/cluster/name/length'>, 'the state has no /cluster/name/length'>>,
  IsTrue<Equal<KnownPath<Cluster, '/seats/first'>, 'the state has no /seats/first'>>,
  IsTrue<Equal<KnownPath<Cluster, '/since/getTime'>, 'the state has no /since/getTime'>>,
  IsTrue<Equal<KnownPath<Cluster, 'cluster'>, 'the state has no cluster'>>,
  IsTrue<Equal<KnownPath<Cluster, ['cluster', 'replcas']>, 'the state has no such path'>>,
]

export async function reading(repo: Repository<Cluster>, path: string, segments: string[]): Promise<void> {
  const replicas: number = await repo.get('/cluster/replicas')
  const status: 'up' | 'down' | undefined = await repo.find(['cluster', 'nodes', replicas, 'status'])
  const whole: Cluster = await repo.get('/')
  const somewhere: unknown = await repo.get(path)
  const elsewhere: unknown = await repo.get(segments)
  const asked: string = await repo.get<string>(path)
  // @ts-expect-error what is there may be absent
  const found: number = await repo.find('/cluster/replicas')
  // @ts-expect-error a number is no text
  const wrong: string = await repo.get('/cluster/replicas')
  // @ts-expect-error the state has no /cluster/replcas
  await repo.get('/cluster/replcas')
  // @ts-expect-error the state has no such path
  await repo.find(['cluster', 'replcas'])
  // @ts-expect-error what is not known in advance is unknown
  const text: string = await repo.get(path)
  use(status, whole, somewhere, elsewhere, asked, found, wrong, text)
}

export async function writing(repo: Repository<Cluster>, tx: Transaction<Cluster>): Promise<void> {
  await repo.set('/cluster/nodes/0/status', 'down', 'Node 0 stopped answering')
  await repo.set('/cluster/nodes/-', { id: 'n4', status: 'up' }, { description: 'Add a node', confidence: 0.9 })
  await repo.set(['cluster', 'replicas'], 3, 'Scale')
  tx.set('/cluster/name', 'prod').delete('/cluster/network').set('/limits/cpu', 2)
  // @ts-expect-error a node is up or down
  await repo.set('/cluster/nodes/0/status', 'gone', 'Lose it')
  // @ts-expect-error a number is wanted
  await repo.set('/cluster/replicas', '3', 'Scale')
  // @ts-expect-error the state has no /cluster/replcas
  await repo.set('/cluster/replcas', 3, 'Scale')
  // @ts-expect-error a node has a status
  await repo.set('/cluster/nodes/-', { id: 'n4' }, 'Add a node')
  // @ts-expect-error every write says why
  await repo.set('/cluster/replicas', 3)
  // @ts-expect-error a why has a description
  await repo.set('/cluster/replicas', 3, { reasoning: 'Traffic' })
  // @ts-expect-error a misspelt option
  await repo.set('/cluster/replicas', 3, { description: 'Scale', confidance: 1 })
  // @ts-expect-error the state has no /cluster/nme
  tx.set('/cluster/nme', 'prod')
}

export async function past(repo: Repository<Cluster>): Promise<void> {
  const then: Snapshot<Cluster> = repo.at('v1')
  const replicas: number = await then.get('/cluster/replicas')
  // @ts-expect-error the past is read-only
  use(replicas, then.set)
  // @ts-expect-error the past is read-only
  use(then.commit, replicas)
  // @ts-expect-error the past is read-only
  use(then.delete, replicas)
  // @ts-expect-error the state had no /cluster/replcas then either
  await then.get('/cluster/replcas')
}

export async function handles(repo: Repository<Cluster>): Promise<void> {
  const other: Repository<Cluster> = await repo.as('agent/a').on('feature').branch('feature/b')
  const listed: readonly { readonly name: string }[] = await repo.branches()
  for await (const { path, kind } of other.list()) use(path, kind, listed)
  await repo.commit('Several', async edit => {
    const replicas: number = await edit.get('/cluster/replicas')
    edit.set('/cluster/replicas', replicas + 1)
    // @ts-expect-error a number is wanted
    edit.set('/cluster/replicas', `${replicas}`)
  })
}

export async function unknownState(repo: Repository): Promise<void> {
  const value: unknown = await repo.get('/anything/at/all')
  const asked: number = await repo.get<number>('/cluster/replicas')
  await repo.set('/anything', { at: 'all' }, 'Anything goes')
  // @ts-expect-error an unknown value is not a number
  const number: number = await repo.get('/cluster/replicas')
  use(value, asked, number)
}

function use(..._values: readonly unknown[]): void {}
