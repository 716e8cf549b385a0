/** The writes of a path, across deletions. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { open } from '../../src/repository/index.ts'
import { allStores, openNew } from './support/open-stores.ts'

describe.each(allStores)('on $name', store => {
  it('goes on across a deletion, which is one of the writes', async () => {
    const repo = await openNew(store)
    await repo.set('/a/x', 1, 'one')
    await repo.set('/a/y', 1, 'aside')
    await repo.delete('/a', 'away with all')
    await repo.set('/b', 1, 'aside')
    await repo.set('/a/x', 2, 'two')
    await repo.delete('/a/x', 'away')
    await repo.set('/b', 2, 'aside')
    const told = (await repo.history('/a/x')).map(({ intent, value, deleted }) => [intent.description, value, deleted])
    expect(told).toEqual([
      ['away', undefined, true],
      ['two', 2, undefined],
      ['away with all', undefined, true],
      ['one', 1, undefined],
    ])
    expect(await repo.history('/never')).toEqual([])
    expect(await repo.history('/a/x', { limit: 2 })).toHaveLength(2)
    const first = await repo.history('/a/x').page({ limit: 3 })
    await repo.set('/a/x', 3, 'meanwhile')
    const rest = await repo.history('/a/x').page({ limit: 3, after: first.next })
    expect(rest.items.map(({ value }) => value)).toEqual([1])
  })

  it('names the commit of a branch that deleted it, not the merge', async () => {
    const repo = await openNew(store)
    await repo.set('/x', 1, 'made')
    await repo.branch('side')
    await repo.on('side').delete('/x', 'deleted on the side')
    await repo.set('/y', 1, 'main goes on')
    await repo.merge('side')
    expect((await repo.history('/x')).map(({ intent }) => intent.description)).toEqual(['deleted on the side', 'made'])
  })

  it('of the root is every commit that changed it', async () => {
    const repo = await openNew(store)
    await repo.set('/x', 1, 'one')
    await repo.commit({ description: 'empty', allowEmpty: true }, () => {})
    await repo.set('/x', 2, 'two')
    expect((await repo.history('/')).map(({ intent }) => intent.description)).toEqual(['two', 'one'])
  })
})

it('is what a reader of every state would write down', async () => {
  const step = fc.constantFrom('set', 'delete', 'set above', 'delete above', 'aside')
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 10 }), async steps => {
      await using repo = await open()
      await repo.set('/begin', 1, 'Begin')
      const expected: (readonly [string, number | undefined])[] = []
      let now: number | undefined
      for (const [n, what] of steps.entries()) {
        const written = await {
          set: () => repo.set('/a/x', n, 'Set'),
          delete: () => repo.delete('/a/x', 'Delete'),
          'set above': () => repo.set('/a', { x: n }, 'Set above'),
          'delete above': () => repo.delete('/a', 'Delete above'),
          aside: () => repo.set('/b', n, 'Aside'),
        }
          [what]()
          .catch(() => undefined)
        const then = await repo.find<number>('/a/x')
        if (written !== undefined && then !== now) expected.unshift([written.id, then])
        now = then
      }
      expect((await repo.history('/a/x')).map(({ id, value }) => [id, value])).toEqual(expected)
    }),
    { numRuns: 40 },
  )
})
