/** Getting around the limits of a grant: what is counted in a minute, and how large one commit may be. */
import type { GrantSpec } from '../../../src/access/index.ts'
import { pull } from '../../../src/maintenance/index.ts'
import { open, type Repository } from '../../../src/repository/index.ts'
import { type Attempt, other, type Scene, work } from './bypass.ts'

/** Eve works under limits, and then tries one thing more. */
function limited<T>(
  name: string,
  limits: NonNullable<GrantSpec['limits']>,
  use: (eve: Repository, scene: Scene) => Promise<T>,
  attempt: (eve: Repository, used: T, scene: Scene) => unknown,
  code = 'rate-exceeded',
): Attempt {
  return {
    name,
    code,
    async prepare(scene) {
      const eve = await other(scene, 'eve', { capabilities: work, limits })
      return { eve, used: await use(eve, scene) }
    },
    attempt: (scene, { eve, used }: { eve: Repository; used: T }) => attempt(eve, used, scene),
  }
}

const nothing = async (): Promise<void> => {}
const first = (eve: Repository): Promise<{ id: string }> => eve.set('/team/a', 8, 'Work')

export const limitAttempts: readonly Attempt[] = [
  limited('a commit more than the minute allows', { commitsPerMinute: 1 }, first, eve => eve.set('/team/a', 9, 'Try')),
  limited(
    'a branch more than the minute allows',
    { branchesPerMinute: 1 },
    async eve => {
      await eve.branch('feature/1')
      await first(eve)
    },
    eve => eve.branch('feature/2'),
  ),
  limited(
    'a speculation more than the minute allows',
    { speculationsPerMinute: 1 },
    eve => eve.speculate(),
    eve => eve.speculate(),
  ),
  limited(
    'an entry more than the minute allows',
    { entriesPerMinute: 2 },
    async eve => eve.observe(await first(eve), { held: true }),
    eve => eve.tag('more'),
  ),
  limited(
    'a byte more than the minute allows, in a commit',
    { bytesPerMinute: 8000 },
    async eve => {
      for (const n of [1, 2]) await eve.set('/team/a', 'x'.repeat(2000), `Work ${n}`)
    },
    eve => eve.set('/team/a', 'y'.repeat(6000), 'Try'),
  ),
  limited(
    'a byte more than the minute allows, in entries without a commit',
    { bytesPerMinute: 9000 },
    async eve => {
      const { id } = await first(eve)
      await eve.observe({ id }, { held: true, note: 'x'.repeat(4000) })
      return id
    },
    (eve, id) => eve.observe({ id }, { held: true, note: 'x'.repeat(4000) }),
  ),
  limited(
    'more commits than the minute allows, brought from elsewhere',
    { commitsPerMinute: 1 },
    async (_, { repo }) => {
      const elsewhere = await open()
      await pull(elsewhere, repo, { branches: ['main'] })
      for (const n of [1, 2, 3]) await elsewhere.as('eve').set('/team/a', `Made ${n}`, 'Elsewhere')
      return elsewhere
    },
    (eve, elsewhere) => pull(eve, elsewhere, { branches: ['main'] }),
    'grant-limited',
  ),
  limited(
    'an observation that is too large',
    { bytesPerCommit: 2000 },
    first,
    (eve, { id }) => eve.observe({ id }, { held: true, note: 'x'.repeat(3000) }),
    'commit-too-large',
  ),
  limited(
    'a commit that is too large',
    { bytesPerCommit: 500 },
    nothing,
    eve => eve.set('/team/a', 'x'.repeat(2000), 'Try'),
    'commit-too-large',
  ),
]
