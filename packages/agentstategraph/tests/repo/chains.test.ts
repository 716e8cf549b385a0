/** Writes that wait on one branch land in one append: in order, each by itself for who reads, and none failing another. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { verify } from '../../src/maintenance/index.ts'
import { newBudget, open, type Repository } from '../../src/repository/index.ts'
import { type Append, type Appended, type Backend, type Log, memoryBackend } from '../../src/store/index.ts'
import { wrapped } from '../store/support/wrapped-backend.ts'
import { sharedStores } from './support/shared-stores.ts'

interface Opened {
  readonly repo: Repository
  /** How many entries each append added since it was opened. */
  readonly added: number[]
  /** Opens the same repository once more, as another process would. */
  readonly again: () => Promise<Repository>
  /** Called before an append reaches the store. */
  before: ((batch: Append) => unknown) | undefined
}

/** So that a turn is never over, because what waits is taken along within one turn. */
let time = 0
beforeAll(() => {
  vi.spyOn(performance, 'now').mockImplementation(() => time)
})
afterAll(() => {
  vi.restoreAllMocks()
})

/** Time stands still, so that no writer is late. */
const clock = (): Date => new Date(1e12)

/** Where writes wait for one another: appends that are answered later, or calls of operations, which have a budget. */
const groups = sharedStores.map(([name, newStore]) => [`${name}, in groups`, newStore, false] as const)
const budgets = sharedStores
  .filter(([, , isSync]) => isSync)
  .map(([name, newStore]) => [`${name}, under budgets`, newStore, true] as const)
const places = [...groups, ...budgets]

async function opened(store: () => Backend, hasBudget: boolean, state: object = { list: [] }): Promise<Opened> {
  const options = hasBudget ? { clock } : ({ clock, durability: 'group' } as const)
  const added: number[] = []
  const hooks: Pick<Opened, 'before'> = { before: undefined }
  const note = ({ entries }: Append, appended: Appended): Appended => {
    if (appended.kind === 'done')
      added.push(typeof entries === 'function' ? entries(appended.first).length : entries.length)
    return appended
  }
  const watched = (log: Log): Pick<Log, 'append' | 'sync'> => ({
    async append(batch) {
      await hooks.before?.(batch)
      return note(batch, await log.append(batch))
    },
    sync: log.sync && {
      ...log.sync,
      append(batch) {
        hooks.before?.(batch)
        return note(batch, log.sync!.append(batch))
      },
    },
  })
  const seen = wrapped(store(), log => ({ ...log, ...watched(log) }))
  const again = (): Promise<Repository> => open(store(), options)
  const whole = await open(seen, options)
  const repo = hasBudget ? whole.under(newBudget(Number.POSITIVE_INFINITY)) : whole
  await repo.set('/', state, 'begin')
  added.length = 0
  return Object.assign(hooks, { repo, added, again })
}

function pushes(repo: Repository, labels: readonly number[]): Promise<unknown>[] {
  return labels.map(label => repo.as(`agent/${label}`).set('/list/-', label, `push ${label}`))
}

const ten = Array.from({ length: 10 }, (_, i) => i)

describe.each(places)('on %s', (_name, newStore, hasBudget) => {
  it('what is written at once is in one append, in the order of the calls', async () => {
    const { repo, added, again } = await opened(newStore(), hasBudget)
    await Promise.all(pushes(repo, ten))
    expect(added).toEqual([10])
    const other = await again()
    expect(await other.get('/list')).toEqual(ten)
    expect(await verify(other)).toMatchObject({ ok: true })
    for (const label of ten) expect((await other.blame(`/list/${label}`))?.agent).toBe(`agent/${label}`)
  })

  it('one that writes alone is appended as before, and does not wait', async () => {
    const { repo, added } = await opened(newStore(), hasBudget)
    for (const label of ten) await Promise.all(pushes(repo, [label]))
    expect(added).toEqual(ten.map(() => 1))
  })

  it('a watcher sees each commit once, in order', async () => {
    const { repo } = await opened(newStore(), hasBudget)
    const seen: string[] = []
    const following = (async () => {
      for await (const event of repo.watch()) {
        if (event.kind === 'commit') seen.push(event.commit.intent.description)
        if (seen.length === 10) break
      }
    })()
    await Promise.all(pushes(repo, ten))
    await following
    expect(seen).toEqual(ten.map(label => `push ${label}`))
  })

  it('one that is refused fails alone, and those behind it are built without it', async () => {
    const { repo, again } = await opened(newStore(), hasBudget, { list: [], n: 0 })
    const guard = (from: number, to: number) =>
      repo.set('/n', to, { description: `from ${from}`, onlyIf: { value: from } })
    const told = await Promise.allSettled([
      ...pushes(repo, [0]),
      guard(0, 1),
      guard(0, 2),
      repo.on('nowhere').set('/n', 1, 'another branch'),
      repo.set('/list/x', 1, 'no index'),
      guard(1, 5),
      ...pushes(repo, [1, 2]),
    ])
    expect(told.map(({ status }) => status === 'fulfilled')).toEqual([
      true,
      true,
      false,
      false,
      false,
      true,
      true,
      true,
    ])
    expect(await (await again()).get('/')).toEqual({ list: [0, 1, 2], n: 5 })
  })

  it('requests with one key are carried out once, also in one append', async () => {
    const { repo } = await opened(newStore(), hasBudget)
    const once = () => repo.set('/list/-', 'x', { description: 'once', idempotencyKey: 'key' })
    const told = await Promise.all([once(), once(), ...pushes(repo, [1]), once()])
    expect(await repo.get<unknown[]>('/list')).toEqual(expect.arrayContaining(['x', 1]))
    expect((await repo.get<unknown[]>('/list')).length).toBe(2)
    expect(new Set([0, 1, 3].map(i => (told[i] as { id: string }).id)).size).toBe(1)
  })

  it('when a foreign writer is first, all are built again on what it wrote', async () => {
    const own = await opened(newStore(), hasBudget)
    const foreign = await own.again()
    own.before = async () => {
      own.before = undefined
      await foreign.set('/list/-', 'foreign', 'first')
    }
    await Promise.all(pushes(own.repo, ten))
    expect(await foreign.get('/list')).toEqual(['foreign', ...ten])
    expect(own.added).toEqual([10])
  })

  it('foreign writers of other branches do not make them start over', async () => {
    const own = await opened(newStore(), hasBudget)
    const foreign = await (await own.again()).branch('side')
    let tries = 0
    own.before = async () => {
      tries++
      await foreign.set('/list/-', tries, 'aside')
    }
    await Promise.all(pushes(own.repo, ten))
    expect([tries, own.added]).toEqual([1, [10]])
    expect(await verify(await own.again())).toMatchObject({ ok: true })
  })

  it('when the append fails each is told, nothing of it is seen, and the next write goes on from the old head', async () => {
    const own = await opened(newStore(), hasBudget)
    own.before = () => {
      own.before = undefined
      throw new Error('The disk is gone')
    }
    const told = await Promise.allSettled(pushes(own.repo, ten))
    expect(told.map(({ status }) => status)).toEqual(ten.map(() => 'rejected'))
    expect(await own.repo.get('/list')).toEqual([])
    await Promise.all(pushes(own.repo, [1, 2]))
    expect(await (await own.again()).get('/list')).toEqual([1, 2])
  })

  it('what is no plain write lands alone in its turn', async () => {
    const { repo, again } = await opened(newStore(), hasBudget)
    const side = await repo.branch('side')
    await side.set('/other', 1, 'aside')
    await Promise.all([...pushes(repo, [0, 1]), repo.merge('side', 'merge'), ...pushes(repo, [2, 3])])
    const other = await again()
    expect(await other.get('/other')).toBe(1)
    expect((await other.get<number[]>('/list')).toSorted()).toEqual([0, 1, 2, 3])
    expect(await verify(other)).toMatchObject({ ok: true })
  })
})

// Only where calls are answered at once do these need the same number of appends.
describe.skipIf(!memoryBackend().capabilities.sync)('calls of operations that land together', () => {
  it('each pays for its own work, and has written', async () => {
    // What a call costs is counted in ids that it asks for: each commit takes as many.
    const ids = (): string => `${++time}`.padStart(26, '0')
    const repo = await open(memoryBackend(), { ids, clock })
    await repo.set('/', { list: [] }, 'begin')
    const budgets = [0, 1, 2].map(() => newBudget(1000))
    await Promise.all(budgets.map((budget, n) => repo.under(budget).set('/list/-', n, `push ${n}`)))
    const { spentMs } = budgets[0]!
    expect(spentMs).toBeGreaterThan(0)
    for (const budget of budgets) expect(budget).toMatchObject({ spentMs, hasWritten: true })
  })
})
