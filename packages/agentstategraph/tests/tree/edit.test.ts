/** Batch edit against edits made one after another to plain values. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalText, type Stored } from '../../src/core/index.ts'
import type { Edit, Edited, Link } from '../../src/tree/index.ts'
import { editedPlain, editedPlainBatch, type Plain, type PlainRefusal, plainOf, plainText } from './support/plain.ts'
import { limitsByName, type Trees, textOf, tinyLimits, treesWith } from './support/trees.ts'
import { type EditSeed, editedState, editSeed, editsFrom, state } from './support/values.ts'

/** A batch whose edits may be refused, each read against what the ones before it left; it may end with the first. */
function attempted(start: Stored, seeds: readonly EditSeed[], isEndedByRefusal: boolean): Edit[] {
  const edits: Edit[] = []
  let now: Plain | undefined = plainOf(start)
  for (const seed of seeds) {
    for (const one of editsFrom(seed, now)) {
      edits.push(one)
      try {
        now = editedPlain(now, one) ?? now
      } catch {
        if (isEndedByRefusal) return edits
      }
    }
  }
  return edits
}

function outcomeOf(work: () => string): string {
  try {
    return work()
  } catch (error) {
    return `refused: ${(error as PlainRefusal).code}`
  }
}

function inTree(trees: Trees, root: Link, edits: readonly Edit[]): string {
  return outcomeOf(() => textOf(trees, trees.edit(root, edits).root))
}

function inPlain(start: Stored, edits: readonly Edit[]): string {
  return outcomeOf(() => plainText(editedPlainBatch(plainOf(start), edits)))
}

describe.each(limitsByName)('with limits of %s', (_name, limits) => {
  const trees = treesWith(limits)

  it('a batch gives what its edits give one after another, or the same refusal', () => {
    fc.assert(
      fc.property(state, fc.array(editSeed, { maxLength: 8 }), (start, seeds) => {
        const edits = attempted(start, seeds, true)
        expect(inTree(trees, trees.root(start), edits)).toBe(inPlain(start, edits))
      }),
      { numRuns: 160 },
    )
  })

  it('a batch with a refused edit anywhere in it is refused', () => {
    fc.assert(
      fc.property(state, fc.array(editSeed, { maxLength: 12 }), (start, seeds) => {
        const edits = attempted(start, seeds, false)
        const isRefused = inPlain(start, edits).startsWith('refused')
        expect(inTree(trees, trees.root(start), edits).startsWith('refused')).toBe(isRefused)
      }),
      { numRuns: 60 },
    )
  })

  it('a batch is its edits made one by one', () => {
    fc.assert(
      fc.property(editedState(1, 8), ({ start, batches: [batch] }) => {
        const root = trees.root(start)
        const oneByOne = batch!.edits.reduce((now, one) => trees.edit(now, [one]).root, root)
        expect(trees.edit(root, batch!.edits).root.id).toBe(oneByOne.id)
      }),
      { numRuns: 70 },
    )
  })

  it('one edit gives the nodes, the writers and the changed paths that it gives beside another that does nothing', () => {
    const nothing: Edit = { op: 'delete', path: ['no such key'] }
    fc.assert(
      fc.property(editedState(1, 4), ({ start, batches: [batch] }) => {
        const root = trees.root(start)
        for (const one of batch!.edits) {
          let alone: Edited
          try {
            alone = trees.edit(root, [one])
          } catch {
            continue
          }
          expect(alone).toEqual(trees.edit(root, [one, nothing]))
        }
      }),
      { numRuns: 70 },
    )
  })

  it('a batch that changes nothing gives back the very root, and no changed path', () => {
    fc.assert(
      fc.property(editedState(1, 6), ({ start, batches: [batch] }) => {
        const root = trees.root(start)
        const edited = trees.edit(root, [...batch!.edits, { op: 'set', path: [], value: start }])
        expect(edited.root).toBe(root)
        expect(edited.changed).toEqual([])
        expect(trees.edit(root, [])).toEqual({ root, changed: [] })
      }),
      { numRuns: 60 },
    )
  })
})

describe('a refusal', () => {
  const trees = treesWith(tinyLimits)
  const start: Stored = { list: [1, [2], { x: 3 }], map: { when: { $date: '2026-01-02T03:04:05.006Z' } }, text: 'x' }
  const root = trees.root(start)
  const set = (path: string[], value: Stored = 0): Edit => ({ op: 'set', path, value })

  it.each<[string, Edit, object]>([
    [
      'below a scalar',
      set(['text', 'y', 'z']),
      { code: 'path-blocked', data: { path: '/text/y/z', at: '/text', type: 'a string' } },
    ],
    [
      'below a tagged value',
      set(['map', 'when', 'y']),
      { code: 'path-blocked', data: { path: '/map/when/y', at: '/map/when', type: 'a date' } },
    ],
    [
      'below a scalar in a list',
      set(['list', '0', 'y']),
      { code: 'path-blocked', data: { path: '/list/0/y', at: '/list/0', type: 'a number' } },
    ],
    ['at no index', set(['list', 'x']), { code: 'index-invalid', data: { path: '/list/x', segment: 'x', length: 3 } }],
    [
      'at an index with zeros',
      set(['list', '01']),
      { code: 'index-invalid', data: { path: '/list/01', segment: '01', length: 3 } },
    ],
    [
      'below "-"',
      set(['list', '-', 'x']),
      { code: 'index-invalid', data: { path: '/list/-/x', segment: '-', length: 3 } },
    ],
    [
      'past the end',
      set(['list', '3']),
      { code: 'index-out-of-range', data: { path: '/list/3', index: 3, length: 3 } },
    ],
    [
      'of an insert past the end',
      { op: 'insert', path: ['list', '4'], value: 0 },
      { code: 'index-out-of-range', data: { path: '/list/4', index: 4, length: 3 } },
    ],
    ['of the root as a list', set([], []), { code: 'root-not-a-map', data: { type: 'a list' } }],
    ['of the root as a scalar', set([], null), { code: 'root-not-a-map', data: { type: 'null' } }],
    ['of no root', { op: 'delete', path: [] }, { code: 'root-not-a-map', data: { type: 'nothing' } }],
  ])('%s names the place', (_what, one, error) => {
    expect(() => trees.edit(root, [one])).toThrow(expect.objectContaining(error))
    expect(() => trees.edit(root, [set(['new'], { deep: [0] }), one])).toThrow(expect.objectContaining(error))
  })

  it('is not lost when a later edit of the batch takes the place away or sets it whole', () => {
    const wrong = set(['list', '0', 'y'])
    const blocked = expect.objectContaining({ code: 'path-blocked' })
    expect(() => trees.edit(root, [wrong, { op: 'delete', path: ['list', '0'] }])).toThrow(blocked)
    expect(() => trees.edit(root, [wrong, set(['list', '0'], {})])).toThrow(blocked)
    expect(() => trees.edit(root, [wrong, set(['list'], [])])).toThrow(blocked)
    expect(() => trees.edit(root, [wrong, { op: 'delete', path: ['list'] }])).toThrow(blocked)
  })

  it.each([
    ['a key', ['map', 'no', 'where']],
    ['an index', ['list', '9']],
    ['no index', ['list', 'x', 'y']],
    ['"-"', ['list', '-']],
    ['what is below a scalar', ['text', 'y']],
  ])('is not what a delete of %s that is not there gives', (_what, path) => {
    expect(trees.edit(root, [{ op: 'delete', path }]).root).toBe(root)
  })
})

describe('an append where nothing is', () => {
  const trees = treesWith(tinyLimits)
  const append = (path: string[], value: Stored): Edit => ({ op: 'set', path: [...path, '-'], value })
  const after = (start: Stored, ...edits: Edit[]): unknown =>
    JSON.parse(textOf(trees, trees.edit(trees.root(start), edits).root))

  it('makes a list, and the next one appends to it', () => {
    const [a, b] = [append(['log'], 'a'), append(['log'], 'b')]
    expect(after({}, a)).toEqual({ log: ['a'] })
    expect(after({}, a, b)).toEqual({ log: ['a', 'b'] })
    expect(JSON.parse(textOf(trees, trees.edit(trees.edit(trees.root({}), [a]).root, [b]).root))).toEqual({
      log: ['a', 'b'],
    })
    expect(after({ x: 1 }, append(['y'], 'a'), append(['deep', 'log'], 'b'))).toEqual({
      x: 1,
      y: ['a'],
      deep: { log: ['b'] },
    })
    expect(after({ log: 1 }, { op: 'delete', path: ['log'] }, a)).toEqual({ log: ['a'] })
    expect(after({ list: [{}] }, append(['list', '0', 'log'], 'a'))).toEqual({ list: [{ log: ['a'] }] })
  })

  it('is an ordinary key in a map that is there, also in the root', () => {
    expect(after({ map: {} }, append(['map'], 'a'))).toEqual({ map: { '-': 'a' } })
    expect(after({}, append([], 'a'))).toEqual({ '-': 'a' })
    expect(after({ x: 1 }, { op: 'set', path: [], value: {} }, append([], 'a'))).toEqual({ '-': 'a' })
  })

  it('is refused before the end of a path, as in a list', () => {
    const below: Edit = { op: 'set', path: ['log', '-', 'a'], value: 1 }
    const refusal = { code: 'index-invalid', data: { path: '/log/-/a', segment: '-', length: 0 } }
    expect(() => after({}, below)).toThrow(expect.objectContaining(refusal))
    expect(() => after({ log: [] }, below)).toThrow(expect.objectContaining(refusal))
  })
})

it('an edit leaves the tree it was made from as it was', () => {
  const trees = treesWith(tinyLimits)
  fc.assert(
    fc.property(editedState(3, 5), ({ start, batches }) => {
      const roots = [trees.root(start)]
      for (const { edits } of batches) roots.push(trees.edit(roots.at(-1)!, edits).root)
      const texts = [start, ...batches.map(({ after }) => after)].map(canonicalText)
      expect(roots.map(root => textOf(trees, root))).toEqual(texts)
    }),
    { numRuns: 60 },
  )
})
