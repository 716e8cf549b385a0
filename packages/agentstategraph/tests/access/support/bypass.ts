/**
 * A repository that somebody tries to get around in: what is there, who tries, and what must not have changed afterwards.
 *
 * Mallory may read everything, and do everything that work takes at `/team` on `main` and `feature/*`; what she tries is
 * something else.
 */
import { access, type GrantSpec } from '../../../src/access/index.ts'
import { type OpenOptions, open, type Repository, type Store } from '../../../src/repository/index.ts'
import { person } from './people.ts'

export interface Scene extends AsyncDisposable {
  readonly repo: Repository
  readonly mallory: Repository
  /** The commit on main that changed `/secret`. */
  readonly secretCommit: string
  readonly clock: { now: number }
}

export interface Attempt {
  readonly name: string
  readonly code: string
  /** What may happen before: what it gives is handed to the attempt. */
  prepare?(scene: Scene): Promise<unknown>
  attempt(scene: Scene, prepared: never): unknown
}

export const work = ['read', 'commit', 'merge', 'branch', 'delete-branch', 'tag', 'grant', 'propose'] as const

export async function newScene(store?: Store, options: OpenOptions = {}): Promise<Scene> {
  const clock = { now: Date.parse('2026-04-01T12:00:00Z') }
  const repo = await open(store, { clock: () => new Date(clock.now), ...options })
  await repo.set(
    '/',
    {
      team: { a: 1, b: 1, list: [1, 2, 3], deep: { x: { y: 1 } } },
      'team-x': 1,
      Team: 1,
      secret: { k: 's' },
      list: ['a', 'b', 'c'],
      nums: { '1': 'one' },
    },
    'Begin',
  )
  const { id: secretCommit } = await repo.set('/secret/k', 't', 'Rotate the secret')
  const release = await repo.branch('release')
  await release.set('/team/a', 5, 'Release')
  const feature = await repo.branch('feature/x')
  await feature.set('/team/b', 2, 'Work')
  const evil = await repo.branch('evil')
  await evil.set('/secret/k', 'evil', 'Change the secret')
  await repo.tag('v1')
  const mallory = await person(repo, 'mallory', {
    capabilities: work,
    paths: ['/team'],
    branches: ['main', 'feature/*'],
    depth: 2,
  })
  await access(repo).grant('mallory', { capabilities: ['read'] })
  return { repo, mallory, secretCommit, clock, [Symbol.asyncDispose]: () => repo.close() }
}

/** Every ref but those that count refusals and rates: whatever changes a state or a right moves one. */
export async function refsOf(repo: Repository): Promise<readonly string[]> {
  const cells = await repo.handle.journal.log.refs('')
  return cells
    .filter(({ name }) => name !== 'system/refusals' && !name.startsWith('system/rate/'))
    .map(({ name, seq }) => `${name} ${seq}`)
}

/** Another principal beside Mallory. */
export function other({ repo }: Scene, id: string, ...grants: readonly GrantSpec[]): Promise<Repository> {
  return person(repo, id, ...grants)
}

/** The grant of somebody that is for more than reading. */
export async function grantOf(scene: Scene, principal: string): Promise<string> {
  const grants = await access(scene.repo).grants({ principal })
  return grants.find(({ capabilities }) => capabilities.includes('commit'))!.id
}
