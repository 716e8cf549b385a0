/** Long strings, bytes and tagged values: where they are cut, and what an edit of them stores anew. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isWellFormed, type Stored } from '../../src/core/index.ts'
import { type BranchNode, formatLimits, type Link, type Node, type TreeLimits } from '../../src/tree/index.ts'
import { storedNodes } from './support/stored-nodes.ts'
import { textOf, tinyLimits, treesWith } from './support/trees.ts'

function nodeAt(root: Link): Node {
  const map = root.fresh!.node as { readonly entries: readonly { readonly child: Link }[] }
  return map.entries[0]!.child.fresh!.node
}

function piecesBelow(node: Node): string[] {
  if (!('items' in node)) return [(node as { readonly piece: string }).piece]
  return node.items.flatMap(item => piecesBelow(item.link.fresh!.node))
}

function pieceSizes(limits: TreeLimits, value: Stored, encoding: 'utf8' | 'base64'): number[] {
  const trees = treesWith(limits)
  const node = nodeAt(trees.root({ long: value }))
  return piecesBelow(node).map(piece => Buffer.byteLength(piece, encoding))
}

const longText = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '€', '😀', '\ufeff'), minLength: 29, maxLength: 300 })

describe('pieces', () => {
  it('of a string are within the limits, whole characters, and together the string', () => {
    const trees = treesWith(tinyLimits)
    fc.assert(
      fc.property(longText, text => {
        const root = trees.root({ long: text })
        const pieces = piecesBelow(nodeAt(root))
        expect(pieces.join('')).toBe(text)
        for (const piece of pieces.slice(0, -1)) {
          expect(isWellFormed(piece)).toBe(true)
          const size = Buffer.byteLength(piece)
          // A cut that would fall inside a character waits for its end.
          expect(size >= tinyLimits.piece.min && size <= tinyLimits.piece.max + 3).toBe(true)
        }
        expect(trees.value(root)).toEqual({ long: text })
      }),
    )
  })

  it('of bytes are within the limits', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 30, maxLength: 200 }), bytes => {
        const sizes = pieceSizes(tinyLimits, { $bytes: Buffer.from(bytes).toString('base64') }, 'base64')
        expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(bytes.length)
        for (const size of sizes.slice(0, -1)) {
          expect(size >= tinyLimits.piece.min && size <= tinyLimits.piece.max).toBe(true)
        }
      }),
    )
  })

  it('of a tagged value that is long hold its text', () => {
    const trees = treesWith(tinyLimits)
    const value: Stored = { $set: Array.from({ length: 40 }, (_, n) => `item ${n}`) }
    const root = trees.root({ long: value })
    expect((nodeAt(root) as BranchNode).kind).toBe('values')
    expect(trees.value(root)).toEqual({ long: value })
  })

  it('of equal characters only are as long as they may be', () => {
    const sizes = pieceSizes(formatLimits, 'x'.repeat(200_000), 'utf8')
    expect(new Set(sizes.slice(0, -1))).toEqual(new Set([formatLimits.piece.max]))
  })
})

describe('an edit', () => {
  const words = Array.from({ length: 40_000 }, (_, n) => `word ${(n * 2654435761) >>> 11} `)

  it('of one character in a long string stores a few pieces', () => {
    const nodes = storedNodes()
    const trees = treesWith(formatLimits, nodes)
    const before = trees.root({ long: words.join('') })
    nodes.store(before, 1)
    const stored = nodes.texts().length
    expect(stored).toBeGreaterThan(20)
    const value = words.with(20_000, 'another word ').join('')
    const after = trees.edit(before, [{ op: 'set', path: ['long'], value }]).root
    nodes.store(after, 2)
    const added = nodes.texts().slice(stored)
    expect(added.length).toBeLessThanOrEqual(6)
    expect(added.join('').length).toBeLessThan(80_000)
    expect(textOf(trees, after) === JSON.stringify({ long: value })).toBe(true)
  })

  it('leaves the pointers of what is stored alone, also when two sides are merged', () => {
    const nodes = storedNodes()
    const trees = treesWith(tinyLimits, nodes)
    const [base, ours, theirs] = [words.slice(0, 30), words.slice(1, 31), words.slice(0, 31)].map((all, n) => {
      const root = trees.root({ long: all.join(''), n })
      nodes.store(root, n + 1)
      return root
    })
    const held = new Map<string, Node>()
    const keeping = treesWith(tinyLimits, {
      loadAll() {},
      load(link) {
        const node = held.get(`${link.at}`) ?? nodes.load(link)
        held.set(`${link.at}`, node)
        return node
      },
    })
    const pointersOf = (): number[] =>
      [...held.values()].flatMap(node => ('items' in node ? node.items.map(item => item.link.at) : []))
    for (const root of [base!, ours!, theirs!]) keeping.value(root)
    const before = pointersOf()
    keeping.merge(base!, ours!, theirs!, { policies: { '/long': 'theirs', '/n': 'max' } })
    keeping.edit(theirs!, [{ op: 'set', path: ['long'], value: words.slice(2, 33).join('') }])
    expect(pointersOf()).toEqual(before)
  })
})
