/** Retention: old states go by the recorded rules; what is kept reads, blames and verifies as before, and commits all stay. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { access } from '../../src/access/index.ts'
import { gc, push, setRetention, stats, verify } from '../../src/maintenance/index.ts'
import { isStateError, open, type Repository } from '../../src/repository/index.ts'
import { appendEntries, type Backend, memoryBackend, readEntry, trimPack } from '../../src/store/index.ts'
import { epochs, openBundle } from '../../src/trust/index.ts'
import { around, wrapped } from '../store/support/wrapped-backend.ts'
import { history, play } from './support/histories.ts'
import { stores } from './support/stores.ts'

const all = { keepNewerMs: -1 }

/** What stays: the log of each branch and tag with all its commits, and at its head the state and who wrote it. */
async function kept(repo: Repository): Promise<unknown> {
  const told: unknown[] = []
  for (const { name, id } of [...(await repo.branches()), ...(await repo.tags())]) {
    const at = repo.at(id!)
    told.push([name, await at.log(), await at.get('/'), undrafted(await at.blameTree('/'))])
  }
  for (const { id } of await repo.speculations()) {
    const speculation = await repo.getSpeculation(id)
    told.push([id, await speculation.get('/'), await speculation.changes()])
  }
  return told
}

/** Blame without the names of drafts, which go with the drafts. */
function undrafted(blames: readonly object[]): unknown {
  return blames.map(one => ({ ...one, draft: undefined }))
}

/** How many commits of the log cannot be read any more. Each of them says so, by its name. */
async function countTrimmed(repo: Repository): Promise<number> {
  let count = 0
  for (const { id } of await repo.log()) {
    try {
      await repo.at(id).get('/')
    } catch (error) {
      expect(error).toMatchObject({ code: 'state-trimmed' })
      count++
    }
  }
  return count
}

/** Merges every branch into every other, as far as there are no conflicts. */
async function mergeAll(repo: Repository): Promise<void> {
  const names = (await repo.branches()).map(({ name }) => name)
  for (const into of names) {
    for (const from of names) {
      try {
        await repo.on(into).merge(from, 'Merge')
      } catch (error) {
        if (!isStateError(error) || error.code === 'state-trimmed') throw error
      }
    }
  }
}

describe('after retention', () => {
  it.each(stores)('every head reads, blames and verifies as before, in any history, in %s', async (_, make) => {
    await fc.assert(
      fc.asyncProperty(history, history, fc.integer({ min: 1, max: 4 }), async (steps, later, count) => {
        const backend = make()
        await using repo = await open(backend)
        await play(repo, steps)
        await gc(repo, all)
        const before = await kept(repo)
        await setRetention(repo, { count })
        const planned = await gc(repo, { ...all, dryRun: true })
        const report = await gc(repo, all)
        expect(report).toEqual(planned)
        await using other = await open(backend)
        for (const one of [repo, other]) expect(await kept(one)).toEqual(before)
        expect((await verify(other)).damage).toEqual([])
        expect((await gc(repo, all)).trimmed).toBe(0)
        expect((await stats(repo)).retention).toMatchObject({ keep: { count }, trimmedStates: report.trimmed })
        await mergeAll(other)
        await play(repo, later)
        expect((await verify(other)).damage).toEqual([])
        const now = await kept(repo)
        await gc(other, all)
        expect(await kept(other)).toEqual(now)
        expect((await verify(repo)).damage).toEqual([])
        await countTrimmed(repo)
      }),
      { numRuns: 6 },
    )
  })
})

const long = (label: string): string => `${label} `.repeat(2000)

/** A repository with a clock: a commit a day, each of which changes a long text. */
async function daily(backend: Backend, days: number): Promise<Repository> {
  let now = Date.UTC(2026, 0, 1)
  const repo = await open(backend, { clock: () => new Date(now) })
  for (let day = 0; day < days; day++) {
    const category = day % 10 === 0 ? 'Checkpoint' : day % 10 === 5 ? 'Fix' : 'Refine'
    await repo.set('/text', long(`day ${day}`), { description: `Day ${day}`, category })
    now += DAY_MS
  }
  return repo
}

const DAY_MS = 24 * 60 * 60 * 1000

/** The days whose states can be read. */
async function readableDays(repo: Repository): Promise<number[]> {
  const days: number[] = []
  for (const [day, { id }] of (await repo.log()).toReversed().entries()) {
    const text = await repo.at(id).get('/text').catch(unlessTrimmed)
    if (text === undefined) continue
    expect(text).toBe(long(`day ${day}`))
    days.push(day)
  }
  return days
}

function unlessTrimmed(error: unknown): undefined {
  if (!isStateError(error, 'state-trimmed')) throw error
}

describe('rules keep', () => {
  it.each(stores)('what is young, the newest, categories, checkpoints and tags in %s', async (_, make) => {
    await using repo = await daily(make(), 40)
    await repo.tag('v1', { from: (await repo.log())[37]!.id })
    const before = await stats(repo)
    await setRetention(repo, { newerMs: 5 * DAY_MS, count: 3, categories: ['Fix'] })
    const report = await gc(repo)
    expect(await readableDays(repo)).toEqual([0, 2, 5, 10, 15, 20, 25, 30, 35, 36, 37, 38, 39])
    expect(report).toMatchObject({ removed: 0, kept: 40, trimmed: 27 })
    const after = await stats(repo)
    expect(after.retention).toEqual({
      keep: { newerMs: 5 * DAY_MS, count: 3, categories: ['Fix'] },
      trimmedStates: 27,
      trimmedBytes: report.freedBytes,
    })
    expect(after.commits).toBe(before.commits)
    expect(after.storedBytes).toBeLessThan(before.storedBytes / 2)
    expect(await verify(repo)).toMatchObject({ ok: true })
  })

  it('nothing less when the rules are widened or taken back, and bring nothing back', async () => {
    await using repo = await daily(memoryBackend(), 12)
    await setRetention(repo, { count: 2 })
    await gc(repo)
    const days = await readableDays(repo)
    expect(days).toEqual([0, 10, 11])
    for (const keep of [{ count: 9 }, undefined]) {
      await setRetention(repo, keep)
      expect(await gc(repo)).toMatchObject({ trimmed: 0 })
      expect(await readableDays(repo)).toEqual(days)
    }
    expect((await stats(repo)).retention).toMatchObject({ trimmedStates: 9 })
    expect(await verify(repo)).toMatchObject({ ok: true })
  })

  it('what was written within the grace of gc, whatever they say', async () => {
    await using repo = await open()
    for (let n = 0; n < 5; n++) await repo.set('/text', long(`day ${n}`), 'Now')
    await setRetention(repo, { count: 1 })
    expect(await gc(repo)).toMatchObject({ trimmed: 0 })
    expect(await gc(repo, all)).toMatchObject({ trimmed: 4 })
  })

  it('the states of an epoch, whose bundle verifies as before', async () => {
    await using repo = await daily(memoryBackend(), 8)
    await epochs(repo).create('e', 'Some days')
    for (const n of [1, 2, 3]) await repo.set('/text', long(`in the epoch ${n}`), 'In it')
    const side = await repo.speculate({ label: 'aside' })
    await side.set('/text', long('aside'))
    await side.discard()
    await epochs(repo).seal('e', 'Done')
    for (const n of [1, 2, 3]) await repo.set('/text', long(`after ${n}`), 'After')
    await setRetention(repo, { count: 1 })
    expect((await gc(repo, all)).trimmed).toBeGreaterThan(5)
    const lines: string[] = []
    for await (const line of epochs(repo).export('e')) lines.push(line)
    const opened = await openBundle(lines)
    expect(opened.verdict.ok).toBe(true)
    expect((await opened.log()).length).toBe(3)
    expect(await opened.get('/text')).toBe(long('in the epoch 3'))
  })

  it('are refused when they say nothing or nonsense, and cannot be set without the right to', async () => {
    await using repo = await open()
    const wrong = [{}, { categories: ['Fix'] }, { count: 0 }, { count: 1.5 }, { newerMs: -1 }, { newerMs: Number.NaN }]
    for (const keep of wrong) await expect(setRetention(repo, keep)).rejects.toMatchObject({ code: 'option-invalid' })
    await repo.set('/a', 1, 'One')
    const { key } = await access(repo).addPrincipal('agent/writer', 'agent')
    await access(repo).grant('agent/writer', { capabilities: ['commit', 'read'] })
    const writer = await access(repo).authenticate(key)
    await expect(setRetention(writer, { count: 1 })).rejects.toMatchObject({ code: 'access-denied' })
    expect((await stats(repo)).retention).toBeUndefined()
  })
})

describe('a trimmed commit', () => {
  /** Five commits, of which the first three are trimmed. */
  async function trimmed(): Promise<{ repo: Repository; old: string }> {
    const repo = await open()
    for (let n = 0; n < 5; n++) await repo.commit(`Step ${n}`, tx => tx.set('/text', long(`${n}`)).set(`/n${n}`, n))
    const old = (await repo.log())[3]!.id
    await setRetention(repo, { count: 2 })
    expect((await gc(repo, all)).trimmed).toBe(3)
    return { repo, old }
  }

  it('says which commit, which rules and what to do when its state is asked for', async () => {
    const { repo, old } = await trimmed()
    const refusal = {
      code: 'state-trimmed',
      data: { commit: old, keep: 'the 2 newest states of each branch, the categories Checkpoint, tags and epochs' },
      message: expect.stringContaining(old.slice(0, 12)),
      hint: expect.stringContaining('Read a branch'),
    }
    const asked: Readonly<Record<string, () => Promise<unknown>>> = {
      get: () => repo.at(old).get('/text'),
      blame: () => repo.at(old).blame('/text'),
      diff: () => repo.diff(old, 'main'),
      branch: () => repo.branch('back', { from: old }),
      tag: () => repo.tag('back', { from: old }),
      rollback: () => repo.rollback(old, 'Back'),
      revert: () => repo.revert(old, 'Not that'),
    }
    for (const [name, call] of Object.entries(asked)) {
      if (name === 'revert') await expect(call(), name).rejects.toMatchObject({ code: 'state-trimmed' })
      else await expect(call(), name).rejects.toMatchObject(refusal)
    }
  })

  it('is in the log and in queries, and blame names it', async () => {
    const { repo, old } = await trimmed()
    expect((await repo.log()).map(({ intent }) => intent.description)).toEqual([4, 3, 2, 1, 0].map(n => `Step ${n}`))
    expect((await repo.query({ text: 'Step 1' }))[0]?.id).toBe(old)
    expect(await repo.blame('/n1')).toMatchObject({ id: old, value: 1 })
    expect(await repo.blame('/n1', { chain: true })).toMatchObject({ id: old, considered: [] })
  })

  it('ends the history of a path, which says so', async () => {
    const { repo } = await trimmed()
    const found = await repo.history('/text')
    expect(found.map(({ intent, trimmed }) => [intent.description, trimmed])).toEqual([
      ['Step 4', undefined],
      ['Step 3', true],
    ])
  })

  it('is not asked for when those after it are pushed to who has it', async () => {
    await using repo = await open()
    await using clone = await open()
    for (let n = 0; n < 4; n++) await repo.set('/text', long(`${n}`), `Step ${n}`)
    await push(repo, clone)
    await repo.set('/text', long('new'), 'New')
    await setRetention(repo, { count: 1 })
    await gc(repo, all)
    await push(repo, clone)
    expect(await clone.get('/text')).toBe(long('new'))
    expect(await countTrimmed(clone)).toBe(0)
  })
})

describe('verify', () => {
  it('finds a state that was trimmed and is needed, and a node that leads to a trimmed one', async () => {
    for (const isHead of [true, false]) {
      const backend = memoryBackend()
      await using repo = await open(backend)
      await repo.set('/a', { text: long('a') }, 'One')
      await repo.set('/b', 2, 'Two')
      const { journal } = repo.handle
      const seq = isHead ? 3 : 2
      const { record } = await journal.run(readEntry(seq))
      const pack = await journal.run(
        trimPack(
          seq,
          record.pack,
          () => false,
          () => undefined,
        ),
      )
      const note = { kind: 'note', agent: 'agent/a' }
      await journal.run(appendEntries(journal, [note], [], { repacks: [{ seq, parts: pack!.parts }] }))
      await using other = await open(backend)
      const { damage } = await verify(other)
      expect(damage.map(({ what }) => what)).toContain(
        isHead
          ? 'its state was trimmed, and it is still needed'
          : 'a node that is kept leads to one that retention dropped',
      )
    }
  })

  it('sees damage in what is left of a trimmed pack', async () => {
    const backend = memoryBackend()
    await using repo = await open(backend)
    for (let n = 0; n < 3; n++) await repo.set('/text', long(`${n}`), `Step ${n}`)
    await setRetention(repo, { count: 1 })
    await gc(repo, all)
    const [row] = await backend.namespace('default').entries(2, 2, ['part'])
    const bytes = row!.part!.slice()
    bytes[bytes.length - 1]! ^= 1
    const { journal } = repo.handle
    const repacks = [{ seq: 2, parts: [{ first: 0, bytes }] }]
    await journal.run(appendEntries(journal, [{ kind: 'note', agent: 'agent/a' }], [], { repacks }))
    expect((await verify(repo)).damage).toMatchObject([{ where: 'entry 2' }])
  })
})

it('damage is not trimmed away: the pack stays as it is, and gc says so', async () => {
  const backend = memoryBackend()
  await using repo = await open(backend)
  for (let n = 0; n < 3; n++) await repo.set('/text', long(`${n}`), `Step ${n}`)
  const [row] = await backend.namespace('default').entries(2, 2, ['part'])
  const bytes = row!.part!.slice()
  bytes[bytes.length - 9]! ^= 1
  const { journal } = repo.handle
  const repacks = [{ seq: 2, parts: [{ first: 0, bytes }] }]
  await journal.run(appendEntries(journal, [{ kind: 'note', agent: 'agent/a' }], [], { repacks }))
  await setRetention(repo, { count: 1 })
  await expect(gc(repo, all)).rejects.toMatchObject({ code: 'object-corrupt', data: { seq: 2 } })
  expect((await backend.namespace('default').entries(2, 2, ['part']))[0]?.part).toEqual(bytes)
})

it.each(stores)('a process that ends between two batches leaves a store that is whole, in %s', async (_, make) => {
  const backend = make()
  const ended = new Error('the process ends here')
  let left = Number.POSITIVE_INFINITY
  const dying = wrapped(backend, log =>
    around(log, async (name, call) => {
      if (name === 'append' && left-- <= 0) throw ended
      return await call()
    }),
  )
  await using first = await open(backend)
  for (let n = 0; n < 150; n++) await first.set(`/n${n % 7}`, long(`${n}`), `Step ${n}`)
  await setRetention(first, { count: 1 })
  const before = await kept(first)
  for (let trimmed = 0; ; ) {
    const repo = await open(dying)
    left = 1
    const report = await gc(repo, all).catch((error: unknown) => expect(error).toBe(ended))
    left = Number.POSITIVE_INFINITY
    await using other = await open(backend)
    expect(await kept(other)).toEqual(before)
    expect((await verify(other)).damage).toEqual([])
    const { trimmedStates } = (await stats(other)).retention!
    expect(trimmedStates).toBeGreaterThan(trimmed)
    trimmed = trimmedStates
    if (report !== undefined) break
  }
})
