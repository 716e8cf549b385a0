/**
 * A history with something of every kind, and questions about it whose answers are compared.
 *
 * It knows what is asked, and nothing of where the history is stored or how it was damaged.
 */
import { expect } from 'vitest'
import { isStateError } from '../../../src/core/index.ts'
import { reindex, verify } from '../../../src/maintenance/index.ts'
import { open, type Repository } from '../../../src/repository/index.ts'
import type { Backend } from '../../../src/store/index.ts'

let tick = 0
const clock = (): Date => new Date(1_770_000_000_000 + tick++ * 1000)

const long = (n: number): string => `${n}: ${'too long to lie in its parent, '.repeat(6)}`

/** Writes about so many commits on several branches, with keys, tags and observations, and builds the indexes. */
export async function writeHistory(store: Backend, commits: number): Promise<void> {
  let id = 0
  const repo = await open(store, { clock, ids: () => `id-${id++}` })
  await repo.set('/', { count: 0, kept: long(0), list: ['a', 'b', 'c'] }, 'Begin')
  await repo.branch('aside')
  await repo.tag('first')
  for (let n = 1; n <= commits; n++) {
    const here = repo.as(`agent/${n % 5}`).on(n % 7 === 0 ? 'aside' : 'main')
    const key = n % 3 === 0 ? { idempotencyKey: `key-${n}` } : {}
    const why = { description: `Count to ${n}`, confidence: (n % 10) / 10, ...key }
    await here.set(n % 4 === 0 ? `/map/k${n % 11}` : '/count', n % 9 === 0 ? long(n) : n, why)
  }
  await repo.merge('aside', { description: 'Take it over', policies: { '/**': 'theirs' } })
  await reindex(repo)
}

/** What is asked. An answer is anything that JSON can hold. */
export const questions: Readonly<Record<string, (repo: Repository) => Promise<unknown>>> = {
  get: repo => repo.get('/'),
  'get on a branch': repo => repo.on('aside').get('/map'),
  log: async repo => (await repo.log({ limit: 12 })).map(({ id }) => id),
  blame: async repo => (await repo.blame('/kept')).id,
  branches: async repo => [...(await repo.branches()), ...(await repo.tags())],
  query: async repo => (await repo.query({ agent: 'agent/3', limit: 40 })).map(({ id }) => id),
  'query of nobody': async repo => (await repo.query({ agent: 'agent/9' })).map(({ id }) => id),
  'find by the beginning of an id': async repo => {
    const commits = await repo.log({ limit: 400 })
    return Promise.all([commits[3]!, commits.at(-2)!].map(({ id }) => repo.at(id.slice(0, 12)).get('/count')))
  },
  'an unknown ref': async repo => {
    try {
      return await repo.at('nowhere').get('/')
    } catch (error) {
      if (isStateError(error, 'ref-not-found')) return 'not found'
      throw error
    }
  },
  'a repeated request': async repo => {
    const why = { description: 'Count to 6', confidence: 0.6, idempotencyKey: 'key-6' }
    return (await repo.as('agent/1').on('main').set('/count', 6, why)).id
  },
}

/** An answer as a text, or the error in its place. */
export type Answers = ReadonlyMap<string, string | Error>

/** The answers of a store that is opened for each question, so that no cache answers, and what `verify` says. */
export async function answersOf(openStore: () => Backend | Promise<Backend>): Promise<Answers> {
  const answers = new Map<string, string | Error>()
  const all = { ...questions, verify: async (repo: Repository) => (await verify(repo)).ok }
  for (const [name, ask] of Object.entries(all)) {
    let repo: Repository | undefined
    try {
      repo = await open(await openStore(), { clock })
      answers.set(name, JSON.stringify(await ask(repo)))
    } catch (error) {
      answers.set(name, error as Error)
    } finally {
      await repo?.close()
    }
  }
  return answers
}

/** The codes of errors that tell of damage. */
const damageCodes = [
  'object-corrupt',
  'derived-corrupt',
  'pack-dropped',
  'store-damaged',
  'store-failed',
  'not-a-store',
  'format-unsupported',
] as const

function tellsDamage(answer: string | Error | undefined): boolean {
  return damageCodes.some(code => isStateError(answer, code))
}

/** Every answer is the right one or an error that tells of damage; if there is such an error, `verify` sees it too. */
export function expectRightOrNamed(answers: Answers, right: Answers, where: string, isSeen = false): void {
  const wrong = [...answers].filter(
    ([name, answer]) => name !== 'verify' && answer !== right.get(name) && !tellsDamage(answer),
  )
  expect(wrong, `${where}: answers that are neither right nor name the damage`).toEqual([])
  const verdict = answers.get('verify')
  const isNoticed = verdict === 'false' || tellsDamage(verdict)
  expect(isNoticed || verdict === 'true', `${where}: verify gave ${String(verdict)}`).toBe(true)
  const isExpected = isSeen || [...answers.values()].some(tellsDamage)
  if (isExpected) expect(isNoticed, `${where}: verify saw nothing`).toBe(true)
}
