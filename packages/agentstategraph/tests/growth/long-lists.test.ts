/** Lists that grew by more elements than a call takes arguments, merged and checkpointed. */
import { expect, it } from 'vitest'
import { agent, Versioned } from '../../src/memory/index.ts'
import { formatLimits } from '../../src/tree/index.ts'
import { newRepository } from '../memory/support/open-memories.ts'
import { treesWith } from '../tree/support/trees.ts'

const MANY = 130_000
const many = Array.from({ length: MANY }, (_, n) => n % 7)

it('a list that grew by very much is merged with what the other side put in', () => {
  const trees = treesWith(formatLimits)
  const base = trees.root({ list: ['a', 'b'] })
  const grown = trees.root({ list: ['a', 'b', ...many] })
  const merged = trees.merge(base, grown, trees.root({ list: ['first', 'a', 'b', 'last'] }), {
    policies: { '/list': 'append' },
  })
  expect(merged.conflicts).toEqual([])
  expect(merged.root.id).toBe(trees.root({ list: ['first', 'a', 'b', ...many, 'last'] }).id)
})

it('a memory keeps a list that grew, in place and by a draft', async () => {
  const keeper = agent('keeper', { state: { list: ['a'] as unknown[] } })
  const repo = await newRepository({ name: 'memory', newStore: () => undefined })
  const memory = await Versioned.open(repo)
  ;(await memory.of(keeper)).list.push('b')
  await memory.checkpoint('Begin')
  const { list } = await memory.of(keeper)
  for (const value of many) list.push(value)
  await memory.checkpoint('Grow')
  const again = await Versioned.open(repo)
  await again.update(keeper, 'list', draft => void draft.splice(1, 1, ...many.slice(0, 30_000)))
  expect((await again.of(keeper)).list).toHaveLength(1 + 30_000 + MANY)
})
