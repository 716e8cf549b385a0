/** Numbers of a repository, and its index made anew. */
import { describe, expect, it } from 'vitest'
import { reindex, stats } from '../../src/maintenance/index.ts'
import { open } from '../../src/repository/index.ts'
import { stores } from './support/stores.ts'

describe.each(stores)('in %s', (_, make) => {
  it('stats count commits by agent and category, and branches', async () => {
    await using repo = await open(make())
    await repo.as('agent/a').set('/a', 1, 'One')
    await repo.as('agent/b').set('/a', 2, { description: 'Two', category: 'Fix' })
    await repo.branch('aside')
    const { storedBytes, ...counts } = await stats(repo)
    expect(counts).toEqual({
      commits: 2,
      branches: 2,
      byAgent: { 'agent/a': 1, 'agent/b': 1 },
      byCategory: { Refine: 1, Fix: 1 },
    })
    expect(storedBytes).toBeGreaterThan(500)
  })

  it('queries answer the same after the index was made anew', async () => {
    await using repo = await open(make())
    for (let i = 0; i < 5; i++) await repo.as(`agent/${i % 2}`).set('/a', i, `Step ${i}`)
    const before = await repo.query({ agent: 'agent/1' })
    await reindex(repo)
    expect(await repo.query({ agent: 'agent/1' })).toEqual(before)
    expect(before.map(({ intent }) => intent.description)).toEqual(['Step 3', 'Step 1'])
  })
})
