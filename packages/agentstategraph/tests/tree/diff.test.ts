/** Differences: what they say, that they lead from one state to the other, and what they cost. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalText, parsePath, type Stored } from '../../src/core/index.ts'
import { editsOf, formatLimits, type StoredChange } from '../../src/tree/index.ts'
import { type Plain, plainOf, plainText } from './support/plain.ts'
import { storedNodes } from './support/stored-nodes.ts'
import { threeLists, threeRecordLists } from './support/three-states.ts'
import { limitsByName, tinyLimits, treesWith } from './support/trees.ts'
import { editedState, fewValued, mapOf, state } from './support/values.ts'

function findText(value: Plain, path: readonly string[]): string | undefined {
  const found = path.reduce<Plain | undefined>(
    (at, segment) => (at instanceof Map ? at.get(segment) : Array.isArray(at) ? at[Number(segment)] : undefined),
    value,
  )
  return found === undefined ? undefined : plainText(found)
}

describe.each(limitsByName)('with limits of %s', (_name, limits) => {
  const trees = treesWith(limits)

  it('the changes from a to b, made to a, give b', () => {
    fc.assert(
      fc.property(editedState(2, 6), ({ start, batches }) => {
        const [a, b, c] = [start, ...batches.map(({ after }) => after)].map(trees.root)
        for (const [from, to] of [
          [a!, b!],
          [b!, a!],
          [a!, c!],
          [c!, a!],
        ] as const) {
          expect(trees.edit(from, editsOf(trees.diff(from, to))).root.id).toBe(to.id)
        }
      }),
      { numRuns: 80 },
    )
  })

  it('this holds for states that have nothing to do with each other, and for lists of few values', () => {
    fc.assert(
      fc.property(state, state, fewValued, fewValued, (a, b, x, y) => {
        const [from, to] = [trees.root({ list: x, state: a }), trees.root({ list: y, state: b })]
        expect(trees.edit(from, editsOf(trees.diff(from, to))).root.id).toBe(to.id)
      }),
      { numRuns: 60 },
    )
  })

  it('this holds for lists of which a part was replaced, also when most elements are equal', () => {
    const bits = fc.array(fc.constantFrom<Stored>(0, 0, 0, 1), { maxLength: 40 })
    fc.assert(
      fc.property(
        bits,
        fc.nat(40),
        fc.nat(6),
        fc.array(fc.constantFrom<Stored>(0, 0, 1), { maxLength: 6 }),
        (a, at, gone, come) => {
          const [from, to] = [a, a.toSpliced(at, gone, ...come)].map(list => trees.root({ list }))
          expect(trees.edit(from!, editsOf(trees.diff(from!, to!))).root.id).toBe(to!.id)
          expect(trees.edit(to!, editsOf(trees.diff(to!, from!))).root.id).toBe(from!.id)
        },
      ),
      { numRuns: 200 },
    )
  })

  it('this holds for lists whose elements change inside, move, come and go at once', () => {
    fc.assert(
      fc.property(fc.oneof(threeLists, threeRecordLists), three => {
        const [base, ours, theirs] = [three.base, three.ours, three.theirs].map(trees.root)
        for (const [from, to] of [
          [base!, ours!],
          [ours!, theirs!],
        ] as const) {
          expect(trees.edit(from, editsOf(trees.diff(from, to))).root.id).toBe(to.id)
        }
      }),
      { numRuns: 100 },
    )
  })

  it('a state does not differ from itself', () => {
    fc.assert(
      fc.property(state, value => {
        expect(trees.diff(trees.root(value), trees.root(value))).toEqual([])
      }),
      { numRuns: 30 },
    )
  })

  it('each change holds the values that are there: after at its path, before where it was', () => {
    fc.assert(
      fc.property(editedState(1, 6), ({ start, batches: [batch] }) => {
        const after = plainOf(batch!.after)
        for (const change of trees.diff(trees.root(start), trees.root(batch!.after))) {
          if (change.op !== 'remove') expect(findText(after, parsePath(change.path))).toBe(canonicalText(change.after))
          if (change.op === 'change') expect(canonicalText(change.before)).not.toBe(canonicalText(change.after))
        }
      }),
      { numRuns: 60 },
    )
  })

  it('in maps alone, before is what was at the path', () => {
    fc.assert(
      fc.property(editedState(1, 6), ({ start, batches: [batch] }) => {
        const [before, after] = [withoutLists(start), withoutLists(batch!.after)]
        for (const change of trees.diff(trees.root(before), trees.root(after))) {
          const [was, is] = [plainOf(before), plainOf(after)].map(side => findText(side, parsePath(change.path)))
          expect(was).toBe('before' in change ? canonicalText(change.before) : undefined)
          expect(is).toBe('after' in change ? canonicalText(change.after) : undefined)
          expect(change.op).toBe(was === undefined ? 'add' : is === undefined ? 'remove' : 'change')
        }
      }),
      { numRuns: 60 },
    )
  })
})

/** The same value with a scalar for every list. */
function withoutLists(value: Stored): Stored {
  const plain = plainOf(value)
  if (Array.isArray(plain)) return canonicalText(value)
  if (!(plain instanceof Map)) return value
  const entries = Object.entries(value as object) as [string, Stored][]
  return Object.assign(
    Object.create(null),
    Object.fromEntries(entries.map(([key, child]) => [key, withoutLists(child)])),
  )
}

describe('in words', () => {
  const trees = treesWith(tinyLimits)
  const changes = (a: Stored, b: Stored): StoredChange[] => trees.diff(trees.root(a), trees.root(b))

  it.each<[string, Stored, Stored, StoredChange[]]>([
    ['a new key is added', {}, { $$a: 1 }, [{ op: 'add', path: '/$a', after: 1 }]],
    ['a lost key is removed', { 'a/b': 1 }, {}, [{ op: 'remove', path: '/a~1b', before: 1 }]],
    ['another value is a change', { a: 1 }, { a: 2 }, [{ op: 'change', path: '/a', before: 1, after: 2 }]],
    [
      'another kind is a change of the whole',
      { a: { b: 1 } },
      { a: [1] },
      [{ op: 'change', path: '/a', before: { b: 1 }, after: [1] }],
    ],
    [
      'a tagged value is one leaf',
      { a: { $set: [1] } },
      { a: { $set: [1, 2] } },
      [{ op: 'change', path: '/a', before: { $set: [1] }, after: { $set: [1, 2] } }],
    ],
    [
      'a change lies as deep as it can',
      { a: { b: { c: 1, d: 2 } } },
      { a: { b: { c: 1, d: 3 } } },
      [{ op: 'change', path: '/a/b/d', before: 2, after: 3 }],
    ],
    ['an element put in is added', { l: [1, 2] }, { l: [1, 9, 2] }, [{ op: 'add', path: '/l/1', after: 9 }]],
    ['an element taken out is removed', { l: [1, 9, 2] }, { l: [1, 2] }, [{ op: 'remove', path: '/l/1', before: 9 }]],
    [
      'an element changed in place is changed',
      { l: [1, 2, 3] },
      { l: [1, 9, 3] },
      [{ op: 'change', path: '/l/1', before: 2, after: 9 }],
    ],
    [
      'a change inside an element lies inside it',
      { l: [{ id: 1, n: 1 }] },
      { l: [{ id: 1, n: 2 }] },
      [{ op: 'change', path: '/l/0/n', before: 1, after: 2 }],
    ],
    [
      'an element that is elsewhere has moved',
      { l: [1, 2, 3, 4] },
      { l: [2, 3, 4, 1] },
      [{ op: 'move', path: '/l/3', from: '/l/0', after: 1 }],
    ],
    [
      'one that moves between others too',
      { l: [1, 2, 3, 4] },
      { l: [4, 1, 9, 2, 3] },
      [
        { op: 'move', path: '/l/0', from: '/l/3', after: 4 },
        { op: 'add', path: '/l/2', after: 9 },
      ],
    ],
    ['one of two equal elements goes', { l: [7, 7] }, { l: [7] }, [{ op: 'remove', path: '/l/1', before: 7 }]],
  ])('%s', (_what, a, b, expected) => {
    expect(changes(a, b).map(change => JSON.parse(JSON.stringify(change)))).toEqual(expected)
  })
})

describe('in large containers', () => {
  const size = 3000

  /** Nodes read by the diff of a stored state and an edited one, itself stored as a second commit. */
  function readsOf(start: Stored, path: readonly string[], op: 'set' | 'insert'): { reads: number; changes: number } {
    const nodes = storedNodes()
    const trees = treesWith(formatLimits, nodes)
    const before = trees.root(start)
    nodes.store(before, 1)
    const after = trees.edit(before, [{ op, path, value: 'new' }]).root
    nodes.store(after, 2)
    const from = nodes.reads()
    const changes = trees.diff(before, after).length
    return { reads: nodes.reads() - from, changes }
  }

  it('one changed key costs two nodes for each level', () => {
    const map = mapOf(Array.from({ length: size }, (_, n) => [`key ${n}`, n] as const))
    for (let n = 0; n < size; n += 97) {
      const { reads, changes } = readsOf({ map }, ['map', `key ${n}`], 'set')
      expect(changes).toBe(1)
      expect(reads).toBeLessThanOrEqual(2 * 4)
    }
  })

  it.each([
    ['set', 6 * 4],
    ['insert', 6 * 4],
  ] as const)('an element %s anywhere costs nodes by the height, not by the length', (op, most) => {
    const list = Array.from({ length: size }, (_, n) => n * n)
    for (let n = 0; n < size; n += 97) {
      const { reads, changes } = readsOf({ list }, ['list', `${n}`], op)
      expect(changes).toBe(1)
      expect(reads).toBeLessThanOrEqual(most)
    }
  })
})
