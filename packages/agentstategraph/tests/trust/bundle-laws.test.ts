/** Whatever happened in an epoch, its bundle says the same: states, history, blame, in every branch. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { open, type Repository } from '../../src/repository/index.ts'
import { epochs, openBundle } from '../../src/trust/index.ts'
import { linesOf } from './support/bundle-lines.ts'

const key = fc.constantFrom('a', 'b', 'c', '$d', '7')
const scalar = fc.oneof(fc.integer({ min: 0, max: 5 }), fc.constantFrom('x', 'y'.repeat(200), 'é'.repeat(90), null))
const list = fc.array(scalar, { maxLength: 12 })
const wide = fc
  .integer({ min: 60, max: 140 })
  .map(size => Object.fromEntries(Array.from({ length: size }, (_, i) => [`key ${i}`, `value ${i}`])))
const long = fc.integer({ min: 0, max: 3 }).map(n => `${'long text '.repeat(9000)}${n}${'and more '.repeat(9000)}`)
const many = fc.integer({ min: 70, max: 200 }).map(size => Array.from({ length: size }, (_, i) => `element ${i % 90}`))
const value = fc.oneof(
  { weight: 6, arbitrary: scalar },
  { weight: 3, arbitrary: list },
  { weight: 2, arbitrary: fc.dictionary(key, fc.oneof(scalar, list)) },
  { weight: 1, arbitrary: wide },
  { weight: 1, arbitrary: many },
  { weight: 1, arbitrary: long },
)
const branch = fc.constantFrom('main', 'one', 'two')
const path = fc.array(key, { minLength: 1, maxLength: 3 })

const step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ op: fc.constant('set' as const), branch, path, value }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('delete' as const), branch, path }) },
  { weight: 3, arbitrary: fc.record({ op: fc.constant('merge' as const), branch, from: branch }) },
  {
    weight: 2,
    arbitrary: fc.record({ op: fc.constant('speculate' as const), branch, path, value, keep: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('revert' as const), branch }) },
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

async function make(repo: Repository, one: Step): Promise<void> {
  const on = repo.on(one.branch)
  switch (one.op) {
    case 'set':
      await on.set(one.path, one.value, 'Set')
      break
    case 'delete':
      await on.delete(one.path, 'Delete')
      break
    case 'merge':
      if (one.from !== one.branch) await on.merge(one.from, { description: 'Merge', policies: { '/**': 'theirs' } })
      break
    case 'speculate': {
      await using draft = await on.speculate({ label: 'try' })
      await draft.set(one.path, one.value)
      if (one.keep) await draft.commit({ description: 'Keep', reasoning: 'r'.repeat(1500) })
      else await draft.discard()
      break
    }
    case 'revert':
      await on.revert(await on.head())
  }
}

/** Makes the steps that can be made: not every path is there, and not everything can be merged or reverted. */
async function makeAll(repo: Repository, steps: readonly Step[]): Promise<void> {
  for (const one of steps) {
    try {
      await make(repo, one)
    } catch (e) {
      if (!(e instanceof Error && 'code' in e)) throw e
    }
  }
}

async function begun(repo: Repository): Promise<void> {
  await repo.set('/c', { a: 1 }, 'Begin')
  for (const name of ['one', 'two']) await repo.branch(name)
}

it('holds what the repository held, and says who wrote it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async steps => {
      await using repo = await open()
      await epochs(repo).create('e', 'Everything')
      await begun(repo)
      await makeAll(repo, steps)
      await epochs(repo).seal('e', 'Done')
      await using bundle = await openBundle(await linesOf(repo, 'e'))
      expect(bundle.verdict.failed).toBeUndefined()
      for (const name of ['main', 'one', 'two']) {
        const [here, there] = [repo.on(name), bundle.at(name)]
        expect(await there.get('/')).toEqual(await here.get('/'))
        const written = async (from: Pick<Repository, 'blameTree'>): Promise<unknown> =>
          (await from.blameTree('/')).map(({ path, id }) => `${path} ${id}`)
        expect(await written(there)).toEqual(await written(here))
        expect((await there.log()).map(({ id }) => id)).toEqual((await here.log()).map(({ id }) => id))
      }
      const ids = async (from: Pick<Repository, 'query'>): Promise<unknown> =>
        (await from.query({ agent: 'anonymous' })).map(({ id }) => id)
      expect(await ids(bundle)).toEqual(await ids(repo))
    }),
    { numRuns: 40 },
  )
})

type Element = Readonly<Record<string, unknown>>
const field = fc.constantFrom('n', 'to', 'note')
const content = fc.oneof(fc.integer({ min: 0, max: 2 }), fc.constantFrom('x', 'x'.repeat(150)))
const at = fc.nat({ max: 150 })
const edit = fc.oneof(
  fc.record({ op: fc.constant('move' as const), at, to: at }),
  fc.record({ op: fc.constant('copy' as const), at, to: at }),
  fc.record({ op: fc.constant('remove' as const), at }),
  fc.record({ op: fc.constant('change' as const), at, field, content }),
)
type ElementEdit = typeof edit extends fc.Arbitrary<infer T> ? T : never
const element: fc.Arbitrary<Element> = fc.dictionary(field, content, { maxKeys: 3 })
const listStep = fc.oneof(
  { weight: 5, arbitrary: fc.record({ branch, edits: fc.array(edit, { minLength: 1, maxLength: 5 }) }) },
  { weight: 2, arbitrary: fc.record({ branch, from: branch }) },
)
/** Sometimes so many elements that the list has several nodes. */
const elements = fc.oneof(
  { weight: 3, arbitrary: fc.array(element, { minLength: 2, maxLength: 9 }) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.array(element, { minLength: 1, maxLength: 5 }), fc.integer({ min: 70, max: 150 }))
      .map(([some, size]) => Array.from({ length: size }, (_, i) => ({ ...some[i % some.length]!, row: i % 40 }))),
  },
)

function edited(list: readonly Element[], edits: readonly ElementEdit[]): Element[] {
  const now = [...list]
  for (const one of edits) {
    const from = one.at % (now.length || 1)
    const found = now[from]
    if (found === undefined) continue
    if (one.op === 'change') now[from] = { ...found, [one.field]: one.content }
    if (one.op === 'move' || one.op === 'remove') now.splice(from, 1)
    if (one.op === 'move' || one.op === 'copy') now.splice(one.to % (now.length + 1), 0, found)
  }
  return now
}

it('has the writers of the repository in lists of objects that move, change and are merged', async () => {
  await fc.assert(
    fc.asyncProperty(elements, fc.array(listStep, { minLength: 1, maxLength: 9 }), async (list, steps) => {
      await using repo = await open()
      await epochs(repo).create('e', 'Everything')
      await repo.set('/list', list, 'Begin')
      for (const name of ['one', 'two']) await repo.branch(name)
      for (const one of steps) {
        const on = repo.on(one.branch)
        if ('edits' in one) await on.set('/list', edited((await on.get('/list')) as Element[], one.edits), 'Edit')
        else if (one.from !== one.branch) {
          await on.merge(one.from, { description: 'Merge', policies: { '/**': 'theirs' } })
        }
      }
      await epochs(repo).seal('e', 'Done')
      await using bundle = await openBundle(await linesOf(repo, 'e'))
      expect(bundle.verdict.failed).toBeUndefined()
      for (const name of ['main', 'one', 'two']) {
        const [here, there] = [repo.on(name), bundle.at(name)]
        const length = ((await here.get('/list')) as Element[]).length
        const written = async (from: Pick<Repository, 'blame' | 'blameTree'>): Promise<unknown> => {
          const writers = (await from.blameTree('/')).map(({ path, id }) => `${path} ${id}`)
          for (let i = 0; i < length; i++) writers.push(`/list/${i} ${(await from.blame(`/list/${i}`)).id}`)
          return writers
        }
        expect(await written(there)).toEqual(await written(here))
      }
    }),
    { numRuns: 25 },
  )
})

it('holds the states of an epoch that began later, and blames for what was there before nobody in it', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 10 }),
      fc.array(step, { minLength: 1, maxLength: 12 }),
      async (before, steps) => {
        await using repo = await open()
        await begun(repo)
        await makeAll(repo, before)
        const { fromSeq } = await epochs(repo).create('e', 'Later')
        await makeAll(repo, steps)
        await repo.set('/z', 1, 'Last')
        await epochs(repo).seal('e', 'Done')
        await using bundle = await openBundle(await linesOf(repo, 'e'))
        expect(bundle.verdict.failed).toBeUndefined()
        expect(await bundle.get('/')).toEqual(await repo.get('/'))
        const there = await bundle.blameTree('/')
        const here = await repo.blameTree('/')
        for (const [i, { path, seq, agent }] of there.entries()) {
          expect(here[i]!.path).toBe(path)
          // What the entry's folded paths leave open may be laid to the commit that touched its surroundings.
          if (seq < fromSeq) expect([here[i]!.seq < fromSeq, agent]).toEqual([true, '(before this bundle)'])
        }
      },
    ),
    { numRuns: 30 },
  )
})
