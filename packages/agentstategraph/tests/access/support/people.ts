/** Principals with their grants and handles, as most tests of access begin. */
import { access, type GrantSpec } from '../../../src/access/index.ts'
import type { Repository } from '../../../src/repository/index.ts'

/** Somebody new with one grant from the operator: the handle that the key gives. */
export async function person(repo: Repository, id: string, ...grants: readonly GrantSpec[]): Promise<Repository> {
  const { key } = await access(repo).addPrincipal(id, 'agent')
  for (const grant of grants) await access(repo).grant(id, grant)
  return access(repo).authenticate(key)
}

/** What an ordinary worker may do. */
export const worker = ['read', 'commit', 'merge', 'branch'] as const

/** The code that something is refused with, or `done`. */
export async function codeOf(attempt: () => unknown): Promise<string> {
  try {
    await attempt()
    return 'done'
  } catch (error) {
    return (error as { code?: string }).code ?? String(error)
  }
}
