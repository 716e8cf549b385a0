/** Node texts: what is stored is read back as it was, with pointers and writers. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalText, hashText } from '../../src/core/index.ts'
import {
  type Child,
  formatLimits,
  type Link,
  type Node,
  nodeText,
  parseNode,
  provenanceOf,
  rootOf,
} from '../../src/tree/index.ts'
import { limitsByName, treesWith } from './support/trees.ts'
import { mapOf, state } from './support/values.ts'

/** Every node of a tree that was never stored, with its link. */
function nodesBelow(link: Link): Link[] {
  const below: Link[] = []
  provenanceOf(
    link.fresh!.node,
    child => below.push(...nodesBelow(child)),
    () => {},
  )
  return [...below, link]
}

/** Gives a node pointers and writers, and says which. */
function numbered(node: Node, from: number): { pointers: number[]; writers: number[] } {
  const pointers: number[] = []
  const writers: number[] = []
  provenanceOf(
    node,
    link => {
      link.at = from * 1000 + pointers.length
      pointers.push(link.at)
    },
    entry => {
      entry.writer = from * 7000 + writers.length
      writers.push(entry.writer)
    },
  )
  return { pointers, writers }
}

function parsed(text: string, pointers: readonly number[], writers: readonly number[]): Node {
  let [pointer, writer] = [0, 0]
  const node = parseNode(text, { pointer: () => pointers[pointer++]!, writer: () => writers[writer++]! })
  expect([pointer, writer]).toEqual([pointers.length, writers.length])
  return node
}

describe.each(limitsByName)('with limits of %s', (_name, limits) => {
  const { context } = treesWith(limits)

  it('a node is read back from its text and its provenance', () => {
    fc.assert(
      fc.property(state, value => {
        const links = nodesBelow(rootOf(context, value, 0))
        const kept = links.map((link, n) => ({ link, ...numbered(link.fresh!.node, n) }))
        for (const { link, pointers, writers } of kept) {
          const { node, text } = link.fresh!
          const again = parsed(text, pointers, writers)
          expect(nodeText(again)).toBe(text)
          expect(plainNode(again)).toEqual(plainNode(node))
        }
      }),
      { numRuns: 35 },
    )
  })

  it('a text is canonical, and its hash is the id', () => {
    fc.assert(
      fc.property(state, value => {
        for (const link of nodesBelow(rootOf(context, value, 0))) {
          const { text } = link.fresh!
          expect(text).toBe(canonicalText(JSON.parse(text)))
          expect(link.id).toBe(hashText(text))
        }
      }),
      { numRuns: 35 },
    )
  })
})

/** A node without what is known of its text and of where its links lead, and with its values as texts. */
function plainNode(node: Node): unknown {
  const { kind } = node
  if ('entries' in node)
    return { kind, entries: node.entries.map(({ key, writer, child }) => ({ key, writer, child: plainChild(child) })) }
  if ('piece' in node) return { kind, piece: node.piece }
  if ('value' in node) return { kind, value: canonicalText(node.value) }
  return { kind, level: node.level, items: node.items.map(item => ({ ...item, link: plainChild(item.link) })) }
}

function plainChild(child: Child): unknown {
  if (child.kind === 'held') return { ...child, node: plainNode(child.node) }
  return child.kind === 'leaf' ? { ...child, value: canonicalText(child.value) } : { ...child, fresh: undefined }
}

describe('the forms of the format', () => {
  const { context } = treesWith(formatLimits)
  const text = (value: Parameters<typeof rootOf>[1]): string => rootOf(context, value, 0).fresh!.text

  it('a small state is one map with everything in it', () => {
    expect(text({})).toBe('["map",{},{}]')
    expect(text({ b: [1, { c: null }], a: { $date: null }, $$x: 'é', 10: 1, 9: 2 })).toBe(
      '["map",{},{"$$x":"é","10":1,"9":2,"a":{"$date":null},"b":[1,{"c":null}]}]',
    )
  })

  it('a value of 128 bytes is in its parent, one of 129 is linked', () => {
    expect(text({ a: 'x'.repeat(126) })).toBe(`["map",{},{"a":"${'x'.repeat(126)}"}]`)
    expect(text({ a: 'x'.repeat(127) })).toBe(`["map",{"a":"${hashText(`["value","${'x'.repeat(127)}"]`)}"},{}]`)
    expect(text({ a: 'é'.repeat(63) })).toBe(`["map",{},{"a":"${'é'.repeat(63)}"}]`)
    expect(text({ a: 'é'.repeat(64) })).toContain('["map",{"a":"')
  })

  it('linked elements of a list have a 0 in their place, and are in order of text', () => {
    const long = 'x'.repeat(200)
    const id = hashText(`["value","${long}"]`)
    const list = Array.from({ length: 11 }, (_, n) => (n === 2 || n === 10 ? long : n))
    const node = `["list",{"10":"${id}","2":"${id}"},[0,1,0,3,4,5,6,7,8,9,0]]`
    expect(text({ list })).toBe(`["map",{"list":"${hashText(node)}"},{}]`)
  })

  it('64 entries are one node, 65 are cut', () => {
    const keys = (count: number) => mapOf(Array.from({ length: count }, (_, n) => [`k${n}`, n] as const))
    expect(text(keys(64))).toMatch(/^\["map",/)
    expect(text(keys(65))).toMatch(/^\["maps",1,\[\["k0","[\w-]{43}",\d+\],\["k\d+","[\w-]{43}",\d+\]/)
  })

  it('64 KiB of text are one node, more are cut into pieces', () => {
    const nodes = (size: number): string[] =>
      nodesBelow(
        rootOf(
          context,
          { a: Array.from({ length: size }, (_, n) => String.fromCharCode(97 + ((n * n) % 23))).join('') },
          0,
        ),
      )
        .map(link => link.fresh!.node.kind)
        .filter((kind, n, all) => all.indexOf(kind) === n)
    expect(nodes(65_534)).toEqual(['value', 'map'])
    expect(nodes(65_535)).toEqual(['text', 'texts', 'map'])
  })
})
