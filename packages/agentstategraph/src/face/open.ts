/** Opening a repository: the address or thing that holds it, and the first handle. */

import { kvBackend } from '../backends/kv.ts'
import { defaultLimits, type Limits } from '../core/index.ts'
import { keepPolicies, mainBranch, type Shared } from '../repo/index.ts'
import { type Backend, type Durability, type KVStore, memoryBackend, openJournal, storeError } from '../store/index.ts'
import type { Policies } from '../tree/index.ts'
import { Repository } from './repository.ts'

/** A place by address, or anything that keeps the backend or the key-value contract. Nothing means memory. */
export type Store = string | URL | Backend | KVStore

export interface OpenOptions {
  /** One store holds many repositories; nothing of one shows in another. */
  namespace?: string | undefined
  /** The agent that writes when no call and no `as` names one. */
  agent?: string | undefined
  readOnly?: boolean | undefined
  durability?: Durability | undefined
  policies?: Policies | undefined
  /** How large what is written may be. What is not given is as it is without. */
  limits?: Partial<Limits> | undefined
  clock?: (() => Date) | undefined
  ids?: (() => string) | undefined
}

const DEFAULT_AGENT = 'anonymous'

export async function open<State = unknown>(store?: Store, options: OpenOptions = {}): Promise<Repository<State>> {
  const { namespace, agent = DEFAULT_AGENT, readOnly = false, durability, policies = {}, clock, ids } = options
  const backend = await backendOf(store)
  try {
    const journal = await openJournal(backend, {
      ...(namespace === undefined ? {} : { namespace }),
      ...(durability === undefined ? {} : { durability }),
      ...(clock === undefined ? {} : { clock }),
      ...(ids === undefined ? {} : { ids }),
    })
    const shared: Shared = {
      backend,
      journal,
      checks: [],
      heads: new Map(),
      policies,
      isReadOnly: readOnly,
      limits: limitsOf(options.limits),
      isClosed: false,
      onClose: new Set(),
    }
    const who = { agent, tags: [], intent: undefined, trace: undefined }
    const handle = { shared, journal, branch: mainBranch, who }
    if (!readOnly && Object.keys(policies).length > 0) await journal.run(keepPolicies(handle, policies))
    return new Repository<State>(handle)
  } catch (error) {
    await backend.close()
    throw error
  }
}

/** The limits asked for over those there are anyway. */
function limitsOf(limits: Partial<Limits> = {}): Limits {
  const asked = Object.entries(limits).filter(([, value]) => value !== undefined)
  for (const [field, value] of asked) {
    if (typeof value === 'number' && value > 0) continue
    throw storeError('info-invalid', { field: `limits.${field}`, reason: `${String(value)} is not a positive number` })
  }
  return { ...defaultLimits, ...Object.fromEntries(asked) }
}

async function backendOf(store: Store | undefined): Promise<Backend> {
  if (store === undefined) return memoryBackend()
  if (typeof store === 'string') return sqliteOf(store)
  if (store instanceof URL) return sqliteOf(fileOf(store))
  return 'namespace' in store ? store : kvBackend(store)
}

/** Loaded when it is asked for, because a browser cannot load it at all. */
async function sqliteOf(file: string): Promise<Backend> {
  const { sqlite } = await import('../backends/sqlite.ts')
  return sqlite(file)
}

function fileOf(url: URL): string {
  if (url.protocol !== 'file:')
    throw new TypeError(`No backend knows the address ${url.href}: give a file: URL or a backend.`)
  return decodeURIComponent(url.pathname)
}
