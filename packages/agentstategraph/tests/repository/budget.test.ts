/**
 * What calls may cost together, where the program that serves them says so.
 *
 * The clock of the process is replaced by one that says at every look that the turn is over and that a second has passed. So
 * costs are counted in looks at the clock, and turns come wherever a call may pause.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { sqlite } from '../../src/backends/index.ts'
import { exportRepository, gc, importRepository, reindex, stats, verify } from '../../src/maintenance/index.ts'
import { newBudget, open, type Repository, type Speculation } from '../../src/repository/index.ts'
import { type Backend, memoryBackend } from '../../src/store/index.ts'
import { newFile } from '../store/support/sqlite-file.ts'

const COMMITS = 120
const KEYS = 2000
/** More than what is landed without pauses. */
const WIDE = 1200

let time = 0
beforeAll(() => {
  vi.spyOn(performance, 'now').mockImplementation(() => {
    time += 1000
    return time
  })
})
afterAll(() => {
  vi.restoreAllMocks()
})

/** Each with whether it answers at once. Of one that answers later, looks at the clock and turns of the event loop are not counted. */
const places: readonly (readonly [string, () => Backend, boolean])[] = [
  ['memory', memoryBackend, memoryBackend().capabilities.sync],
  ['SQLite', () => sqlite(newFile()), true],
]

function keysOf(count: number, value: number): Record<string, number> {
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, value]))
}

/** The turns of the event loop while some work is done. */
async function turnsDuring(work: () => PromiseLike<unknown>): Promise<number> {
  let turns = 0
  let isDone = false
  const turn = (): void => {
    turns++
    if (!isDone) setImmediate(turn)
  }
  setImmediate(turn)
  await work()
  isDone = true
  return turns
}

const longReads: Readonly<Record<string, (repo: Repository) => PromiseLike<unknown>>> = {
  verify: repo => verify(repo),
  stats: repo => stats(repo),
  'a query that finds nothing': repo => repo.query({ text: 'nowhere' }),
  'a filtered log': repo => repo.log({ agent: 'agent/nobody' }),
  'the tree of intents': repo => repo.intentTree(),
  'history of a place that never was': repo => repo.history('/none'),
  'a large value': repo => repo.get('/large'),
  'a difference of many keys': repo => repo.diff('other', 'main'),
  'a preview of a merge of many keys': repo => repo.previewMerge('other'),
  'an export': async repo => {
    for await (const _ of exportRepository(repo));
  },
}

/** Each makes the state that `other` and the speculation have. */
const wideWrites: Readonly<Record<string, (repo: Repository, tried: Speculation) => PromiseLike<unknown>>> = {
  'a merge': repo => repo.merge('other', 'Merge'),
  'a cherry-pick': repo => repo.cherryPick('other', 'Pick'),
  'a revert': async repo => {
    await repo.set('/large', keysOf(WIDE, 2), 'Right')
    await repo.set('/large', keysOf(WIDE, 3), 'Wrong')
    await repo.revert('main', 'Undo')
  },
  'a landed speculation': (_, tried) => tried.commit('Land'),
  'a new value': repo => repo.set('/large', keysOf(WIDE, 2), 'Set'),
}

describe.each(places)('in %s', (_, place, isSync) => {
  it.skipIf(!isSync)(
    'a call that costs more ends with too-costly, which names the limit; what it was given back works',
    async () => {
      await using repo = await open(place())
      await fill(repo)
      for (const [name, read] of Object.entries(longReads)) {
        await expect(read(repo.under(newBudget(2500))), name).rejects.toMatchObject({
          code: 'too-costly',
          data: { limit: 'work', most: 2500, unit: 'ms' },
        })
        await read(repo)
      }
      expect((await verify(repo)).ok).toBe(true)
    },
  )

  it.skipIf(!isSync)('a call pauses where it reads many nodes, and not only between commits', async () => {
    await using repo = await open(place())
    await repo.set('/large', keysOf(KEYS, 1), 'Large')
    const limited = repo.under(newBudget(Number.POSITIVE_INFINITY))
    expect(await turnsDuring(() => limited.get('/large'))).toBeGreaterThan(5)
    const edits = async (): Promise<unknown> =>
      limited.commit('Many', tx => {
        for (let n = 0; n < KEYS; n += 20) tx.set(`/large/k${n}`, 2)
      })
    expect(await turnsDuring(edits)).toBeGreaterThan(5)
    expect(await repo.get('/large/k20')).toBe(2)
    expect((await verify(repo)).ok).toBe(true)
  })

  it.skipIf(!isSync).each(Object.entries(wideWrites))(
    '%s of many places pauses on its way to the journal',
    async (_, write) => {
      await using repo = await open(place())
      await repo.set('/large', keysOf(WIDE, 1), 'Large')
      const other = await repo.branch('other')
      await other.set('/large', keysOf(WIDE, 2), 'Differs')
      const limited = repo.under(newBudget(Number.POSITIVE_INFINITY))
      const tried = await limited.speculate()
      await tried.set('/large', keysOf(WIDE, 2))
      // Settling, folding and the pack look at the clock for each sixteenth place, node or path.
      expect(await turnsDuring(() => write(limited, tried))).toBeGreaterThan((3 * WIDE) / 16)
      expect(new Set(Object.values((await repo.get('/large')) as Record<string, number>))).toEqual(new Set([2]))
      expect((await verify(repo)).ok).toBe(true)
    },
  )

  it.skipIf(!isSync).each(['map', 'list'])(
    'a large %s in the place of another pauses in each of the passes over it',
    async kind => {
      const contentOf = (value: number): unknown =>
        kind === 'map' ? keysOf(WIDE, value) : Array.from({ length: WIDE }, (_, n) => `${n} ${value}`)
      await using repo = await open(place())
      await repo.set('/large', contentOf(1), 'Large')
      const set = (): Promise<unknown> =>
        repo.under(newBudget(Number.POSITIVE_INFINITY)).set('/large', contentOf(2), 'Other')
      // Encoding, building, comparing, joining, cutting, settling, folding and the pack look at the clock for each sixteenth place.
      expect(await turnsDuring(set)).toBeGreaterThan((11 * WIDE) / 16)
      expect(await repo.get('/large')).toEqual(contentOf(2))
    },
  )

  it('a write is refused before it is done or not at all', async () => {
    await using repo = await open(place())
    await repo.set('/large', keysOf(KEYS, 1), 'Large')
    const before = await repo.head()
    for (const most of [0, 1500, 3000, 10_000, 100_000, Number.MAX_SAFE_INTEGER]) {
      const outcome = await repo
        .under(newBudget(most))
        .commit(`At most ${most}`, tx => {
          for (let n = 0; n < KEYS; n += 20) tx.set(`/large/k${n}`, most)
        })
        .catch(error => error.code)
      const isWritten = (await repo.head()).intent.description === `At most ${most}`
      expect(outcome === 'too-costly').toBe(!isWritten)
    }
    expect(before.id).not.toBe((await repo.head()).id)
    expect((await verify(repo)).ok).toBe(true)
  })

  it('what has written goes on to its end, so that its caller learns of it', async () => {
    const budget = newBudget(3000)
    await using repo = await open(place())
    const limited = repo.under(budget)
    await limited.set('/n', 1, 'Write')
    budget.spentMs = 10_000
    expect(budget.hasWritten).toBe(true)
    expect(await limited.get('/n')).toBe(1)
  })

  it('writers that pause are not overtaken for ever', async () => {
    await using repo = await open(place())
    await repo.set('/large', keysOf(KEYS, 1), 'Large')
    const large = repo.under(newBudget(Number.POSITIVE_INFINITY)).commit('Many', tx => {
      for (let n = 0; n < KEYS; n += 20) tx.set(`/large/k${n}`, 2)
    })
    let isDone = false
    const ended = large.then(() => {
      isDone = true
    })
    let overtaken = 0
    while (!isDone) {
      await repo.set('/n', overtaken++, 'Overtake')
      await new Promise(setImmediate)
    }
    await ended
    expect(overtaken).toBeLessThan(1000)
    expect(await repo.get('/large/k20')).toBe(2)
  })

  it.skipIf(!isSync)('maintenance that is broken off leaves a whole store, and done again it is done', async () => {
    await using repo = await open(place())
    await fill(repo)
    const lines: string[] = []
    for await (const line of exportRepository(repo)) lines.push(line)
    const works: Readonly<Record<string, (repo: Repository) => PromiseLike<unknown>>> = {
      reindex: one => reindex(one),
      gc: one => gc(one, { keepNewerMs: -1 }),
    }
    for (const [name, work] of Object.entries(works)) {
      await expect(work(repo.under(newBudget(5000))), name).rejects.toMatchObject({ code: 'too-costly' })
      expect((await verify(repo)).ok).toBe(true)
      await work(repo)
      expect((await verify(repo)).ok).toBe(true)
    }
    await using other = await open(place())
    await expect(importRepository(other.under(newBudget(5000)), lines)).rejects.toMatchObject({ code: 'too-costly' })
    expect(await other.branches()).toEqual([])
    await importRepository(other, lines)
    expect((await other.head()).id).toBe((await repo.head()).id)
  })
})

/** A history with many commits, and two branches that differ in many keys. */
async function fill(repo: Repository): Promise<void> {
  await repo.set('/large', keysOf(KEYS, 0), 'Large')
  const other = await repo.branch('other')
  await other.set('/large', keysOf(KEYS, 1), 'There')
  for (let n = 0; n < COMMITS; n++) {
    await repo.set(`/area${n % 10}`, n, { description: 'Count', intent: { id: `intent-${n % 100}` } })
  }
  await repo.set('/large', keysOf(KEYS, 2), 'Here')
}
