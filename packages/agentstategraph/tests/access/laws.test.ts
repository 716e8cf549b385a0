/** Over random grants, delegations, revocations and ways of writing, nobody changes a place that no chain of theirs allows. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { access, type Capability } from '../../src/access/index.ts'
import { open, type Repository, type Store } from '../../src/repository/index.ts'
import { allStores } from '../repo/support/open-stores.ts'
import { codeOf } from './support/people.ts'
import {
  branchNames,
  type Leaf,
  leaves,
  may,
  nameMeanings,
  newRights,
  placeMeanings,
  type Rights,
} from './support/rights-model.ts'

const people = ['p0', 'p1', 'p2'] as const
const writing: readonly Capability[] = ['commit', 'merge']
const refusals = ['access-denied', 'grant-revoked', 'principal-frozen', 'branch-frozen']

const someOf = <T>(values: readonly T[]) => fc.subarray([...values], { minLength: 1, maxLength: 2 })
/** Mostly rights that are good for something: what allows nothing proves little. */
const spec = fc.record({
  paths: fc.option(someOf(Object.keys(placeMeanings)), { nil: undefined, freq: 3 }),
  branches: fc.option(someOf(Object.keys(nameMeanings)), { nil: undefined, freq: 1 }),
  capabilities: fc.constantFrom<readonly Capability[]>(
    ['commit'],
    ['merge'],
    ['commit', 'grant'],
    ['commit', 'merge', 'grant', 'branch'],
  ),
  depth: fc.integer({ min: 0, max: 2 }),
})
const person = fc.constantFrom(...people)
const branch = fc.constantFrom(...branchNames)
const leaf = fc.constantFrom(...leaves)
const routes = [
  'parent',
  'root',
  'delete',
  'transaction',
  'merge',
  'fast-forward',
  'revert',
  'rollback',
  'cherry-pick',
  'undo',
  'speculation',
  'rename',
] as const

const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('grant' as const), to: person, spec }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('delegate' as const), by: person, to: person, spec }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('revoke' as const), which: fc.nat(20) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('freeze' as const), who: person }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('operate' as const), branch, leaf }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('set' as const), by: person, branch, leaf }) },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('route' as const),
      by: person,
      branch,
      leaf,
      route: fc.constantFrom(...routes),
    }),
  },
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

const whole = {
  paths: undefined,
  branches: undefined,
  capabilities: ['commit', 'merge', 'grant'] as readonly Capability[],
  depth: 3,
}
/** A chain to begin with: everything for the first, and something of it handed on, and on. */
const chain = fc.tuple(spec, spec).map(([first, second]): Step[] => [
  { do: 'grant', to: 'p0', spec: whole },
  { do: 'delegate', by: 'p0', to: 'p1', spec: { ...first, capabilities: whole.capabilities, depth: 2 } },
  { do: 'delegate', by: 'p1', to: 'p2', spec: { ...second, depth: 0, paths: first.paths ?? second.paths } },
])

interface World {
  readonly repo: Repository
  readonly handles: Readonly<Record<string, Repository>>
  readonly rights: Rights
  count: number
}

async function newWorld(store?: Store): Promise<World> {
  const repo = await open(store)
  await repo.set('/', { a: { x: 0, y: 0 }, b: { x: 0, y: 0 } }, 'Begin')
  await repo.branch('dev')
  await repo.on('dev').set('/b/y', 1, 'Go apart')
  await repo.set('/a/y', 1, 'Go apart')
  const handles: Record<string, Repository> = {}
  for (const id of people) {
    const { key } = await access(repo).addPrincipal(id, 'agent')
    await access(repo).grant(id, { capabilities: ['read'] })
    handles[id] = await access(repo).authenticate(key)
  }
  return { repo, handles, rights: newRights(), count: 1 }
}

/** What every place of every branch holds; undefined when there is none. */
async function placesOf(repo: Repository): Promise<Map<string, unknown>> {
  const places = new Map<string, unknown>()
  for (const name of branchNames) {
    const state = await repo.on(name).get('/')
    for (const at of leaves) {
      const [, outer, inner] = at.split('/') as [string, string, string]
      const around = (state as Record<string, unknown>)[outer]
      places.set(`${name} ${at}`, (around as Record<string, unknown> | undefined)?.[inner])
    }
  }
  return places
}

async function write(
  world: World,
  by: string,
  { branch: name, leaf: at, route }: { branch: string; leaf: Leaf; route: (typeof routes)[number] },
): Promise<unknown> {
  const handle = world.handles[by]!.on(name)
  const from = branchNames.find(one => one !== name)!
  const value = ++world.count
  const around = `/${at.split('/')[1]}`
  switch (route) {
    case 'parent':
      return handle.set(around, value % 2 === 0 ? { x: value } : value, 'Parent')
    case 'root':
      return handle.set('/', { a: { x: value, y: 0 }, b: { x: 0, y: 0 } }, 'Root')
    case 'delete':
      return handle.delete(at, 'Delete')
    case 'transaction':
      return handle.commit('Both', tx => tx.set(at, value).set('/a/x', value))
    case 'merge':
      return handle.merge(from, { description: 'Merge', policies: { '/**': 'theirs' } })
    case 'fast-forward':
      return handle.merge(from, { description: 'Merge', fastForward: true, policies: { '/**': 'theirs' } })
    case 'revert':
      return handle.revert({ id: (await world.repo.on(name).log())[0]!.id })
    case 'rollback':
      return handle.rollback({ id: (await world.repo.on(name).log()).at(-1)!.id }, 'Back')
    case 'cherry-pick':
      return handle.cherryPick(from)
    case 'undo':
      return handle.undo((await world.repo.on(name).log())[0]!.seq)
    case 'speculation': {
      await using spec = await handle.speculate()
      await spec.set(at, value)
      return await spec.commit('Keep')
    }
    case 'rename':
      return handle.renameBranch('dev', 'dev2')
  }
}

async function play(world: World, one: Step): Promise<void> {
  const { repo, handles, rights } = world
  if (one.do === 'grant' || one.do === 'delegate') {
    const giver = one.do === 'grant' ? repo : handles[one.by]!
    const given = await access(giver)
      .grant(one.to, one.spec)
      .catch(() => undefined)
    if (given === undefined) return
    const { id, from, to, parent } = given
    rights.grants.set(id, { id, from, to, parent, ...one.spec, isRevoked: false })
  } else if (one.do === 'revoke') {
    const grant = [...rights.grants.values()].at(-1 - (one.which % Math.max(1, rights.grants.size)))
    if (grant === undefined || grant.isRevoked) return
    await access(repo).revoke(grant.id, 'Over')
    grant.isRevoked = true
  } else if (one.do === 'freeze') {
    const isFrozen = rights.frozen.delete(one.who)
    if (isFrozen) return access(repo).thaw({ principal: one.who }, 'Again')
    rights.frozen.add(one.who)
    await access(repo).freeze({ principal: one.who }, 'Stop')
  } else if (one.do === 'operate') {
    await repo
      .on(one.branch)
      .set(one.leaf, ++world.count, 'Operate')
      .catch(() => undefined)
  } else await attempt(world, one)
}

/** A write by somebody: what it changed was theirs to change, and what was theirs was done. */
async function attempt(world: World, one: Extract<Step, { do: 'set' | 'route' }>): Promise<void> {
  const { repo, handles, rights } = world
  const before = await placesOf(repo)
  const isDirect = one.do === 'set' && before.get(`${one.branch} ${one.leaf}`) !== undefined
  const code = await codeOf(() =>
    one.do === 'set' ? handles[one.by]!.on(one.branch).set(one.leaf, ++world.count, 'Set') : write(world, one.by, one),
  )
  const after = await placesOf(repo)
  const changed = [...after].filter(([place, value]) => value !== before.get(place)).map(([place]) => place)
  for (const place of changed) {
    const [name, at] = place.split(' ') as [string, Leaf]
    expect({ by: one.by, place, may: may(rights, one.by, writing, name, at) }).toMatchObject({ may: true })
  }
  if (code !== 'done') expect(changed).toEqual([])
  if (!isDirect) return
  if (may(rights, one.by, ['commit'], one.branch, one.leaf)) expect(code).toBe('done')
  else expect(refusals).toContain(code)
}

function law(runs: number, newStore: () => Store | undefined): Promise<void> {
  return fc.assert(
    fc.asyncProperty(chain, fc.array(step, { minLength: 15, maxLength: 40 }), async (begin, steps) => {
      const world = await newWorld(newStore())
      try {
        for (const one of [...begin, ...steps]) await play(world, one)
      } finally {
        await world.repo.close()
      }
    }),
    { numRuns: runs },
  )
}

const runs: Readonly<Record<string, number>> = { memory: 100, SQLite: 8, 'a key-value store': 8 }

it.each(allStores)(
  'no principal changes a place outside the intersection of a chain, by any route, on $name',
  ({ name, newStore }) => law(runs[name]!, newStore),
)
