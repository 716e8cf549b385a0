import { expect, it } from 'vitest'
import { walkSync } from '../../../tests/tree/support/trees.ts'
import type { Link, Node } from './node.ts'
import { expectSoon, nodeOf, type Walk } from './walk.ts'

const link = (id: string): Link => ({ kind: 'link', id, at: 1, fresh: undefined })
const nodeNamed = (name: string): Node => ({ kind: 'value', value: name })
const nodes = { find: (asked: Link) => (asked.id === 'near' ? nodeNamed('found') : undefined) }
const fresh: Link = { ...link('fresh'), fresh: { node: nodeNamed('held'), text: '' } }

function* valuesOf(links: readonly Link[]): Walk<unknown[]> {
  yield* expectSoon(nodes, links)
  const values: unknown[] = []
  for (const one of links) values.push(((yield* nodeOf(nodes, one)) as { readonly value: unknown }).value)
  return values
}

const asked = [link('near'), fresh, link('far'), link('farther')]

it('a walk loads what is not in memory, and says beforehand what will be needed', () => {
  const hints: string[][] = []
  const loader = {
    load: ({ id }: Link) => nodeNamed(id),
    loadAll: (all: readonly Link[]) => void hints.push(all.map(({ id }) => id)),
  }
  expect(walkSync(valuesOf(asked), loader)).toEqual(['found', 'held', 'far', 'farther'])
  expect(hints).toEqual([['far', 'farther']])
})

it('one node is not announced', () => {
  const loader = {
    load: ({ id }: Link) => nodeNamed(id),
    loadAll: () => {
      throw new Error('One node is read as it comes.')
    },
  }
  expect(walkSync(valuesOf([link('far'), link('near')]), loader)).toEqual(['far', 'found'])
})
