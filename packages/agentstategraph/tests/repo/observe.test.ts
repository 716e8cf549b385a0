/** Expected against observed: facts that come later, and how well confidence predicted them. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { open } from '../../src/repository/index.ts'
import { openNew, refusalOf, stores } from './support/open-stores.ts'

const tenBands = Array.from({ length: 10 }, (_, i) => ({ min: i / 10, max: (i + 1) / 10, count: 0, held: 0 }))

describe.each(stores)('on $name', store => {
  it('an observation changes neither the commit nor the state', async () => {
    const repo = await openNew(store)
    const { changed: _, ...commit } = await repo.set('/a', 1, { description: 'Sure', confidence: 0.9 })
    await repo.observe(commit, { held: false, note: 'It was not', observed: [{ path: '/a', value: new Date(0) }] })
    expect(await repo.head()).toEqual(commit)
    expect(await repo.get('/')).toEqual({ a: 1 })
  })

  it('of several observations of one commit the latest counts', async () => {
    const repo = await openNew(store)
    const commit = await repo.set('/a', 1, { description: 'Sure', confidence: 0.75 })
    await repo.observe(commit, { held: false })
    expect((await repo.calibration()).brier).toBe(0.5625)
    await repo.observe(commit.id.slice(0, 12), { held: true })
    expect(await repo.calibration()).toEqual({
      count: 1,
      brier: 0.0625,
      bands: tenBands.with(7, { min: 0.7, max: 0.8, count: 1, held: 1 }),
    })
  })

  it('counts by agent and category, and only what gave a confidence and was observed', async () => {
    const repo = await openNew(store)
    const written = [
      { agent: 'agent/a', category: 'Fix', confidence: 1, held: true },
      { agent: 'agent/a', category: 'Plan', confidence: 0, held: true },
      { agent: 'agent/b', category: 'Fix', confidence: 0.5, held: false },
      { agent: 'agent/b', category: 'Fix', held: false },
      { agent: 'agent/b', category: 'Fix', confidence: 0.5 },
    ]
    for (const [n, { held, ...why }] of written.entries()) {
      const commit = await repo.set('/n', n, { description: `Write ${n}`, ...why })
      if (held !== undefined) await repo.as('agent/judge').observe(commit, { held })
    }
    const told = async (filter: { agent?: string; category?: string }) => {
      const { count, brier } = await repo.calibration(filter)
      return [count, brier]
    }
    expect(await told({})).toEqual([3, (0 + 1 + 0.25) / 3])
    expect(await told({ agent: 'agent/a' })).toEqual([2, 0.5])
    expect(await told({ category: 'Fix' })).toEqual([2, 0.125])
    expect(await told({ agent: 'agent/a', category: 'Fix' })).toEqual([1, 0])
    expect(await told({ agent: 'agent/judge' })).toEqual([0, 0])
    const { bands } = await repo.calibration()
    expect(bands.filter(({ count }) => count > 0)).toEqual([
      { min: 0, max: 0.1, count: 1, held: 1 },
      { min: 0.5, max: 0.6, count: 1, held: 0 },
      { min: 0.9, max: 1, count: 1, held: 1 },
    ])
  })

  it('a repository without a commit has nothing to say', async () => {
    const repo = await openNew(store)
    expect(await repo.calibration()).toEqual({ count: 0, brier: 0, bands: tenBands })
  })

  it('an intent that ended with deviations is found by them', async () => {
    const repo = await openNew(store)
    const kept = await repo.set('/a', 1, 'As intended')
    const other = await repo.set('/a', 2, 'Otherwise')
    await repo.resolveIntent(kept.intent.id, { outcome: 'fulfilled', summary: 'Done' })
    const deviations = [{ description: 'Two in place of one', reason: 'One was taken', impact: 'low' }] as const
    await repo.resolveIntent(other.intent.id, { outcome: 'partial', summary: 'Nearly', deviations })
    expect((await repo.log({ deviated: true })).map(({ id }) => id)).toEqual([other.id])
    expect((await repo.log({ deviated: false })).map(({ id }) => id)).toEqual([kept.id])
  })

  it.each([
    ['held that is no boolean', { held: 1 }, 'option-invalid', 'held'],
    ['an empty note', { held: true, note: ' ' }, 'option-invalid', 'note'],
    ['a bad path', { held: true, observed: [{ path: 'a', value: 1 }] }, 'path-invalid', '"a"'],
    ['a value that cannot be stored', { held: true, observed: [{ path: '/a', value: it }] }, 'value-refused', '/a'],
    ['too much', { held: true, observed: [{ path: '/a', value: 'x'.repeat(70_000) }] }, 'commit-too-large', 'entry'],
  ])('an observation with %s is refused', async (_, observation, code, named) => {
    const repo = await openNew(store)
    const { seq } = await repo.set('/a', 1, 'Begin')
    const refusal = await refusalOf(repo.observe('main', observation as { held: boolean }))
    expect(refusal.code).toBe(code)
    expect(refusal.message).toContain(named)
    expect((await repo.handle.journal.log.head()).seq).toBe(seq)
  })

  it.each([
    ['no intent', '', { outcome: 'failed', summary: 'No' }, 'intent'],
    ['an unknown outcome', 'i', { outcome: 'done', summary: 'Yes' }, 'outcome'],
    ['no summary', 'i', { outcome: 'failed', summary: '' }, 'summary'],
    ['an empty deviation', 'i', { outcome: 'failed', summary: 'No', deviations: [{ description: '' }] }, 'deviation'],
    [
      'an unknown impact',
      'i',
      { outcome: 'failed', summary: 'No', deviations: [{ description: 'x', impact: 'huge' }] },
      'impact',
    ],
  ])('a resolution with %s is refused', async (_, intent, resolution, named) => {
    const repo = await openNew(store)
    const { seq } = await repo.set('/a', 1, 'Begin')
    const refusal = await refusalOf(repo.resolveIntent(intent, resolution as { outcome: 'failed'; summary: string }))
    expect(refusal.code).toBe('option-invalid')
    expect(refusal.message).toContain(named)
    expect((await repo.handle.journal.log.head()).seq).toBe(seq)
  })

  it('an observation of an unknown commit is refused', async () => {
    const repo = await openNew(store)
    await repo.set('/a', 1, 'Begin')
    expect(await refusalOf(repo.observe('nowhere', { held: true }))).toMatchObject({ code: 'ref-not-found' })
  })
})

it('counts and score are those of the definition, whatever was observed', async () => {
  const observed = fc.record({ confidence: fc.integer({ min: 0, max: 1000 }), held: fc.boolean() })
  await fc.assert(
    fc.asyncProperty(fc.array(observed, { minLength: 1, maxLength: 12 }), async all => {
      await using repo = await open()
      for (const [n, { confidence, held }] of all.entries()) {
        const why = { description: 'Guess', confidence: confidence / 1000 }
        await repo.observe(await repo.set('/n', n, why), { held })
      }
      const { count, brier, bands } = await repo.calibration()
      expect(count).toBe(all.length)
      const squares = all.map(({ confidence, held }) => (confidence / 1000 - Number(held)) ** 2)
      expect(brier).toBeCloseTo(squares.reduce((sum, square) => sum + square, 0) / all.length, 12)
      for (const [i, band] of bands.entries()) {
        const inside = all.filter(({ confidence }) => Math.min(9, Math.floor(confidence / 100)) === i)
        expect(band).toMatchObject({ count: inside.length, held: inside.filter(({ held }) => held).length })
      }
    }),
    { numRuns: 30 },
  )
})
