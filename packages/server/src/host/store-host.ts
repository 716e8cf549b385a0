/**
 * One open store, and the context of each call on it.
 *
 * Every surface opens a host and requests the context of a call; operations get nothing else. The host identifies callers and
 * keeps the namespaces open. It knows nothing of HTTP requests, tools or commands.
 */
import type { Backend, OpenOptions } from 'agentstategraph'
import { memory } from 'agentstategraph/backends'
import { repoError } from 'agentstategraph/internal'
import type { Apps } from '../operations/apps.ts'
import type { OperationContext, StoreAdmin } from '../operations/operation.ts'
import { serverError } from '../wire/errors.ts'
import { type Caller, tagsOf } from './caller.ts'
import { type Identity, identifier, repositoryOf } from './identity.ts'
import { unlimited } from './limited-run.ts'
import { type OpenedNamespaces, openedNamespaces } from './opened-namespaces.ts'
import type { TokenDigest } from './operator-token.ts'
import { storeAt } from './store-at.ts'

export type { Caller } from './caller.ts'

/** Options of a host. */
export interface HostOptions extends Omit<OpenOptions, 'namespace' | 'agent'> {
  /** The name of the operator: the agent of a call without a key and without an agent. */
  readonly agent?: string | undefined
  /** With `read-only`, a missing store is not created, and nothing but indexes is written for any caller. */
  readonly mode?: Caller['mode']
  /** The digest of the server's own token, if it has one. */
  readonly token?: TokenDigest | undefined
  /** The user's code: graphs, migrations, tasks. */
  readonly apps?: Apps | undefined
}

/** An open store, and what each caller may reach of it. */
export interface StoreHost {
  /** Identifies a caller; throws `unauthenticated` when the key is not valid. */
  identify(caller: Caller): Promise<Identity>
  /** Whether a caller has no key, or one that was valid before: to identify it takes one lookup. */
  isKnown(caller: Caller): boolean
  /** The context of one call. The caller is identified on first use, unless the call was admitted as somebody. */
  context(caller: Caller, signal?: AbortSignal, admitted?: Identity): OperationContext
  close(): Promise<void>
}

const OPERATOR = 'operator'

/** The signal of calls that cannot be aborted. */
const never = new AbortController().signal

/** Opens a store by its file name or address; without one, in memory. */
export async function openHost(address: string | undefined, options: HostOptions = {}): Promise<StoreHost> {
  const { agent: operator = OPERATOR, token, apps, mode, ...openOptions } = options
  if (mode === 'read-only') await assertStored(address)
  const backend = await backendOf(address, openOptions.readOnly)
  const readOnly = openOptions.readOnly === true || mode === 'read-only'
  const namespaces = openedNamespaces(backend, { ...openOptions, agent: operator, readOnly })
  try {
    // Fail now, and not in the first call, when the file is no store.
    await namespaces.get(undefined, 'write')
  } catch (error) {
    await backend.close()
    throw error
  }
  const { identify, isKnown } = identifier(namespaces, operator, token)
  return {
    identify,
    isKnown,
    context(caller, signal = never, admitted) {
      let asked = admitted === undefined ? undefined : Promise.resolve(admitted)
      return contextOf(namespaces, caller, () => (asked ??= identify(caller)), signal, apps)
    },
    async close() {
      await namespaces.close()
      await backend.close()
    },
  }
}

function contextOf(
  namespaces: OpenedNamespaces,
  caller: Caller,
  identity: () => Promise<Identity>,
  signal: AbortSignal,
  apps: Apps | undefined,
): OperationContext {
  return {
    signal,
    apps,
    mode: caller.mode ?? 'write',
    storeAdmin: storeAdminOf(namespaces, caller, identity),
    async repo(namespace, session) {
      const whose = await identity()
      const { home } = whose
      // A principal must not learn whether another namespace exists.
      if (home !== undefined && namespace !== undefined && namespace !== home) {
        throw repoError('namespace-not-found', { namespace })
      }
      const repo = await namespaces.get(home ?? namespace, caller.mode === 'read-only' ? 'read-only' : 'write')
      const own = await repositoryOf(repo.under(unlimited), whose, caller, session)
      return own.as({ tags: tagsOf(caller), trace: caller.trace })
    },
    async namespaces() {
      const { home } = await identity()
      return home === undefined ? namespaces.names() : [home]
    },
  }
}

/** Why a mode forbids changing namespaces. */
const forbiddenIn = {
  write: undefined,
  'read-only': 'by a read-only caller',
  propose: 'by a caller who proposes',
} as const

function storeAdminOf(namespaces: OpenedNamespaces, caller: Caller, identity: () => Promise<Identity>): StoreAdmin {
  async function agentThatMay(what: string): Promise<string> {
    const { agent, home } = await identity()
    const mayNot = home !== undefined ? 'with this key' : forbiddenIn[caller.mode ?? 'write']
    if (mayNot !== undefined) throw serverError('access-unavailable', { what: `${what} ${mayNot}` })
    return agent
  }
  return {
    async createNamespace(name, key) {
      const once = key === undefined ? undefined : { key, asked: ['create_namespace', name] }
      await (await namespaces.changed(await agentThatMay('Creating a namespace'), once)).create(name)
    },
    async deleteNamespace(name, key) {
      const once = key === undefined ? undefined : { key, asked: ['delete_namespace', name] }
      await (await namespaces.changed(await agentThatMay('Deleting a namespace'), once)).delete(name)
    },
  }
}

/** Throws `store-missing` when there is no such store, and creates nothing. */
export async function assertStored(address: string | undefined): Promise<void> {
  const backend = await backendOf(address, true)
  await backend.close()
}

async function backendOf(address: string | undefined, readOnly = false): Promise<Backend> {
  return address === undefined ? memory() : storeAt(address, readOnly)
}
