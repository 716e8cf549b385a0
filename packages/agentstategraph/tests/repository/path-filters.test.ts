/** One meaning of a path in every filter: the place and everything below it; with `exact`, the place alone. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { follow } from '../../src/repo/index.ts'
import { type CommitFilter, isStateError, open, type Path, type Repository } from '../../src/repository/index.ts'
import { allStores, openNew } from '../repo/support/open-stores.ts'

type State = { [key: string]: State | number }

const key = fc.constantFrom('a', 'b', 'c')
const path = fc.array(key, { minLength: 1, maxLength: 3 })
const value: fc.Arbitrary<State | number> = fc.letrec<{ value: State | number }>(tie => ({
  value: fc.oneof({ maxDepth: 2 }, fc.nat(2), fc.dictionary(key, tie('value'), { maxKeys: 3 })),
})).value
const write = fc.record({ path, value: fc.option(value, { nil: undefined }) })

function valueAt(state: unknown, at: readonly string[]): unknown {
  return at.reduce<unknown>(
    (found, part) => (typeof found === 'object' && found !== null ? (found as State)[part] : undefined),
    state,
  )
}

/** The places at which two states differ by themselves: one has it and the other not, or a value is another. */
function* differences(a: unknown, b: unknown, at: readonly string[] = []): Generator<readonly string[]> {
  const isMap = (one: unknown): one is State => typeof one === 'object' && one !== null
  if (isMap(a) && isMap(b)) {
    for (const part of new Set([...Object.keys(a), ...Object.keys(b)]))
      yield* differences(a[part], b[part], [...at, part])
  } else if (isMap(a) || isMap(b) || a !== b) {
    yield at
    for (const side of [a, b])
      if (isMap(side)) for (const part of Object.keys(side)) yield* below(side[part], [...at, part])
  }
}

function* below(a: unknown, at: readonly string[]): Generator<readonly string[]> {
  yield at
  if (typeof a === 'object' && a !== null)
    for (const part of Object.keys(a)) yield* below((a as State)[part], [...at, part])
}

async function watched(repo: Repository, filter: { path: Path; exact?: boolean }): Promise<readonly string[]> {
  const follower = follow(repo.handle, filter, { seq: 0, part: undefined })
  const found: string[] = []
  for (;;) {
    const event = await repo.handle.journal.run(follower.next())
    if (event === 'end') return found
    if (event !== 'more' && event.kind === 'commit') found.push(event.commit.id)
  }
}

describe('log, query and watch agree with the states before and after each commit', () => {
  it.each(['plain', 'folded'])('%s lists of changed paths', async kind => {
    await fc.assert(
      fc.asyncProperty(fc.array(write, { minLength: 1, maxLength: 6 }), path, async (writes, place) => {
        await using repo = await open()
        const states: { readonly id: string; readonly before: unknown; readonly after: unknown }[] = []
        for (const [n, one] of writes.entries()) {
          const before = (await repo.find('/')) ?? {}
          const written = await repo
            .commit({ description: 'Write', allowEmpty: true }, tx => {
              if (one.value === undefined) tx.delete(one.path)
              else tx.set(one.path, one.value)
              // More paths than a list holds, so that they are folded.
              if (kind === 'folded') for (let i = 0; i < 300; i++) tx.set(`/${one.path[0]}/x/${i}`, n)
            })
            .catch(error => {
              if (isStateError(error)) return undefined
              throw error
            })
          if (written !== undefined) states.push({ id: written.id, before, after: await repo.get('/') })
        }
        const pointer = `/${place.join('/')}`
        const bare = states.filter(
          ({ before, after }) => [...differences(valueAt(before, place), valueAt(after, place))].length > 0,
        )
        const exact = states.filter(({ before, after }) =>
          [...differences(before, after)].some(at => at.join('/') === place.join('/')),
        )
        const filters: readonly [CommitFilter & { path: Path }, typeof states][] = [
          [{ path: pointer }, bare],
          [{ path: place }, bare],
          [{ path: pointer, exact: true }, exact],
          [{ path: `${pointer}/**` }, bare],
        ]
        for (const [filter, expected] of filters) {
          const ids = expected.map(({ id }) => id)
          const told = JSON.stringify(filter)
          expect(
            (await repo.query({ ...filter, order: 'oldest' })).map(({ id }) => id),
            `query ${told}`,
          ).toEqual(ids)
          expect(
            (await repo.log({ ...filter, order: 'oldest' })).map(({ id }) => id),
            `log ${told}`,
          ).toEqual(ids)
          expect(await watched(repo, filter as { path: Path }), `watch ${told}`).toEqual(ids)
        }
      }),
      { numRuns: kind === 'folded' ? 6 : 40 },
    )
  })
})

describe.each(allStores)('on $name', store => {
  it('a path means what is below it too, exact the place alone, and a pattern what it matches', async () => {
    const repo = await openNew(store)
    await repo.set('/cluster', { replicas: 3, zone: { name: 'x' } }, 'whole')
    await repo.set('/cluster/replicas', 4, 'replicas')
    await repo.set('/cluster/zone/name', 'y', 'name')
    await repo.set('/other', 1, 'other')
    await repo.set('/', { cluster: { replicas: 4, zone: { name: 'y' } }, more: 1 }, 'root')
    await repo.delete('/cluster', 'gone')
    const found = async (filter: CommitFilter) =>
      (await repo.query({ ...filter, order: 'oldest' })).map(({ intent }) => intent.description)
    expect(await found({ path: '/cluster' })).toEqual(['whole', 'replicas', 'name', 'gone'])
    expect(await found({ path: '/cluster', exact: true })).toEqual(['whole', 'gone'])
    expect(await found({ path: '/cluster/replicas' })).toEqual(['whole', 'replicas', 'gone'])
    expect(await found({ path: '/cluster/zone' })).toEqual(['whole', 'name', 'gone'])
    expect(await found({ path: '/cluster/zone', exact: true })).toEqual(['whole', 'gone'])
    expect(await found({ path: '/cluster/*' })).toEqual(['whole', 'replicas', 'gone'])
    expect(await found({ path: '/cluster/*', exact: true })).toEqual(['whole', 'replicas', 'gone'])
    expect(await found({ path: ['cluster', 'zone', 'name'] })).toEqual(['whole', 'name', 'gone'])
    expect(await found({ path: '/' })).toHaveLength(6)
    expect(await found({ path: ['*'] })).toEqual([])
    await expect(repo.query({ exact: true })).rejects.toMatchObject({
      code: 'option-invalid',
      data: { field: 'exact' },
    })
    await expect(repo.query({ path: 'cluster' })).rejects.toMatchObject({ code: 'pattern-invalid' })
  })

  it('a watch of one key is not told of its sibling', async () => {
    const repo = await openNew(store)
    await repo.set('/a', { x: 1, y: 1 }, 'both')
    await repo.set('/a', { x: 1, y: 2 }, 'only y')
    await repo.set('/a', { x: 2, y: 2 }, 'only x')
    expect(await watched(repo, { path: '/a/x' })).toHaveLength(2)
  })
})
