/**
 * A node of which nothing is behind a link is made from its value by one call, and its entries when something asks for them. It is the
 * node that would have been made entry by entry.
 */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { canonicalText, type Stored } from '../../src/core/index.ts'
import { writePack } from '../../src/store/packs/write-pack.ts'
import { childOf, type Link, provenanceOf, type TreeContext, writerOf } from '../../src/tree/index.ts'
import { replaceWriters } from '../../src/tree/nodes/node.ts'
import { pausedChildOf } from '../../src/tree/nodes/paused-child.ts'

import { limitsByName, noLoader, walkSync } from '../tree/support/trees.ts'
import { value as anyValue } from '../tree/support/values.ts'

/** Half of the values have their keys in the order of texts, as `encode` gives them. */
const stored = fc.tuple(anyValue, fc.boolean()).map(([value, inOrder]): Stored => {
  return inOrder ? (JSON.parse(canonicalText(value)) as Stored) : value
})
const given = fc.tuple(stored, fc.constantFrom(0, writerOf(0, 3), writerOf(7, 0)))

it.each(limitsByName)(
  'it has the id, the record and the writers of the other, with limits that are %s',
  (_, limits) => {
    fc.assert(
      fc.property(given, fc.boolean(), ([value, writer], areMade) => {
        const context: TreeContext = { nodes: { find: () => undefined }, limits }
        const slow: TreeContext = { nodes: { find: () => undefined, isPauseDue: () => false }, limits }
        // Long enough for a node of its own.
        const state = { pad: 'x'.repeat(200), value }
        const whole = childOf(context, state, writer) as Link
        const parted = walkSync(pausedChildOf(slow, state, writer), noLoader) as Link
        if (areMade) expect(writersOf(whole)).toEqual(writersOf(parted))
        expect(packOf(whole)).toEqual(packOf(parted))
        for (const link of [whole, parted]) replaceWriters(link.fresh!.node, by => by + 9)
        expect(writersOf(whole)).toEqual(writersOf(parted))
      }),
      { numRuns: 150 },
    )
  },
)

function packOf(root: Link): unknown {
  const system = childOf(
    { nodes: { find: () => undefined }, limits: limitsByName.at(-1)![1] },
    { a: 'x'.repeat(200) },
    0,
  )
  const { digest, parts, links } = writePack({ tree: root, system: system as Link, detail: undefined }, [])
  return { digest, parts, ids: links.map(({ id }) => id) }
}

function writersOf(link: Link): unknown[] {
  const all: unknown[] = []
  provenanceOf(
    link.fresh!.node,
    ({ id }) => all.push(id),
    ({ key, writer }) => all.push([key, writer]),
  )
  return all
}
