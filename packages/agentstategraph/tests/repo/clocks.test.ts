/** Clocks that are wrong: what they may write, what is said about them, and what works after one of them has written. */
import { describe, expect, it } from 'vitest'
import { access } from '../../src/access/index.ts'
import { type Backend, type KVStore, kvBackend, memory } from '../../src/backends/index.ts'
import { activity, exportRepository, gc, importRepository, verify } from '../../src/maintenance/index.ts'
import { plans } from '../../src/plans/index.ts'
import { type OpenOptions, open, type Repository, type Warning } from '../../src/repository/index.ts'
import { memoryKV } from '../../src/testing/index.ts'
import { person } from '../access/support/people.ts'

const present = Date.parse('2026-04-06T08:00:00.000Z')
const HOUR = 60 * 60 * 1000
const YEAR = 366 * 24 * HOUR

interface Clocked {
  readonly repo: Repository
  readonly warnings: Warning[]
  readonly clock: { now: number }
}

async function opened(store: Backend, now: number, options: OpenOptions = {}): Promise<Clocked> {
  const warnings: Warning[] = []
  const clock = { now }
  const repo = await open(store, {
    clock: () => new Date(clock.now),
    onWarning: warning => warnings.push(warning),
    ...options,
  })
  return { repo, warnings, clock }
}

/** A store with one commit of the present and one of a clock that was ten years ahead. */
async function aheadStore(): Promise<Backend> {
  const backend = memory()
  const { repo } = await opened(backend, present)
  await repo.set('/n', 1, 'In time')
  const { repo: wrong, warnings } = await opened(backend, present + 10 * YEAR)
  await wrong.set('/n', 2, 'Ten years ahead')
  expect(warnings).toMatchObject([{ code: 'clock-ahead', data: { of: 'newest entry' } }])
  return backend
}

describe('after a commit of a clock that was ten years ahead', () => {
  it('writing goes on, the journal verifies, and that is reported once', async () => {
    const { repo, warnings } = await opened(await aheadStore(), present)
    await repo.set('/n', 3, 'In time again')
    await repo.set('/n', 4, 'And again')
    expect(warnings).toMatchObject([{ code: 'journal-ahead', data: { clock: new Date(present).toISOString() } }])
    expect((await verify(repo)).ok).toBe(true)
  })

  it('leases run out by the clock of who claims', async () => {
    const { repo, clock } = await opened(await aheadStore(), present)
    await plans(repo).create('p')
    const first = await plans(repo.as('agent/first')).get('p')
    await first.add({ title: 'One' })
    const claim = await first.claim({ leaseMs: HOUR })
    expect(claim?.task.title).toBe('One')
    const second = await plans(repo.as('agent/second')).get('p')
    expect(await second.claim()).toBeUndefined()
    clock.now += HOUR + 1
    expect((await second.claim())?.task.title).toBe('One')
  })

  it('gc removes what nothing needs', async () => {
    const { repo } = await opened(await aheadStore(), present)
    await repo.branch('aside')
    await repo.on('aside').set('/big', 'x'.repeat(1000), 'Not needed for long')
    await repo.deleteBranch('aside')
    expect((await gc(repo)).removed).toBe(1)
    expect((await verify(repo)).ok).toBe(true)
  })

  it('a rate lets commits through', async () => {
    const { repo } = await opened(await aheadStore(), present)
    const worker = await person(repo, 'agent/worker', {
      capabilities: ['read', 'commit'],
      limits: { commitsPerMinute: 2 },
    })
    for (const n of [5, 6, 7, 8]) await worker.set('/n', n, 'Work')
    expect(await repo.get('/n')).toBe(8)
  })
})

describe('a clock', () => {
  it('that is ahead of the newest entry is refused above the bound, and only for writing', async () => {
    const backend = memory()
    const { repo: first } = await opened(backend, present)
    await first.set('/n', 1, 'Begin')
    const { repo } = await opened(backend, present + 2 * YEAR, { maxClockAheadMs: YEAR })
    expect(await repo.get('/n')).toBe(1)
    for (const _ of [1, 2]) {
      await expect(repo.set('/n', 2, 'Ahead')).rejects.toMatchObject({ code: 'clock-ahead' })
    }
    const { repo: idle, warnings } = await opened(backend, present + YEAR / 2, { maxClockAheadMs: YEAR })
    await idle.set('/n', 3, 'After half a year')
    expect(warnings).toEqual([])
  })

  it('that jumps while the store is open is noticed', async () => {
    const { repo, clock } = await opened(memory(), present, { maxClockAheadMs: YEAR })
    await repo.set('/n', 1, 'Begin')
    clock.now += 10 * YEAR
    await expect(repo.set('/n', 2, 'Ahead')).rejects.toMatchObject({ code: 'clock-ahead' })
    clock.now = present + 1
    await repo.set('/n', 3, 'Set right')
  })

  it('is compared with the clock of the store, where that has one', async () => {
    const store: KVStore = { ...memoryKV(), now: async () => present }
    const { repo: ahead } = await opened(kvBackend(store), present + 2 * HOUR)
    const refused = { code: 'clock-ahead', data: { of: 'store', known: new Date(present).toISOString() } }
    await expect(ahead.set('/n', 1, 'Ahead')).rejects.toMatchObject(refused)
    expect(await ahead.branches()).toEqual([])
    const { repo } = await opened(kvBackend(store), present)
    await repo.set('/n', 1, 'In time')
    const { repo: idle, warnings } = await opened(
      kvBackend({ ...store, now: async () => present + 10 * YEAR }),
      present + 10 * YEAR,
    )
    await idle.set('/n', 2, 'Ten years later')
    expect(warnings).toEqual([])
  })

  it.each([Number.NaN, Number.POSITIVE_INFINITY, -1, Date.UTC(10_000, 0), 8.64e15])(
    'that says %d writes nothing',
    async now => {
      const { repo, clock } = await opened(memory(), present)
      await repo.set('/n', 1, 'Begin')
      const before = await repo.log()
      clock.now = now
      const invalid = { code: 'clock-invalid' }
      await expect(repo.set('/n', 2, 'No')).rejects.toMatchObject(invalid)
      await expect(repo.tag('t')).rejects.toMatchObject(invalid)
      await expect(plans(repo).create('p')).rejects.toMatchObject(invalid)
      await expect(repo.speculate({ ttlMs: 1 })).rejects.toMatchObject(invalid)
      expect(await repo.log()).toEqual(before)
    },
  )
})

describe('a time that is no moment from 1970 to 9999 is refused', () => {
  const times = [new Date(Number.NaN), new Date(Date.UTC(10_000, 0)), new Date(-1)]

  it.each(times)('as an option: %s', async time => {
    const { repo } = await opened(memory(), present)
    await repo.set('/n', 1, 'Begin')
    const invalid = { code: 'option-invalid' }
    await expect(activity(repo, { until: time })).rejects.toMatchObject(invalid)
    await expect(repo.query({ until: time })).rejects.toMatchObject(invalid)
    await expect(repo.at(time).get('/n')).rejects.toMatchObject(invalid)
    await expect(access(repo).refusals({ since: time })).rejects.toMatchObject(invalid)
  })

  it('as a length: how long a speculation lasts, what gc keeps, how far a clock may be ahead', async () => {
    const { repo } = await opened(memory(), present)
    await repo.set('/n', 1, 'Begin')
    const invalid = { code: 'option-invalid' }
    for (const ttlMs of [Number.NaN, Number.POSITIVE_INFINITY, 8e15, -1]) {
      await expect(repo.speculate({ ttlMs })).rejects.toMatchObject(invalid)
    }
    await expect(gc(repo, { keepNewerMs: Number.NaN })).rejects.toMatchObject(invalid)
    await expect(open(memory(), { maxClockAheadMs: Number.NaN })).rejects.toMatchObject(invalid)
  })

  it.each(['+010000-01-01T00:00:00.000Z', '1969-12-31T23:59:59.999Z', 'never'])('in an import: %s', async time => {
    const { repo } = await opened(memory(), present)
    await repo.set('/n', 1, 'Begin')
    const lines: string[] = []
    for await (const line of exportRepository(repo)) {
      lines.push(line.replaceAll(new Date(present).toISOString(), time))
    }
    const target = await open()
    await expect(importRepository(target, lines)).rejects.toMatchObject({ name: 'StateError' })
    expect(await target.branches()).toEqual([])
  })
})
