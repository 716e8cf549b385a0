/**
 * Nothing that is refused tells what is there: the same attempt is answered alike whatever the hidden place holds.
 *
 * Each attempt is made in repositories that differ in what is hidden and in nothing else. Writes that would change nothing, writes
 * that cannot be made on what is there, schemas and conditions are questions too.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { access } from '../../src/access/index.ts'
import { plans } from '../../src/plans/index.ts'
import { open, type Repository } from '../../src/repository/index.ts'
import { schemas } from '../../src/schema/index.ts'
import { told } from './support/limited-reader.ts'
import { person } from './support/people.ts'

const hidden: readonly unknown[] = [undefined, 'guess', { k: 'guess' }, { k: { deep: 1 } }, {}, ['guess', 2]]

interface World {
  readonly repo: Repository
  readonly reader: Repository
  readonly writer: Repository
  readonly proposer: Repository
}

const worlds: World[] = []

beforeAll(async () => {
  for (const secret of hidden) {
    const repo = await open()
    await repo.set('/', { team: { a: 1 }, ...(secret === undefined ? {} : { secret }) } as never, 'Begin')
    await repo.branch('feature/x')
    if (secret !== undefined) await plans(repo).create('hidden')
    const work = ['commit', 'merge', 'branch', 'tag', 'grant'] as const
    worlds.push({
      repo,
      reader: await person(repo, 'reader', { capabilities: ['read', ...work], paths: ['/team'] }),
      writer: await person(repo, 'writer', { capabilities: work, paths: ['/team'] }),
      proposer: await person(repo, 'proposer', { capabilities: ['read', 'propose'], paths: ['/team'] }),
    })
  }
})

afterAll(async () => {
  for (const { repo } of worlds) await repo.close()
})

type Route = (by: Repository, path: string, value: never) => unknown

const routes: Readonly<Record<string, Route>> = {
  'a set': (by, path, value) => by.set(path, value, 'Try'),
  'a set on a condition': (by, path, value) => by.set(path, value, { description: 'Try', onlyIf: { value } }),
  'a set with a key': (by, path, value) => by.set(path, value, { description: 'Try', idempotencyKey: 'once' }),
  'a delete': (by, path) => by.delete(path, 'Try'),
  'a transaction': (by, path, value) => by.commit('Try', tx => tx.set('/team/a', 1).set(path, value)),
  'a transaction that reads on': (by, path, value) =>
    by.commit('Try', async tx => {
      tx.set(path, value)
      await tx.find('/team/a')
    }),
  'a transaction that looks': (by, path) => by.commit('Try', async tx => void (await tx.has(path))),
  'a delete in a transaction': (by, path) =>
    by.commit('Try', async tx => {
      tx.delete(path)
      await tx.find('/team/a')
    }),
  'a speculation': async (by, path, value) => {
    await using trial = await by.speculate()
    await trial.set(path, value)
  },
  'a delete in a speculation': async (by, path) => {
    await using trial = await by.speculate()
    await trial.delete(path)
  },
  'a schema': (by, path, value) => schemas(by).attach(path, { const: value }, {}, 'Try'),
  'a read': (by, path) => by.get(path),
  'a question': (by, path) => by.has(path),
  'a list': (by, path) => by.list(path),
  'a blame': (by, path) => by.blame(path),
  'a mark': (by, path) => access(by).taint({ path, effect: 'warn', reason: 'Try' }),
  'an explanation': (by, path) => access(by).explain(by.handle.identity!.principal, { capability: 'read', path }),
  'the whole replaced': (by, _, value) => by.set('/', { team: { a: 1 }, secret: value } as never, 'Try'),
  'a plan of the same name': by => plans(by).create('hidden'),
}

const paths = ['/secret', '/secret/k', '/secret/k/deep', '/secret/k/deep/er', '/secret/0', '/secret/-', '/secret/9']
const guesses = ['guess', { k: 'guess' }, { k: { deep: 1 } }, {}, ['guess', 2]]

it.each(Object.entries(routes))('%s is answered alike whatever is there', async (_, route) => {
  for (const who of ['reader', 'writer', 'proposer'] as const) {
    for (const path of paths) {
      for (const value of guesses) {
        const answers = await Promise.all(worlds.map(world => told(() => route(world[who], path, value as never))))
        expect({ who, path, value, answers: new Set(answers.map(withoutIds)).size }).toMatchObject({ answers: 1 })
      }
    }
  }
})

/** Ids of grants differ from world to world. */
function withoutIds(answer: string): string {
  return answer.replaceAll(/[0-9a-z]{26}/g, 'id')
}
