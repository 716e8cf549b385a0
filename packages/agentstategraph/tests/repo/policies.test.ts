/** Which merge policy holds at a place, by where it was given; policies for the root; functions that take a place away. */
import { describe, expect, it, onTestFinished } from 'vitest'
import { agent, Versioned } from '../../src/memory/index.ts'
import { type OpenOptions, open, type Policies, type Policy, type Repository } from '../../src/repository/index.ts'
import { schemas } from '../../src/schema/index.ts'
import { newFile } from '../store/support/sqlite-file.ts'

async function opened(file: string, options: OpenOptions = {}): Promise<Repository> {
  const repo = await open(file, options)
  onTestFinished(() => repo.close())
  return repo
}

/** What becomes of `/n` when it was 1, is 10 here and 20 on the other branch. */
async function mergedValue(repo: Repository, policies?: Policies): Promise<unknown> {
  await repo.set('/n', 1, 'Begin')
  const other = await repo.branch('other')
  await repo.set('/n', 10, 'Here')
  await other.set('/n', 20, 'There')
  await repo.merge('other', policies === undefined ? 'Merge' : { description: 'Merge', policies })
  return await repo.find('/n')
}

const makesSevens = (): unknown => 777

describe('of several policies for one place, the one that stands above holds', () => {
  /** Where policies come from, the highest first, each with a policy that no other has, and what it makes of the numbers. */
  const sources = [
    { source: 'the call', policy: 'sum', value: 29 },
    { source: 'open', policy: makesSevens, value: 777 },
    { source: 'the repository', policy: 'min', value: 10 },
    { source: 'a schema', policy: 'max', value: 20 },
  ] as const
  const pairs = sources.flatMap((above, n) => sources.slice(n + 1).map(below => [above, below] as const))
  const patterns = [
    ['/n', '/n'],
    ['/**', '/n'],
    ['/*', '/n'],
  ] as const
  const cases = pairs.flatMap(([above, below]) => patterns.map(([high, low]) => ({ above, high, below, low })))

  it.each(cases)('$above.source with $high above $below.source with $low', async ({ above, high, below, low }) => {
    const file = newFile()
    const given = (source: string): Policies => ({
      ...(above.source === source ? { [high]: above.policy as Policy } : {}),
      ...(below.source === source ? { [low]: below.policy as Policy } : {}),
    })
    const first = await opened(file, { policies: given('the repository') })
    if (below.source === 'a schema') {
      await schemas(first).attach('/', { properties: { n: { 'x-merge': below.policy } } }, {}, 'Hint')
    }
    const repo = await opened(file, { policies: given('open') })
    expect(await mergedValue(repo, given('the call'))).toBe(above.value)
  })

  it('also when what was given to open is no function: it is kept instead of what was kept', async () => {
    const file = newFile()
    await opened(file, { policies: { '/n': 'min' } })
    expect(await mergedValue(await opened(file, { policies: { '/n': 'max' } }))).toBe(20)
    expect(await (await opened(file)).get('/_meta/policies')).toEqual({ '/n': 'max' })
  })

  it('and the most specific of one source', async () => {
    const policies: Policies = { '/**': 'min', '/n': 'max', '/*': makesSevens }
    expect(await mergedValue(await opened(newFile()), policies)).toBe(20)
    expect(await mergedValue(await opened(newFile(), { policies: { '/**': 'min', '/*': makesSevens } }))).toBe(777)
  })

  it('and those of an agent between the call and open', async () => {
    const counter = agent('counter', { state: { n: 0 }, policies: { n: 'sum' } })
    const merged = async (policies?: Policies): Promise<unknown> => {
      const repo = await opened(newFile(), { policies: { '/counter/n': makesSevens } })
      const memory = await Versioned.open(repo)
      ;(await memory.of(counter)).n = 1
      await memory.checkpoint('Begin')
      const other = await memory.fork('other')
      ;(await memory.of(counter)).n = 10
      ;(await other.of(counter)).n = 20
      await memory.checkpoint('Here')
      await other.checkpoint('There')
      await memory.merge(other, policies === undefined ? 'Merge' : { description: 'Merge', policies })
      return await repo.get('/counter/n')
    }
    expect(await merged()).toBe(29)
    expect(await merged({ '/**': 'min' })).toBe(10)
  })
})

describe('a policy for the root', () => {
  async function mergedStates(policy: Policy): Promise<unknown> {
    const repo = await opened(newFile(), { policies: { '/': policy } })
    await repo.set('/', { n: 1, kept: 1 }, 'Begin')
    const other = await repo.branch('other')
    await repo.set('/n', 10, 'Here')
    await other.set('/', { n: 20 }, 'There')
    await repo.merge('other')
    return await repo.get('/')
  }

  it('decides the state as a whole', async () => {
    expect(await mergedStates('ours')).toEqual({ n: 10, kept: 1 })
    expect(await mergedStates('theirs')).toEqual({ n: 20 })
    expect(await mergedStates('latest')).toEqual({ n: 20 })
    expect(await mergedStates((base, ours, theirs) => ({ base, ours, theirs }))).toEqual({
      base: { n: 1, kept: 1 },
      ours: { n: 10, kept: 1 },
      theirs: { n: 20 },
    })
    await expect(mergedStates('manual')).rejects.toMatchObject({ code: 'merge-conflict' })
  })

  it('has to give a map', async () => {
    for (const answer of [undefined, 7, [], new Map()]) {
      await expect(mergedStates(() => answer)).rejects.toMatchObject({ code: 'root-not-a-map' })
    }
  })

  it.each<Policy>(['sum', 'max', 'min', 'union', 'append', 'text', { unionBy: 'id' }])(
    'cannot be %j, which is not for maps, and that is said',
    async policy => {
      await expect(mergedStates(policy)).rejects.toMatchObject({
        code: 'policy-invalid',
        data: { path: '/', reason: expect.stringContaining('the root of a state is a map') },
      })
    },
  )
})

describe('a function that gives undefined', () => {
  const theirs: Policy = (_base, _ours, theirs) => theirs
  const ours: Policy = (_base, ours) => ours
  const nothing: Policy = () => undefined

  /** What a policy makes of `/m/a`; 'gone' when it is not there. */
  async function decided(policy: Policy, here: unknown[], there: unknown[]): Promise<unknown> {
    const repo = await opened(newFile(), { policies: { '/m/a': policy } })
    await repo.set('/m', { a: 1 }, 'Begin')
    const other = await repo.branch('other')
    for (const [on, now] of [
      [repo, here],
      [other, there],
    ] as const) {
      if (now.length === 0) await on.delete('/m/a', 'Take away')
      else await on.set('/m/a', now[0], 'Change')
    }
    await repo.merge('other')
    const found = (await repo.get('/m')) as object
    return Object.hasOwn(found, 'a') ? [(found as { a: unknown }).a] : 'gone'
  }

  it('takes the place away', async () => {
    expect(await decided(nothing, [2], [3])).toBe('gone')
    expect(await decided(theirs, [2], [])).toBe('gone')
    expect(await decided(ours, [], [3])).toBe('gone')
    expect(await decided(theirs, [], [3])).toEqual([3])
    expect(await decided(ours, [undefined], [])).toBe('gone')
  })

  it('gives the value where both sides are there and one holds it', async () => {
    expect(await decided(ours, [undefined], [3])).toEqual([undefined])
    expect(await decided(theirs, [2], [undefined])).toEqual([undefined])
  })

  it('takes an element out of a list', async () => {
    const repo = await opened(newFile(), { policies: { '/l/*': nothing } })
    await repo.set('/l', ['a', 'b', 'c'], 'Begin')
    const other = await repo.branch('other')
    await repo.set('/l/1', 'x', 'Here')
    await other.set('/l/1', 'y', 'There')
    await repo.merge('other')
    expect(await repo.get('/l')).toEqual(['a', 'c'])
  })
})
