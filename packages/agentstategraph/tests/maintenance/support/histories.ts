/**
 * Random histories: operations as numbers, played on a repository with several branches.
 *
 * What an operation may not do here (a merge with a conflict, a branch that is there already) is passed over.
 */
import fc from 'fast-check'
import { isStateError } from '../../../src/core/index.ts'
import type { Repository } from '../../../src/repository/index.ts'

export type Step = readonly [what: number, where: number, a: number, b: number]

/** Steps of a history, to be played in order. */
export const history: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.tuple(fc.nat(19), fc.nat(3), fc.nat(999), fc.nat(999)),
  { minLength: 5, maxLength: 40 },
)

const branches = ['main', 'one', 'two', 'three'] as const
const long = (n: number): string => `${n}: ${'a value that is too long to lie in its parent, '.repeat(4)}`

/** A value of some shape; few distinct ones, so that equal values meet. */
function sampleOf(a: number, b: number): unknown {
  switch (a % 8) {
    case 0:
      return b % 5
    case 1:
      return long(b % 4)
    case 2:
      return { x: b % 3, y: { z: long(b % 3) } }
    case 3:
      return Array.from({ length: b % 6 }, (_, i) => (i * b) % 3)
    case 4:
      return [{ id: 1, text: long(b % 2) }, { id: 2, deep: [b % 3, long(1)] }, long(b % 3)]
    case 5:
      return Object.fromEntries(Array.from({ length: 80 + (b % 40) }, (_, i) => [`key-${(i * 7) % 150}`, (i + b) % 9]))
    case 6:
      return Array.from({ length: 70 + (b % 30) }, (_, i) => (i % 9 === 0 ? long(i % 4) : (i + (b % 3)) % 7))
    default:
      return null
  }
}

const paths = ['/a', '/b', '/c/d', '/c/e', '/list', '/map'] as const

/** Plays steps. The main branch is there afterwards, whatever happens. */
export async function play(repo: Repository, steps: readonly Step[]): Promise<void> {
  await repo.set('/begin', long(0), 'Begin')
  for (const [i, step] of steps.entries()) {
    try {
      await playOne(repo.as(`agent/${i % 3}`), step, `Step ${i}`)
    } catch (error) {
      if (!isStateError(error)) throw error
    }
  }
}

async function playOne(repo: Repository, [what, where, a, b]: Step, why: string): Promise<unknown> {
  const branch = branches[where]!
  const here = (await repo.branches()).some(({ name }) => name === branch) ? repo.on(branch) : repo
  const other = branches[b % branches.length]!
  switch (what) {
    case 0:
    case 1:
      return await repo.branch(branch, { from: other })
    case 2:
    case 3:
    case 4:
      return await here.merge(other, why)
    case 5:
      return await here.revert(await some(here, a), why)
    case 6:
      return await here.rollback(await some(here, a), why)
    case 7:
      return await here.cherryPick(await some(repo.on(other), a), why)
    case 8:
      return await repo.deleteBranch(branch)
    case 9:
      return await repo.tag(`tag-${a % 4}`, { from: other })
    case 10:
      return await here.delete(paths[a % paths.length]!, why)
    case 11:
      return await here.set(['list', '-'], sampleOf(b, a), why)
    case 12:
      return await here.set(['list', String(a % 5)], sampleOf(b, a), why)
    case 13:
      return await here.delete(['list', String(a % 5)], why)
    case 14:
      return await here.set(['map', `key-${a % 150}`], sampleOf(b, a), why)
    case 16:
    case 17:
      return await speculateOn(here, a, b, why)
    case 15:
      return await here.set(['list', '0', 'text'], sampleOf(b, a), why)
    default:
      return await here.set(paths[a % paths.length]!, sampleOf(b, a), why)
  }
}

/** Tries two ways and keeps one, both, or none. */
async function speculateOn(repo: Repository, a: number, b: number, why: string): Promise<void> {
  const kept = await repo.speculate({ label: 'kept' })
  const other = await repo.speculate({ label: 'other' })
  await kept.set(paths[a % paths.length]!, sampleOf(b, a))
  await kept.set('/c/tried', long(b % 3))
  await other.set(paths[b % paths.length]!, sampleOf(a, b))
  if (a % 4 === 0) return await kept.discard()
  if (a % 4 === 1) return
  await kept.commit({ description: why, alternatives: a % 4 === 2 ? [other] : [] })
}

async function some(repo: Repository, n: number): Promise<string> {
  const commits = await repo.log()
  return commits.length === 0 ? 'main' : commits[n % commits.length]!.id
}
