/**
 * A law: whatever is in a repository and whatever is granted, no route shows a principal a value that it may not read.
 *
 * Every value that is written is a text that occurs nowhere else. What may be read is worked out from what the operator sees and
 * a matching of patterns of its own, which shares nothing with the library's.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { access, type GrantSpec, type TaintSpec } from '../../src/access/index.ts'
import { kvBackend } from '../../src/backends/index.ts'
import { follow } from '../../src/repo/index.ts'
import { type Commit, open, type Repository } from '../../src/repository/index.ts'
import { memoryKV } from '../../src/testing/index.ts'
import { epochs } from '../../src/trust/index.ts'
import { person } from './support/people.ts'

const branches = ['main', 'open/one', 'secret'] as const
const keys = ['a', 'b', 'c'] as const

type Branch = (typeof branches)[number]
type Shape = 'leaf' | 'map' | 'list'
type Step =
  | { readonly do: 'set'; readonly on: Branch; readonly path: readonly string[]; readonly shape: Shape }
  | { readonly do: 'delete'; readonly on: Branch; readonly path: readonly string[] }
  | { readonly do: 'merge'; readonly on: Branch; readonly from: Branch }
  | { readonly do: 'speculate'; readonly on: Branch; readonly path: readonly string[]; readonly lands: boolean }

const branch = fc.constantFrom(...branches)
const path = fc.array(fc.constantFrom(...keys), { minLength: 1, maxLength: 3 })
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('set' as const),
      on: branch,
      path,
      shape: fc.constantFrom<Shape>('leaf', 'map', 'list'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), on: branch, path }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('merge' as const), on: branch, from: branch }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('speculate' as const), on: branch, path, lands: fc.boolean() }) },
)
const pattern = fc
  .array(fc.oneof({ weight: 4, arbitrary: fc.constantFrom<string>(...keys) }, fc.constantFrom('*', '0')), {
    minLength: 1,
    maxLength: 3,
  })
  .map(parts => `/${parts.join('/')}`)
const grant: fc.Arbitrary<GrantSpec> = fc.record({
  capabilities: fc.constant(['read', 'commit', 'merge', 'branch', 'tag'] as const),
  branches: fc.option(fc.subarray(['main', 'open/*', 'secret', 'mine/*'], { minLength: 1 }), { nil: undefined }),
  paths: fc.option(fc.array(pattern, { minLength: 1, maxLength: 2 }), { nil: undefined, freq: 4 }),
})
const taint: fc.Arbitrary<TaintSpec> = fc.record({
  path: pattern,
  effect: fc.constantFrom('warn' as const, 'isolate' as const),
  reason: fc.constant('Suspect'),
  quarantine: fc.constant(true),
})

/** Texts of their own, for leaves: none is part of another. */
function marks(): () => string {
  let count = 0
  return () => `<${count++}>`
}

function shaped(shape: Shape, mark: () => string): unknown {
  if (shape === 'map') return { a: mark(), b: { c: mark() } }
  return shape === 'list' ? [mark(), { a: mark() }] : mark()
}

async function take(repo: Repository, one: Step, mark: () => string): Promise<void> {
  const by = repo.on(one.on)
  const at = 'path' in one ? `/${one.path.join('/')}` : ''
  try {
    if (one.do === 'merge') await by.merge(one.from, { description: 'Merge', policies: { '/**': 'theirs' } })
    else if (one.do === 'delete') await by.delete(at, 'Delete')
    else if (one.do === 'set') {
      const expected = mark()
      const told = {
        expects: [{ path: at, equals: expected }],
        tools: [{ name: 'tool', args: mark() }],
        attached: { note: mark() },
      }
      await by.set(at, shaped(one.shape, mark) as never, {
        description: `Set ${mark()}`,
        confidence: 0.5,
        ...told,
      })
    } else {
      const trial = await by.speculate({ label: 'Try' })
      await trial.set(at, mark() as never)
      if (one.lands) await trial.commit({ description: 'Land', policies: { '/**': 'theirs' } })
      else await by.set('/a/told', mark() as never, { description: 'Rather this', alternatives: [trial] })
    }
  } catch {
    // What cannot be written, such as a key of a list, is left out.
  }
}

/** Where each text is or was: the branch, and the place. */
type Places = Map<string, (readonly [branch: string, path: readonly string[]])[]>

function gather(into: Places, on: string, value: unknown, at: readonly string[]): void {
  if (typeof value === 'string' && value.startsWith('<')) into.set(value, [...(into.get(value) ?? []), [on, at]])
  else if (typeof value === 'object' && value !== null) {
    for (const [key, part] of Object.entries(value)) gather(into, on, part, [...at, key])
  }
}

/** What was said of a commit is to be read where anything that it changed is. */
async function gatherWords(into: Places, repo: Repository, on: string, { id, parents, intent }: Commit): Promise<void> {
  const [text] = intent.description.match(/<\d+>/) ?? []
  if (text === undefined) return
  const changed: [string, readonly string[]][] = []
  const add = (value: unknown, at: readonly string[]): void => {
    changed.push([on, at])
    if (typeof value !== 'object' || value === null) return
    for (const [key, part] of Object.entries(value)) add(part, [...at, key])
  }
  for (const change of await repo.diff({ id: parents[0]! }, { id })) {
    const at = change.path.split('/').slice(1)
    if ('before' in change) add(change.before, at)
    if ('after' in change) add(change.after, at)
  }
  into.set(text, [...(into.get(text) ?? []), ...changed])
}

async function placesIn(repo: Repository): Promise<Places> {
  const places: Places = new Map()
  for (const on of branches) {
    for (const commit of await repo.on(on).log()) {
      gather(places, on, await repo.at({ id: commit.id }).get('/'), [])
      await gatherWords(places, repo, on, commit)
      for (const { path: at, ...rest } of commit.expects)
        gather(places, on, Object.values(rest)[0], at.split('/').slice(1))
      for (const { args } of commit.tools) gather(places, on, args, [])
      gather(places, on, commit.attached, [])
      const written =
        commit.intent.description === 'Rather this'
          ? await repo.at({ id: commit.id }).blame('/a/told', { chain: true })
          : undefined
      for (const { changes } of written?.considered ?? []) {
        for (const change of changes)
          gather(places, on, 'after' in change ? change.after : undefined, change.path.split('/').slice(1))
      }
    }
  }
  for (const { id, branchName } of await repo.speculations()) {
    gather(places, branchName, await (await repo.getSpeculation(id)).get('/'), [])
  }
  return places
}

/** Whether a pattern of keys and stars means a place: it is a beginning of it. */
function means(text: string, at: readonly string[]): boolean {
  const parts = text.split('/').slice(1)
  return parts.length <= at.length && parts.every((part, i) => part === '*' || part === at[i])
}

function mayRead(
  grants: readonly GrantSpec[],
  taints: readonly TaintSpec[],
  on: string,
  at: readonly string[],
): boolean {
  const isGranted = grants.some(
    one =>
      (one.branches?.some(name => name === on || (name.endsWith('/*') && on.startsWith(name.slice(0, -1)))) ?? true) &&
      (one.paths?.some(text => means(text, at)) ?? true),
  )
  // The whole of something is not to be read when a part of it is hidden.
  const isHidden = taints.some(one => means(one.path, at) || at.length === 0)
  return isGranted && !isHidden
}

/** All that a principal can ask for, as text; errors included. */
async function answers(reader: Repository, operator: Repository): Promise<string[]> {
  const ids = (await operator.query({})).map(({ id }) => id)
  const trials = (await operator.speculations()).map(({ id }) => id)
  const routes: (() => unknown)[] = [
    () => reader.query({}),
    () => reader.intentTree(),
    () => reader.commitGraph(),
    () => reader.branches(),
    () => reader.calibration(),
    () => reader.speculations(),
    () => epochs(reader).list(),
    () => reader.compare(trials),
    () => watched(reader),
    () => reader.set('/a/b', 'guess' as never, { description: 'x', onlyIf: { value: 'guess' } }),
  ]
  for (const id of trials) {
    routes.push(async () => (await reader.getSpeculation(id)).get('/'))
    routes.push(async () => (await reader.getSpeculation(id)).changes())
  }
  for (const id of ids)
    routes.push(
      () => reader.at({ id }).get('/'),
      () => reader.at({ id }).blameTree(),
    )
  for (const on of branches) {
    const by = reader.on(on)
    routes.push(
      () => by.get('/'),
      () => by.list('/', { depth: 9 }),
      () => by.search('<'),
      () => by.log(),
      () => by.head(),
      () => by.blameTree(),
      () => by.diff('main', on),
      () => by.previewMerge('main'),
      () => by.commit('x', async tx => Promise.reject(new Error(JSON.stringify(await tx.get('/'))))),
    )
    for (const key of keys) {
      routes.push(
        () => by.get(`/${key}`),
        () => by.blame(`/${key}`, { chain: true }),
        () => by.history(`/${key}`),
      )
    }
    // Last, because they write where they are allowed to.
    routes.push(
      async () => (await by.branch(`mine/${on}`)).get('/'),
      () => by.tag(`mine/tag-${on}`),
      () => reader.at(`mine/tag-${on}`).get('/'),
      () => reader.merge(on),
      () => reader.cherryPick(on),
      () => reader.get('/'),
    )
  }
  const found: string[] = []
  for (const route of routes) {
    found.push(
      await Promise.resolve()
        .then(route)
        .then(
          value => JSON.stringify(value) ?? '',
          (error: Error) =>
            JSON.stringify([
              error,
              error.message,
              (error as { hint?: string }).hint,
              (error as { data?: unknown }).data,
            ]),
        ),
    )
  }
  return found
}

/** All events so far, read as a watch reads them. */
async function watched({ handle }: Repository): Promise<readonly unknown[]> {
  const follower = follow(handle, {}, { seq: 0, part: undefined })
  const found: unknown[] = []
  for (;;) {
    const event = await handle.journal.run(follower.next())
    if (event === 'end') return found
    found.push(event)
  }
}

describe('read limits', () => {
  it.each([
    ['in memory', 60, () => undefined],
    ['in a store that answers later', 6, () => kvBackend(memoryKV())],
  ])(
    'hold by every route, and hide nothing that may be read, %s',
    async (_name, numRuns, newStore) => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(step, { minLength: 2, maxLength: 10 }),
          fc.array(grant, { maxLength: 3 }),
          fc.array(taint, { maxLength: 1 }),
          async (steps, grants, taints) => {
            await using repo = await open(newStore())
            const mark = marks()
            await repo.set('/a', { a: mark() }, 'Begin')
            for (const name of branches.slice(1)) await repo.branch(name)
            for (const one of steps) await take(repo, one, mark)
            const reader = await person(repo, 'agent/reader', ...grants)
            for (const one of taints) await access(repo).taint(one)
            const places = await placesIn(repo)
            const isAllowed = (text: string): boolean =>
              (places.get(text) ?? []).some(([on, at]) => mayRead(grants, taints, on, at))
            for (const on of branches) {
              const head: Places = new Map()
              gather(head, on, await repo.on(on).get('/'), [])
              const seen = new Set(JSON.stringify((await reader.on(on).find('/')) ?? {}).match(/<\d+>/g) ?? [])
              const expected = [...head].filter(([, at]) => at.some(([, one]) => mayRead(grants, taints, on, one)))
              expect([...seen].sort()).toEqual(expected.map(([text]) => text).sort())
            }
            for (const answer of await answers(reader, repo)) {
              const shown = answer.match(/<\d+>/g) ?? []
              expect(shown.filter(text => !isAllowed(text))).toEqual([])
            }
          },
        ),
        { numRuns },
      )
    },
    60_000,
  )
})
