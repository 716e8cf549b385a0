import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Money, money } from '../../../../tests/graph/support/money.ts'
import { limitsByName, tinyLimits, treesWith, walkSync } from '../../../../tests/tree/support/trees.ts'
import { editedState } from '../../../../tests/tree/support/values.ts'
import { ClassTable, decode, encode } from '../../../core/index.ts'
import type { StoredCommit } from '../../../store/index.ts'
import { type Link, rootOf, type TreeContext, type Walk } from '../../../tree/index.ts'
import { forTask } from '../../state/frozen.ts'
import { type StateVersion, stateVersions } from './versions.ts'

/** Reads states whose nodes are all in memory. */
function reader(context: TreeContext): (tree: Link) => StateVersion {
  const read = stateVersions(context)
  const asked = (): never => {
    throw new Error('A node should be in memory.')
  }
  return tree => walkSync(read({ tree } as StoredCommit) as Walk<StateVersion>, { load: asked, loadAll: asked })
}

describe.each(limitsByName)('with limits of %s', (_name, limits) => {
  const trees = treesWith(limits)

  it('each state is what it is when it is read alone, whatever was read before it', () => {
    fc.assert(
      fc.property(editedState(4, 4), fc.array(fc.nat(4), { maxLength: 8 }), ({ start, batches }, order) => {
        const states = [start, ...batches.map(({ after }) => after)]
        const roots = [trees.root(start)]
        for (const { edits } of batches) roots.push(trees.edit(roots.at(-1)!, edits).root)
        const read = reader(trees.context)
        for (const place of [4, 3, 2, 1, 0, ...order]) {
          const version = read(roots[place]!)
          expect(version.state()).toEqual(decode(states[place]!))
          expect([...version.fields].sort()).toEqual(Object.keys(version.state()).sort())
        }
      }),
      { numRuns: 15 },
    )
  })
})

it('what two states have in common is the same, except where a caller could change it', () => {
  const classes = new ClassTable([money])
  const context: TreeContext = { nodes: { find: () => undefined }, limits: tinyLimits, classes }
  const common = {
    plain: Array.from({ length: 20 }, (_, n) => ({ n, text: `text of ${n}` })),
    dates: [new Date(0), new Date(1)],
    prices: [new Money(1), new Money(2)],
  }
  const read = reader(context)
  const [a, b] = [1, 2].map(count => {
    return forTask(read(rootOf(context, encode({ ...common, count }, { classes }), 0)).state()) as typeof common
  }) as [typeof common, typeof common]
  expect(a.plain).toBe(b.plain)
  a.dates[0]!.setTime(5)
  a.prices[0]!.cents = 5
  expect([b.dates[0], b.prices[0]]).toEqual([new Date(0), new Money(1)])
})
