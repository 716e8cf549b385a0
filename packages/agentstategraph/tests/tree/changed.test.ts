/** The changed paths that an edit reports: all that differ, and nothing else. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatPath, type Stored } from '../../src/core/index.ts'
import type { Edit } from '../../src/tree/index.ts'
import { type Plain, plainOf, plainText } from './support/plain.ts'
import { limitsByName, tinyLimits, treesWith } from './support/trees.ts'
import { editedState } from './support/values.ts'

/** The deepest places at which two values differ as a whole; two lists that differ are one place. */
function differences(a: Plain | undefined, b: Plain | undefined, path: readonly string[]): string[] {
  if (a !== undefined && b !== undefined && plainText(a) === plainText(b)) return []
  if (!(a instanceof Map) || !(b instanceof Map)) return [formatPath(path)]
  const keys = new Set([...a.keys(), ...b.keys()])
  return [...keys].flatMap(key => differences(a.get(key), b.get(key), [...path, key]))
}

/** A path, cut off at the first list that both values have there. */
function upToList(path: readonly string[], a: Plain, b: Plain): string {
  let [x, y]: (Plain | undefined)[] = [a, b]
  for (const [depth, segment] of path.entries()) {
    if (Array.isArray(x) && Array.isArray(y)) return formatPath(path.slice(0, depth))
    x = x instanceof Map ? x.get(segment) : undefined
    y = y instanceof Map ? y.get(segment) : undefined
  }
  return formatPath(path)
}

describe.each(limitsByName)('with limits of %s', (_name, limits) => {
  const trees = treesWith(limits)

  it('an edit reports exactly the places that differ', () => {
    fc.assert(
      fc.property(editedState(3, 5), ({ start, batches }) => {
        let before = start
        for (const { edits, after } of batches) {
          const { changed } = trees.edit(trees.root(before), edits)
          const [a, b] = [plainOf(before), plainOf(after)]
          const reported = new Set(changed.map(path => upToList(path, a, b)))
          expect([...reported].sort()).toEqual(differences(a, b, []).sort())
          before = after
        }
      }),
      { numRuns: 80 },
    )
  })

  it('of elements set in place it reports those that differ', () => {
    const sets = fc.array(fc.tuple(fc.nat(29), fc.nat(3)), { maxLength: 12 })
    fc.assert(
      fc.property(fc.array(fc.nat(3), { minLength: 30, maxLength: 30 }), sets, (before, places) => {
        const after = [...before]
        const edits = places.map(([index, value]): Edit => {
          after[index] = value
          return { op: 'set', path: ['list', `${index}`], value }
        })
        const { changed } = trees.edit(trees.root({ list: before }), edits)
        const different = after.flatMap((value, index) => (value === before[index] ? [] : [`/list/${index}`]))
        expect([...new Set(changed.map(formatPath))].sort()).toEqual(different.sort())
      }),
      { numRuns: 60 },
    )
  })
})

describe('in a list', () => {
  const trees = treesWith(tinyLimits)
  const list: Stored = [{ id: 1, tags: ['x'] }, { id: 2 }, { id: 3 }]
  const changedBy = (...edits: Edit[]): string[] =>
    trees.edit(trees.root({ list }), edits).changed.map(formatPath).sort()

  it('a new element is reported where it is, a removed one where it was', () => {
    expect(changedBy({ op: 'insert', path: ['list', '1'], value: 0 })).toEqual(['/list/1'])
    expect(changedBy({ op: 'set', path: ['list', '-'], value: 0 })).toEqual(['/list/3'])
    expect(changedBy({ op: 'delete', path: ['list', '2'] })).toEqual(['/list/2'])
  })

  it('a change inside an element is reported inside it, at its place after the batch', () => {
    expect(changedBy({ op: 'set', path: ['list', '0', 'tags', '-'], value: 'y' })).toEqual(['/list/0/tags/1'])
    expect(
      changedBy({ op: 'set', path: ['list', '1', 'id'], value: 9 }, { op: 'insert', path: ['list', '0'], value: 0 }),
    ).toEqual(['/list/0', '/list/2/id'])
  })

  it('a list set whole is reported by its elements', () => {
    expect(changedBy({ op: 'set', path: ['list'], value: [{ id: 1, tags: [] }, { id: 2 }, { id: 3 }] })).toEqual([
      '/list/0/tags/0',
    ])
    expect(changedBy({ op: 'set', path: ['list'], value: 'none' })).toEqual(['/list'])
  })
})
