/**
 * Who a caller is.
 *
 * Who can open the file can do everything, so a caller without a key is the operator of the store, under any name. So is the
 * holder of the server's own token. Every other key belongs to a principal of one namespace, reaches that namespace alone, and
 * may do there what the namespace's own access rules say.
 */

import { createHash } from 'node:crypto'
import type { Repository } from 'agentstategraph'
import { access } from 'agentstategraph/access'
import { isStateError } from 'agentstategraph/internal'
import { serverError } from '../wire/errors.ts'
import type { Caller } from './caller.ts'
import type { OpenedNamespaces } from './opened-namespaces.ts'
import { isToken, type TokenDigest } from './operator-token.ts'

export interface Identity {
  /** Whose limits and repetitions these are. */
  readonly principal: string
  /** Who is named in what is written. */
  readonly agent: string
  /** The one namespace that a principal reaches; undefined for the operator, who reaches all. */
  readonly home: string | undefined
}

export type Identify = (caller: Caller) => Promise<Identity>

export function identifier(namespaces: OpenedNamespaces, operator: string, token: TokenDigest | undefined): Identify {
  // Where a key was good once is where it is looked for first; whether it still is, is asked every time.
  const homes = new Map<string, string>()

  async function ofKey(key: string): Promise<Identity> {
    const digest = createHash('sha256').update(key, 'utf8').digest('base64url')
    const known = homes.get(digest)
    for (const home of known === undefined ? await namespaces.names() : [known]) {
      const found = await findIn(home, key)
      if (found === undefined) continue
      homes.set(digest, home)
      const { agent } = found.handle.who
      return { principal: agent, agent, home }
    }
    homes.delete(digest)
    throw serverError('unauthenticated', {})
  }

  async function findIn(home: string, key: string): Promise<Repository | undefined> {
    try {
      return await findRepository(await namespaces.get(home, 'write'), key)
    } catch (error) {
      // A namespace that was deleted takes its keys with it.
      if (isStateError(error, 'namespace-not-found')) return undefined
      throw error
    }
  }

  return async ({ key, agent }) => {
    if (key === undefined) return { principal: operator, agent: agent ?? operator, home: undefined }
    if (token !== undefined && isToken(key, token)) return { principal: operator, agent: operator, home: undefined }
    return ofKey(key)
  }
}

/** The repository as the holder of a key may use it; undefined when the key is not good there. */
async function findRepository(repo: Repository, key: string): Promise<Repository | undefined> {
  try {
    return await access(repo).authenticate(key)
  } catch (error) {
    if (isStateError(error, 'key-refused')) return undefined
    throw error
  }
}

/** The repository as this caller may use it, or a session of the caller's. What a key may do is asked anew with every use of it. */
export async function repositoryOf(
  repo: Repository,
  identity: Identity,
  { key, mode }: Caller,
  session: string | undefined,
): Promise<Repository> {
  const own = identity.home === undefined ? repo.as(identity.agent) : await findRepository(repo, key!)
  if (own === undefined) throw serverError('unauthenticated', {})
  const acting = mode === 'propose' ? access(own).proposing() : own
  // An id of a session is no key: it leads somewhere only for those whom the session concerns.
  return session === undefined ? acting : (await access(acting).resumeSession(session)).repo
}
