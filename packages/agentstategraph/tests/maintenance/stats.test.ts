/** Numbers of a repository, and its index made anew. */
import { describe, expect, it } from 'vitest'
import { gc, reindex, stats } from '../../src/maintenance/index.ts'
import { open, type Repository } from '../../src/repository/index.ts'
import { stores } from './support/stores.ts'

/** The bytes of all texts and packs, read one by one. */
async function bytesOf({ handle }: Repository): Promise<number> {
  const { log } = handle.journal
  const rows = await log.entries(1, (await log.head()).seq, ['text', 'commit', 'part'])
  let bytes = 0
  for (const { seq, text, commit, part } of rows) {
    bytes += Buffer.byteLength(text) + Buffer.byteLength(commit?.text ?? '')
    for (let index = Number.MAX_SAFE_INTEGER; part !== undefined && index >= 0; ) {
      const [found] = await log.parts([{ seq, index }])
      bytes += found!.bytes.length
      index = found!.first - 1
    }
  }
  return bytes
}

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

  it('storedBytes are exact after every write, a large one, a draft, a collection and a new index', async () => {
    await using repo = await open(make())
    const isExact = async (): Promise<void> => expect((await stats(repo)).storedBytes).toBe(await bytesOf(repo))
    await isExact()
    await repo.set('/ü', 'ä'.repeat(100), 'Größer')
    await isExact()
    const large = Object.fromEntries(Array.from({ length: 400 }, (_, n) => [`key-${n}`, `${n}`.repeat(300)]))
    await repo.set('/large', large, 'Several parts')
    await isExact()
    const speculation = await repo.speculate()
    await speculation.set('/tried', Object.fromEntries(Object.entries(large).map(([key, text]) => [key, `${text}!`])))
    await isExact()
    const before = (await stats(repo)).storedBytes
    await speculation.discard()
    const { removed, freedBytes } = await gc(repo, { keepNewerMs: -1 })
    expect(removed).toBe(1)
    await isExact()
    expect((await stats(repo)).storedBytes).toBeLessThan(before - freedBytes / 2)
    await reindex(repo)
    await isExact()
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
