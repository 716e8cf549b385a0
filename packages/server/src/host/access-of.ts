/** Access control, loaded by the first caller that needs it: a command of the operator needs none. */
import type { Backend, Repository } from 'agentstategraph'
import type { Access } from 'agentstategraph/access'

let loading: Promise<typeof import('agentstategraph/access')> | undefined

function loaded(): Promise<typeof import('agentstategraph/access')> {
  loading ??= import('agentstategraph/access')
  return loading
}

export async function accessOf(repo: Repository): Promise<Access> {
  return (await loaded()).access(repo)
}

/** The namespace that a key was made in; undefined for a key that the store does not have. */
export async function homeOfKey(backend: Backend, key: string): Promise<string | undefined> {
  return await (await loaded()).findKeyHome(backend, key)
}
