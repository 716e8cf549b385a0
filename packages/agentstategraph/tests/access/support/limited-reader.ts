/** A repository with something to hide, and a principal who may read a part of it. */
import { open, type Repository, type Store } from '../../../src/repository/index.ts'
import { person } from './people.ts'

/** What nobody but the operator may see: it is in values, words and names. */
export const SECRET = 'hidden-7f3a'

export interface Limited {
  readonly repo: Repository
  /** May read and write `/public` on `main` and `open/*`. */
  readonly reader: Repository
  /** The id of a commit that changed only what is hidden. */
  readonly hidden: string
}

export async function limited(store?: Store): Promise<Limited> {
  const repo = await open(store)
  await repo.set('/public/greeting', 'hello', 'Greet')
  const { id: hidden } = await repo.set('/private/token', SECRET, {
    description: `Set ${SECRET}`,
    reasoning: SECRET,
    expects: [{ path: '/private/token', equals: SECRET }],
    tools: [{ name: 'vault', args: SECRET, result: SECRET }],
  })
  await repo.commit(
    {
      description: 'Both',
      intent: { id: 'intent/both' },
      expects: [{ path: '/private/token', equals: SECRET }],
      tools: [{ name: 'vault', args: SECRET }],
    },
    tx => {
      tx.set('/public/list', [{ open: 1 }, 2]).set('/private/list', [SECRET])
    },
  )
  await repo.branch('secret/plan')
  await repo.on('secret/plan').set('/public/greeting', SECRET, `On ${SECRET}`)
  await repo.branch('open/one')
  await repo.on('open/one').set('/public/greeting', 'hi', 'Greet otherwise')
  await repo.on('open/one').set('/private/token', `${SECRET}-2`, `Another ${SECRET}`)
  await repo.tag('secret-tag')
  const reader = await person(repo, 'agent/reader', {
    capabilities: ['read', 'commit', 'merge', 'branch', 'tag', 'delete-branch'],
    branches: ['main', 'open/*'],
    paths: ['/public'],
  })
  return { repo, reader, hidden }
}

/** What a route gives or throws, as text. */
export async function told(route: () => unknown): Promise<string> {
  try {
    return JSON.stringify(await route()) ?? 'undefined'
  } catch (error) {
    const { message, hint, code, data } = error as { message: string; hint?: string; code?: string; data?: unknown }
    return JSON.stringify({ message, hint, code, data, error, text: String(error) })
  }
}
