/**
 * Pages under writes: whatever is written between two pages of a listing, what is in it from the first page to the last comes
 * exactly once, and nothing comes twice.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { access } from '../../src/access/index.ts'
import { StateGraph } from '../../src/graph/index.ts'
import { agent, events, Versioned } from '../../src/memory/index.ts'
import { plans } from '../../src/plans/index.ts'
import { type Listing, open, type Repository } from '../../src/repository/index.ts'
import { schemas } from '../../src/schema/index.ts'
import { epochs } from '../../src/trust/index.ts'

/** A listing, what adds to it or takes from it, and what names an item. */
interface Case {
  /** Makes the nth thing of the listing. */
  add(n: number): Promise<unknown>
  /** Takes the nth thing away, where that can be done; changes it, where only that can. */
  remove?(n: number): Promise<unknown>
  listing(): Listing<unknown>
  nameOf(item: never): string
  /** Whether a page goes on with the state that the first one was read from, so that later writes do not show. */
  readonly isPinned?: boolean
}

type Make = (repo: Repository) => Promise<Case>

function nameOf({ name }: { readonly name: string }): string {
  return name
}
function pathOf({ path }: { readonly path: string }): string {
  return path
}
function idOf({ id }: { readonly id: string }): string {
  return id
}

const places = (listing: (repo: Repository) => Listing<unknown>): Make => {
  return async repo => ({
    add: n => repo.set(`/k/${n}/hit`, n, `Add ${n}`),
    remove: n => repo.delete(`/k/${n}`, `Remove ${n}`),
    listing: () => listing(repo),
    nameOf: pathOf,
    isPinned: true,
  })
}

const cases: Readonly<Record<string, Make>> = {
  branches: async repo => ({
    add: n => repo.branch(`b${n}`),
    remove: n => repo.deleteBranch(`b${n}`),
    listing: () => repo.branches({ prefix: 'b' }),
    nameOf,
  }),
  tags: async repo => ({
    add: n => repo.tag(`t${n}`),
    remove: n => repo.deleteTag(`t${n}`),
    listing: () => repo.tags(),
    nameOf,
  }),
  list: places(repo => repo.list('/k', { depth: 2 })),
  'list of one level': places(repo => repo.list('/k')),
  search: places(repo => repo.search('hit')),
  blameTree: places(repo => repo.blameTree('/')),
  history: async repo => ({
    add: n => repo.set('/n', n, `Add ${n}`),
    remove: n => repo.delete('/n', `Remove ${n}`).catch(() => undefined),
    listing: () => repo.history('/n'),
    nameOf: idOf,
    isPinned: true,
  }),
  log: async repo => ({
    add: n => repo.set('/n', n, `Add ${n}`),
    listing: () => repo.log(),
    nameOf: idOf,
    isPinned: true,
  }),
  'log, oldest first, with merges': async repo => {
    await repo.branch('side')
    return {
      add: n => repo.on(n % 2 === 0 ? 'main' : 'side').set(`/n${n}`, n, `Add ${n}`),
      remove: () => repo.merge('side'),
      listing: () => repo.log({ order: 'oldest' }),
      nameOf: idOf,
      isPinned: true,
    }
  },
  query: async repo => ({
    add: n => repo.set('/n', n, `Add ${n}`),
    listing: () => repo.query({}),
    nameOf: idOf,
    isPinned: true,
  }),
  'query, oldest first': async repo => ({
    add: n => repo.set('/n', n, `Add ${n}`),
    listing: () => repo.query({ order: 'oldest' }),
    nameOf: idOf,
  }),
  speculations: async repo => {
    const made = new Map<number, string>()
    return {
      add: async n => made.set(n, (await repo.speculate()).id),
      remove: async n => (await repo.getSpeculation(made.get(n)!)).discard(),
      listing: () => repo.speculations(),
      nameOf: idOf,
    }
  },
  plans: async repo => ({
    add: n => plans(repo).create(`p${n}`),
    remove: async n => (await plans(repo).get(`p${n}`)).close('Done').catch(() => undefined),
    listing: () => plans(repo).list(),
    nameOf,
  }),
  tasks: async repo => {
    const plan = await plans(repo).create('work')
    return {
      add: n => plan.add({ title: `t${n}` }),
      remove: n => plan.abandon(`t-${n + 1}`, 'No').catch(() => undefined),
      listing: () => plan.tasks({ limit: 1000 }),
      nameOf: idOf,
    }
  },
  schemas: async repo => ({
    add: n => schemas(repo).attach(`/s${n}/*`, {}, {}, 'Attach'),
    remove: n => schemas(repo).detach(`/s${n}/*`, 'Detach'),
    listing: () => schemas(repo).list(),
    nameOf: ({ pattern }: { readonly pattern: string }) => pattern,
  }),
  epochs: async repo => ({
    add: n => epochs(repo).create(`e${n}`, 'An epoch'),
    remove: n =>
      epochs(repo)
        .seal(`e${n}`, 'Over')
        .catch(() => undefined),
    listing: () => epochs(repo).list(),
    nameOf: idOf,
  }),
  principals: async repo => ({
    add: n => access(repo).addPrincipal(`agent/${n}`, 'agent'),
    listing: () => access(repo).principals(),
    nameOf: idOf,
  }),
  grants: async repo => {
    await access(repo).addPrincipal('agent/a', 'agent')
    return {
      add: () => access(repo).grant('agent/a', { capabilities: ['read'] }),
      listing: () => access(repo).grants(),
      nameOf: idOf,
    }
  },
  policies: async repo => {
    const made = new Map<number, string>()
    return {
      async add(n) {
        const rule = { name: `r${n % 3}`, effect: 'deny' as const, when: { paths: ['/x'] } }
        made.set(n, (await access(repo).proposePolicy(rule)).id)
      },
      listing: () => access(repo).policies(),
      nameOf: idOf,
    }
  },
  taints: async repo => {
    const made = new Map<number, string>()
    return {
      add: async n => made.set(n, (await access(repo).taint({ path: `/p${n}`, effect: 'warn', reason: 'Odd' })).id),
      remove: n => access(repo).release(made.get(n)!, 'Fine'),
      listing: () => access(repo).taints(),
      nameOf: idOf,
    }
  },
  intents: async repo => ({
    add: n => access(repo).intents.propose({ id: `i${n}`, description: 'Do it' }),
    remove: n =>
      access(repo)
        .intents.start(`i${n}`, 'Now')
        .catch(() => undefined),
    listing: () => access(repo).intents.list(),
    nameOf: idOf,
  }),
  proposals: async repo => {
    const made = new Map<number, string>()
    return {
      async add(n) {
        const refused = await access(repo)
          .proposing()
          .set(`/p${n}`, n, 'Propose')
          .catch(error => error)
        made.set(n, refused.data.proposal)
      },
      remove: n => access(repo).reject(made.get(n)!, 'No'),
      listing: () => access(repo).proposals(),
      nameOf: idOf,
    }
  },
  threads: async repo => {
    const app = new StateGraph({ state: { n: 0 } }).addNode('a', () => ({ n: 1 })).compile({ repo, name: 'g' })
    return {
      add: n => app.thread(`t${n}`).run({}),
      remove: n => app.thread(`t${n}`).delete(),
      listing: () => app.threads(),
      nameOf: idOf,
    }
  },
  events: async repo => {
    const memory = await Versioned.open(repo)
    const task = agent('clerk', { state: { n: 0 } }).task('work', (_: undefined, ctx) => ctx.emit({ kind: 'action' }))
    return {
      add: () => task(undefined, { state: memory }),
      listing: () => events(memory),
      nameOf: ({ seq }: { readonly seq: number }) => `${seq}`,
    }
  },
}

/** What happens between two pages: nothing, something is added, or the thing of that rank is taken away. */
const between = fc.array(fc.oneof(fc.constant('add' as const), fc.nat(20)), { maxLength: 3 })

async function pagesUnderWrites(
  make: Make,
  atFirst: number,
  limit: number,
  writes: readonly (readonly ('add' | number)[])[],
): Promise<void> {
  await using repo = await open()
  await repo.set('/begin', true, 'Begin')
  const { add, remove, listing, nameOf: name, isPinned = false } = await make(repo)
  const there: number[] = []
  let next = 0
  const addOne = async (): Promise<void> => {
    await add(next)
    there.push(next++)
  }
  for (let i = 0; i < atFirst; i++) await addOne()
  const names = async (): Promise<string[]> => (await listing()).map(item => name(item as never))
  const before = await names()
  let always = new Set(before)
  const given: string[] = []
  for (let at = 0, after: string | undefined; ; at++) {
    const page = await listing().page({ limit, after })
    given.push(...page.items.map(item => name(item as never)))
    if (page.next === undefined) break
    after = page.next
    for (const write of writes[at] ?? []) {
      if (write === 'add') await addOne()
      else if (remove !== undefined && there.length > 0) await remove(there.splice(write % there.length, 1)[0]!)
    }
    const now = new Set(await names())
    always = new Set([...always].filter(one => now.has(one)))
  }
  expect(new Set(given).size, 'nothing comes twice').toBe(given.length)
  if (isPinned) expect(given).toEqual(before)
  else for (const one of always) expect(given).toContain(one)
}

describe('with writes between its pages, a listing gives each item that is there all the time exactly once', () => {
  it.each(Object.keys(cases))('%s', async kind => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 6 }),
        fc.integer({ min: 1, max: 3 }),
        fc.array(between),
        (n, limit, writes) => pagesUnderWrites(cases[kind]!, n, limit, writes),
      ),
      { numRuns: 8 },
    )
  })
})

describe('one rule for limits', () => {
  const limited: Readonly<Record<string, (repo: Repository, limit: number) => Listing<unknown>>> = {
    branches: (repo, limit) => repo.branches({ limit }),
    tags: (repo, limit) => repo.tags({ limit }),
    search: (repo, limit) => repo.search('n', { limit }),
    log: (repo, limit) => repo.log({ limit }),
    'log, oldest first': (repo, limit) => repo.log({ limit, order: 'oldest' }),
    query: (repo, limit) => repo.query({ limit }),
    history: (repo, limit) => repo.history('/n0', { limit }),
    plans: (repo, limit) => plans(repo).list({ limit }),
  }

  it.each(Object.entries(limited))('%s', async (_, listing) => {
    await using repo = await open()
    for (let n = 0; n < 5; n++) {
      await repo.set('/n0', n, 'Set')
      await repo.set(`/n${n}`, n + 10, 'Set')
      await repo.branch(`b${n}`)
      await repo.tag(`t${n}`)
      await plans(repo).create(`p${n}`)
    }
    const told = (items: readonly unknown[]): readonly string[] => items.map(item => JSON.stringify(item))
    const all = told(await listing(repo, Number.POSITIVE_INFINITY))
    expect(all.length).toBeGreaterThan(3)
    for (const limit of [0, 1, 3]) expect(told(await listing(repo, limit))).toEqual(all.slice(0, limit))
    // The limit is of the whole, over all pages.
    const first = await listing(repo, 3).page({ limit: 2 })
    expect(told((await listing(repo, 3).page({ limit: 2, after: first.next })).items)).toEqual(all.slice(2, 3))
    for (const limit of [-1, 1.5, Number.NaN, '3' as never]) {
      await expect(listing(repo, limit)).rejects.toMatchObject({ code: 'option-invalid', data: { field: 'limit' } })
    }
    await expect(listing(repo, 3).page({ limit: 0 })).rejects.toMatchObject({ code: 'option-invalid' })
  })
})
