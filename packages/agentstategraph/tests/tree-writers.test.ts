/**
 * Writers: every entry of a stored tree, at every depth, has the writer that a naive replay of the history gives it.
 *
 * Histories have branches, batches of edits, merges, elements that move, values that change and change back, and
 * containers that are set whole. Each commit is stored, and the next one reads what was stored.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Stored, userKey } from '../src/core/index.ts'
import {
  type Child,
  containerOfChild,
  draftOfWriter,
  type Edit,
  type Entry,
  entriesOf,
  familyOf,
  type Link,
  seqOfWriter,
  type TreeLimits,
} from '../src/tree/index.ts'
import { isList, type Known, newlyKnown, plainOfKnown, textOfKnown } from './tree/known.ts'
import { editedKnown } from './tree/known-edit.ts'
import { mergedKnown } from './tree/known-merge.ts'
import { storedOf } from './tree/plain.ts'
import { storedNodes } from './tree/stored-nodes.ts'
import { limitsByName, type Trees, tinyLimits, treesWith } from './tree/trees.ts'
import { crampedSeed, crampedState, type EditSeed, editSeed, playedBatches, state } from './tree/values.ts'

interface Commit {
  readonly root: Link
  readonly known: Known
  readonly parents: readonly number[]
}

type Action =
  | { readonly kind: 'edit'; readonly on: number; readonly seeds: readonly EditSeed[] }
  | { readonly kind: 'merge'; readonly on: number; readonly from: number }

/** What happens on one of a few branches. */
function actionOf(seed: fc.Arbitrary<EditSeed>, branches: number): fc.Arbitrary<Action> {
  const [on, from] = [fc.nat(branches - 1), fc.nat(branches - 1)]
  const seeds = fc.array(seed, { minLength: 1, maxLength: 4 })
  return fc.oneof(
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('edit' as const), on, seeds }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('merge' as const), on, from }) },
  )
}

/** Who wrote what, as lines of path, text and commit, read from a tree. */
function writersIn(trees: Trees, child: Child, path: string): string[] {
  const container = trees.run(containerOfChild(trees.context, child))
  if (container === undefined) return []
  const isMap = familyOf(container).leaf === 'map'
  return trees.run(entriesOf(trees.context, container)).flatMap((entry: Entry, n) => {
    const at = `${path}/${isMap ? userKey(entry.key) : n}`
    expect(draftOfWriter(entry.writer)).toBe(0)
    return [`${at} by ${seqOfWriter(entry.writer)}`, ...writersIn(trees, entry.child, at)]
  })
}

/** The same, read from a known value. */
function writersOf({ part }: Known, path: string): string[] {
  const children: [string, Known][] = isList(part)
    ? part.map((element, n) => [`${n}`, element])
    : part instanceof Map
      ? [...(part as ReadonlyMap<string, Known>)]
      : []
  return children.flatMap(([key, child]) => {
    const at = `${path}/${key}`
    return [`${at} by ${child.writer}`, ...writersOf(child, at)]
  })
}

/** The newest commit that is an ancestor of both, or one of them. */
function baseOf(commits: readonly (Commit | undefined)[], a: number, b: number): number {
  const ancestors = (seq: number): Set<number> =>
    new Set([seq, ...commits[seq]!.parents.flatMap(parent => [...ancestors(parent)])])
  const shared = ancestors(b)
  return Math.max(...[...ancestors(a)].filter(seq => shared.has(seq)))
}

/** Plays a history in trees and on known values, and compares them after each commit. */
function replay(limits: TreeLimits, start: Stored, actions: readonly Action[]): void {
  const nodes = storedNodes()
  const trees = treesWith(limits, nodes)
  const first = trees.root(start)
  nodes.store(first, 1)
  const commits: (Commit | undefined)[] = [undefined, { root: first, known: newlyKnown(start, 1), parents: [] }]
  const heads = [1, 1, 1, 1]
  for (const one of actions) {
    const seq = commits.length
    const next = committed(trees, commits, heads, one)
    nodes.store(next.root, seq)
    commits.push(next)
    heads[one.on] = seq
    expect(writersIn(trees, next.root, '').sort()).toEqual(writersOf(next.known, '').sort())
    const parents = next.parents.map(parent => commits[parent]!.known)
    expectDefinition(next, parents, seq)
  }
}

function committed(
  trees: Trees,
  commits: readonly (Commit | undefined)[],
  heads: readonly number[],
  action: Action,
): Commit {
  const seq = commits.length
  const on = heads[action.on]!
  const head = commits[on]!
  if (action.kind === 'edit') {
    const [batch] = playedBatches(storedOf(plainOfKnown(head.known)), [action.seeds])
    const { root } = trees.edit(head.root, batch!.edits)
    return { root, known: editedKnown(head.known, batch!.edits, seq), parents: [on] }
  }
  const from = heads[action.from]!
  const base = commits[baseOf(commits, on, from)]!
  const { root } = trees.merge(base.root, head.root, commits[from]!.root)
  return { root, known: mergedKnown(base.known, head.known, commits[from]!.known, seq)!, parents: [on, from] }
}

describe.each(limitsByName)('with limits of %s', (_name, limits) => {
  it('every entry has the writer of a naive replay', () => {
    const actions = fc.array(actionOf(editSeed, 4), { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(state, actions, (start, all) => replay(limits, start, all)),
      { numRuns: 18 },
    )
  })

  it('also where equal elements abound, and what changes soon changes back', () => {
    const actions = fc.array(actionOf(crampedSeed, 2), { minLength: 8, maxLength: 24 })
    fc.assert(
      fc.property(crampedState, actions, (start, all) => replay(limits, start, all)),
      { numRuns: 50 },
    )
  })
})

/** The definition itself, wherever no list is on the way. */
function expectDefinition({ known }: Commit, parents: readonly Known[], seq: number): void {
  const check = (now: Known, before: readonly (Known | undefined)[], path: string): void => {
    const equal = before.find(parent => parent !== undefined && textOfKnown(parent) === textOfKnown(now))
    if (path !== '') expect([path, now.writer]).toEqual([path, equal?.writer ?? seq])
    if (!(now.part instanceof Map)) return
    for (const [key, child] of now.part as ReadonlyMap<string, Known>) {
      const below = before.map(parent => (parent?.part instanceof Map ? (parent.part.get(key) as Known) : undefined))
      check(child, below, `${path}/${key}`)
    }
  }
  check(known, parents, '')
}

describe('in words', () => {
  const nodes = storedNodes()
  const trees = treesWith(tinyLimits, nodes)

  function history(...values: { readonly list: readonly (string | number)[] }[]): string[] {
    let root = trees.root({})
    values.forEach((value, n) => {
      root = trees.edit(root, [{ op: 'set', path: [], value }]).root
      nodes.store(root, n + 1)
    })
    return writersIn(trees, root, '')
  }

  it('an element that only moves keeps its writer', () => {
    expect(history({ list: ['a', 'b', 'c'] }, { list: ['c', 'a', 'b'] })).toEqual([
      '/list by 2',
      '/list/0 by 1',
      '/list/1 by 1',
      '/list/2 by 1',
    ])
  })

  it('of several equal elements that left, the first comes back first', () => {
    const path = (index: number | '-'): string[] => ['list', `${index}`]
    const commits: Edit[][] = [
      [{ op: 'set', path: ['list'], value: ['x', 'z'] }],
      [{ op: 'set', path: path('-'), value: 'x' }],
      [
        { op: 'delete', path: path(2) },
        { op: 'delete', path: path(0) },
        { op: 'insert', path: path(1), value: 'x' },
      ],
    ]
    let root = trees.root({})
    commits.forEach((edits, n) => {
      root = trees.edit(root, edits).root
      nodes.store(root, n + 1)
    })
    expect(writersIn(trees, root, '')).toEqual(['/list by 3', '/list/0 by 1', '/list/1 by 1'])
  })

  it('a value that changes and changes back is by who changed it back', () => {
    expect(history({ list: [1] }, { list: [2] }, { list: [1] })).toEqual(['/list by 3', '/list/0 by 3'])
  })

  it('an edit names its draft', () => {
    const root = trees.root({ a: 1, b: { c: 2 } })
    const { root: after } = trees.edit(root, [
      { op: 'set', path: ['a'], value: 2, draft: 1 },
      { op: 'set', path: ['b', 'c'], value: 3, draft: 2 },
      { op: 'set', path: ['b', 'd'], value: 4, draft: 3 },
    ])
    const drafts = (path: string[]): number[] => {
      const found: number[] = []
      let child: Child = after
      for (const key of path) {
        const entry: Entry = trees
          .run(entriesOf(trees.context, trees.run(containerOfChild(trees.context, child))!))
          .find(one => one.key === key)!
        found.push(draftOfWriter(entry.writer))
        child = entry.child
      }
      return found
    }
    expect(drafts(['a'])).toEqual([1])
    expect(drafts(['b', 'c'])).toEqual([3, 2])
    expect(drafts(['b', 'd'])).toEqual([3, 3])
  })
})
