/** What was done when: by day and by week, newest first, the same with an index and without. */
import { describe, expect, it } from 'vitest'
import { activity } from '../../src/maintenance/index.ts'
import { open } from '../../src/repository/index.ts'
import { stores } from './support/stores.ts'

describe.each(stores)('in %s', (_, make) => {
  it('counts landed commits by period, and leaves out periods in which nothing landed', async () => {
    let now = Date.parse('2026-05-01T10:00:00Z') // a Friday
    await using repo = await open(make(), { clock: () => new Date(now) })
    await repo.as('agent/a').set('/n', 1, 'One')
    await repo.as('agent/b').set('/n', 2, { description: 'Two', category: 'Fix' })
    now = Date.parse('2026-05-02T00:00:00Z')
    await using speculation = await repo.speculate()
    await speculation.set('/n', 9)
    now = Date.parse('2026-05-04T00:00:00Z') // a Monday
    await repo.as('agent/a').set('/n', 3, 'Three')
    const first = { commits: 2, byAgent: { 'agent/a': 1, 'agent/b': 1 }, byCategory: { Refine: 1, Fix: 1 } }
    const last = { commits: 1, byAgent: { 'agent/a': 1 }, byCategory: { Refine: 1 } }
    expect(await activity(repo)).toEqual([
      { start: '2026-05-04T00:00:00.000Z', ...last },
      { start: '2026-05-01T00:00:00.000Z', ...first },
    ])
    expect(await activity(repo, { by: 'week' })).toEqual([
      { start: '2026-05-04T00:00:00.000Z', ...last },
      { start: '2026-04-27T00:00:00.000Z', ...first },
    ])
    expect(await activity(repo, { limit: 1 })).toHaveLength(1)
    expect(await activity(repo, { until: new Date('2026-05-03T00:00:00Z') })).toHaveLength(1)
  })
})
