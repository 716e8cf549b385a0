/**
 * Identifies callers.
 *
 * A process that can open the file can do everything, so a caller without a key is the operator of the store, under any name. So
 * is the holder of the server's own token. Every other key belongs to a principal of one namespace, reaches only that namespace,
 * and has the rights that the access rules of that namespace give it.
 */

import { hash } from 'node:crypto'
import type { Repository } from 'agentstategraph'
import { isStateError } from 'agentstategraph/internal'
import { serverError } from '../wire/errors.ts'
import { accessOf } from './access-of.ts'
import type { Caller } from './caller.ts'
import type { OpenedNamespaces } from './opened-namespaces.ts'
import { isToken, type TokenDigest } from './operator-token.ts'

export interface Identity {
  /** The principal, for rate limits and logs. Those of two namespaces may have one name. */
  readonly principal: string
  /** The agent of the commits. */
  readonly agent: string
  /** The one namespace that a principal reaches; undefined for the operator, who reaches all. */
  readonly home: string | undefined
}

export type Identify = (caller: Caller) => Promise<Identity>

export interface Identifier {
  readonly identify: Identify
  /** Whether a caller has no key, or one that was valid before. */
  isKnown(caller: Caller): boolean
}

export function identifier(namespaces: OpenedNamespaces, operator: string, token: TokenDigest | undefined): Identifier {
  // The namespace in which a key was last valid. The key itself is checked on every call.
  const homes = new Map<string, string>()
  // A request asks this several times about its own caller, and each time costs a hash.
  const operators = new WeakMap<Caller, boolean>()

  function isOperator(caller: Caller, key: string): boolean {
    const known = operators.get(caller)
    if (known !== undefined) return known
    const isIt = token !== undefined && isToken(key, token)
    operators.set(caller, isIt)
    return isIt
  }

  async function ofKey(key: string): Promise<Identity> {
    const digest = digestOf(key)
    const home = homes.get(digest) ?? (await namespaces.homeOf(key))
    const found = home === undefined ? undefined : await findIn(home, key)
    if (found === undefined) {
      homes.delete(digest)
      throw serverError('unauthenticated', {})
    }
    homes.set(digest, home!)
    const { agent } = found.handle.who
    return { principal: agent, agent, home }
  }

  async function findIn(home: string, key: string): Promise<Repository | undefined> {
    try {
      return await findRepository(await namespaces.get(home, 'write'), key)
    } catch (error) {
      // The keys of a namespace are deleted with it.
      if (isStateError(error, 'namespace-not-found')) return undefined
      throw error
    }
  }

  return {
    async identify(caller) {
      const { key, agent } = caller
      if (key === undefined) return { principal: operator, agent: agent ?? operator, home: undefined }
      if (isOperator(caller, key)) return { principal: operator, agent: operator, home: undefined }
      return ofKey(key)
    },
    isKnown(caller) {
      const { key } = caller
      return key === undefined || isOperator(caller, key) || homes.has(digestOf(key))
    },
  }
}

function digestOf(key: string): string {
  return hash('sha256', key, 'base64url')
}

/** The repository with the rights of a key; undefined when the key is not valid there. */
async function findRepository(repo: Repository, key: string): Promise<Repository | undefined> {
  try {
    return await (await accessOf(repo)).authenticate(key)
  } catch (error) {
    if (isStateError(error, 'key-refused')) return undefined
    throw error
  }
}

/** The repository with the rights of the caller or of one of its sessions. The rights of a key are checked on every use. */
export async function repositoryOf(
  repo: Repository,
  identity: Identity,
  { key, mode }: Caller,
  session: string | undefined,
): Promise<Repository> {
  const own = identity.home === undefined ? repo.as(identity.agent) : await findRepository(repo, key!)
  if (own === undefined) throw serverError('unauthenticated', {})
  const acting = mode === 'propose' ? (await accessOf(own)).proposing() : own
  // `resumeSession` refuses callers that are no party of the session: its id is not a secret.
  return session === undefined ? acting : (await (await accessOf(acting)).resumeSession(session)).repo
}
