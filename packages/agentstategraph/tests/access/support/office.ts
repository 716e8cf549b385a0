/** A repository with people in it: an agent who writes, two people who decide, and rules that they have agreed on. */
import { access, type Capability, type PolicyRule } from '../../../src/access/index.ts'
import { type OpenOptions, open, type Repository, type Store } from '../../../src/repository/index.ts'

export interface Office extends AsyncDisposable {
  readonly repo: Repository
  readonly agent: Repository
  readonly ann: Repository
  readonly ben: Repository
  /** Puts a rule in force: Ann proposes it and Ben ratifies it. */
  rule(rule: PolicyRule): Promise<string>
  /** Somebody more, with grants for everything. */
  add(id: string, capabilities: readonly Capability[]): Promise<Repository>
}

const deciders: readonly Capability[] = ['read', 'approve', 'policy', 'commit']

export async function office(store?: Store, options: OpenOptions = {}): Promise<Office> {
  const repo = await open(store, options)
  await repo.set('/prod', { replicas: 3, image: 'v1' }, 'Begin')
  const add = async (id: string, capabilities: readonly Capability[]): Promise<Repository> => {
    const { key } = await access(repo).addPrincipal(id, id.startsWith('agent') ? 'agent' : 'human')
    await access(repo).grant(id, { capabilities })
    return access(repo).authenticate(key)
  }
  const agent = await add('agent/scaler', ['read', 'commit', 'merge', 'branch', 'migrate'])
  const ann = await add('human/ann', deciders)
  const ben = await add('human/ben', deciders)
  return {
    repo,
    agent,
    ann,
    ben,
    add,
    async rule(rule) {
      const { id } = await access(ann).proposePolicy(rule)
      await access(ben).ratifyPolicy(id, 'We agreed on it')
      return id
    },
    [Symbol.asyncDispose]: () => repo.close(),
  }
}

/** The id of the proposal that a write became. */
export async function proposalOf(write: Promise<unknown>): Promise<string> {
  const error = await write.then(
    () => undefined,
    (reason: unknown) => reason as { readonly code?: string; readonly data: { readonly proposal: string } },
  )
  if (error?.code !== 'approval-required') throw error ?? new Error('It landed')
  return error.data.proposal
}
