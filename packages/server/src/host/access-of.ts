/** The access control of a repository, loaded by the first caller that needs it: a command of the operator needs none. */
import type { Repository } from 'agentstategraph'
import type { Access } from 'agentstategraph/access'

let loading: Promise<typeof import('agentstategraph/access')> | undefined

export async function accessOf(repo: Repository): Promise<Access> {
  loading ??= import('agentstategraph/access')
  return (await loading).access(repo)
}
