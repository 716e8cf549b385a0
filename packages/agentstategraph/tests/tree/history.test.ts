/** History independence: the root of a state depends on what is in it, and not on how it came about. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalText, type Stored } from '../../src/core/index.ts'
import { type Edit, formatLimits } from '../../src/tree/index.ts'
import { limitsByName, textOf, treesWith } from './support/trees.ts'
import { editedState, fewValued, mapOf, scalar, state } from './support/values.ts'

describe.each(limitsByName)('with limits of %s', (_name, limits) => {
  const trees = treesWith(limits)

  it('any history that ends in the same content ends in the same root', () => {
    fc.assert(
      fc.property(editedState(6, 4), ({ start, batches }) => {
        let root = trees.root(start)
        for (const { edits, after } of batches) {
          root = trees.edit(root, edits).root
          expect(root.id).toBe(trees.root(after).id)
        }
      }),
      { numRuns: 110 },
    )
  })

  it('a list has one root however its elements were put in and taken out', () => {
    const places = fc.array(fc.tuple(fc.nat(), scalar, fc.boolean()), { maxLength: 40 })
    fc.assert(
      fc.property(fewValued, places, fc.integer({ min: 1, max: 7 }), (elements, seeds, size) => {
        const now: Stored[] = [...elements]
        const edits = seeds.map(([place, value, isRemoval]): Edit => {
          if (isRemoval && now.length > 0) {
            const index = place % now.length
            now.splice(index, 1)
            return { op: 'delete', path: ['list', `${index}`] }
          }
          const index = place % (now.length + 1)
          const repeated = place % 3 === 0 ? value : (now[index] ?? value)
          now.splice(index, 0, repeated)
          return { op: 'insert', path: ['list', `${index}`], value: repeated }
        })
        let root = trees.root({ list: elements })
        for (let i = 0; i < edits.length; i += size) root = trees.edit(root, edits.slice(i, i + size)).root
        expect(root.id).toBe(trees.root({ list: now }).id)
      }),
      { numRuns: 110 },
    )
  })
})

describe('with the limits of the format and many entries', () => {
  const trees = treesWith(formatLimits)

  /** Keys whose order is not that of their numbers, some of them like integers. */
  const nameOf = (n: number): string => (n % 5 === 0 ? `${(n * 7919) % 100_003}` : `key ${(n * 31) % 4001} ${n}`)

  it('a map of thousands of keys has one root, filled in any order, with keys that came and went', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 60, max: 3000 }),
        fc.array(fc.tuple(fc.nat(5999), fc.boolean()), { minLength: 1, maxLength: 120 }),
        fc.integer({ min: 1, max: 200 }),
        (size, changes, batch) => {
          const content = new Map<string, Stored>()
          for (let n = 0; n < size; n++) content.set(nameOf(n), n)
          let root = trees.root({ map: mapOf(content) })
          const edits = changes.map(([n, isRemoval]): Edit => {
            const path = ['map', nameOf(isRemoval ? n % size : n)]
            if (isRemoval) content.delete(path[1]!)
            else content.set(path[1]!, -n)
            return isRemoval ? { op: 'delete', path } : { op: 'set', path, value: -n }
          })
          for (let i = 0; i < edits.length; i += batch) root = trees.edit(root, edits.slice(i, i + batch)).root
          expect(root.id).toBe(trees.root({ map: mapOf(content) }).id)
        },
      ),
      { numRuns: 25 },
    )
  })

  it('a map that shrinks through every height back to nothing is at each size the map of that size', () => {
    let root = trees.root({ map: mapOf(Array.from({ length: 2500 }, (_, n) => [nameOf(n), n] as const)) })
    for (let left = 2500; left > 0; ) {
      const next = Math.max(0, left - Math.max(1, Math.floor(left / 6)))
      const edits = Array.from(
        { length: left - next },
        (_, i): Edit => ({ op: 'delete', path: ['map', nameOf(next + i)] }),
      )
      root = trees.edit(root, edits).root
      left = next
      expect(root.id).toBe(
        trees.root({ map: mapOf(Array.from({ length: left }, (_, n) => [nameOf(n), n] as const)) }).id,
      )
    }
  })

  it.each([
    ['equal', 1],
    ['two-valued', 2],
    ['three-valued', 3],
    ['distinct', 100_000],
  ])('a list of many %s elements has one root, edited anywhere', (_kind, distinct) => {
    const elementOf = (n: number): Stored => ((n * 2654435761) >>> 7) % distinct
    fc.assert(
      fc.property(
        fc.integer({ min: 60, max: 3000 }),
        fc.array(fc.tuple(fc.nat(), fc.constantFrom('set', 'insert', 'delete')), { minLength: 1, maxLength: 40 }),
        fc.integer({ min: 1, max: 20 }),
        (size, changes, batch) => {
          const now = Array.from({ length: size }, (_, n) => elementOf(n))
          let root = trees.root({ list: now })
          const edits = changes.map(([place, op], n): Edit => {
            const index = place % now.length
            const path = ['list', `${index}`]
            const value = elementOf(size + n)
            if (op === 'delete') {
              now.splice(index, 1)
              return { op, path }
            }
            now.splice(index, op === 'set' ? 1 : 0, value)
            return { op: op as 'set' | 'insert', path, value }
          })
          for (let i = 0; i < edits.length; i += batch) root = trees.edit(root, edits.slice(i, i + batch)).root
          expect(root.id).toBe(trees.root({ list: now }).id)
        },
      ),
      { numRuns: 12 },
    )
  })

  it('a long string or long bytes have one root, whatever they replaced', () => {
    const words = (from: number, to: number): string =>
      Array.from({ length: to - from }, (_, n) => `word ${(from + n) * 7} 😀é `).join('')
    fc.assert(
      fc.property(fc.nat(9000), fc.nat(9000), fc.boolean(), (at, other, isBytes) => {
        const [before, after] = [at, other].map(n => `${words(0, n)}!${words(n, 9000)}`)
        const asValue = (text: string): Stored => (isBytes ? { $bytes: Buffer.from(text).toString('base64') } : text)
        const root = trees.edit(trees.root({ long: asValue(before!) }), [
          { op: 'set', path: ['long'], value: asValue(after!) },
        ]).root
        expect(root.id).toBe(trees.root({ long: asValue(after!) }).id)
        expect(textOf(trees, root) === textOf(trees, trees.root({ long: asValue(after!) }))).toBe(true)
      }),
      { numRuns: 6 },
    )
  })
})

it.each(limitsByName)(
  'values of every kind come back from a tree as they went in, with limits of %s',
  (_name, limits) => {
    const trees = treesWith(limits)
    fc.assert(
      fc.property(state, value => {
        expect(textOf(trees, trees.root(value))).toBe(canonicalText(value))
      }),
      { numRuns: 80 },
    )
  },
)
