/**
 * Writers: every entry of a stored tree, at every depth, has the writer that a naive reading of the definition gives it.
 *
 * Histories have branches, batches of edits, merges, elements that move, values that change and change back, and
 * containers that are set whole. Each commit is stored, and the next one reads what was stored.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatPath, type Stored, userKey } from '../../src/core/index.ts'
import {
  type Child,
  childOf,
  containerOfChild,
  draftOfWriter,
  type Edit,
  type Entry,
  entriesOf,
  familyOf,
  type Link,
  type Node,
  type Policies,
  type Policy,
  seqOfWriter,
  type TreeLimits,
  withWriters,
} from '../../src/tree/index.ts'
import { isList, type Known, newlyKnown, plainOfKnown, settledKnown, textOfKnown } from './support/known.ts'
import type { NodeRange } from './support/known-list.ts'
import { storedOf } from './support/plain.ts'
import { storedNodes } from './support/stored-nodes.ts'
import { limitsByName, type Trees, tinyLimits, treesWith } from './support/trees.ts'
import { crampedSeed, crampedState, type EditSeed, editSeed, playedBatches, state } from './support/values.ts'

interface Commit {
  readonly root: Link
  readonly known: Known
  readonly parents: readonly number[]
}

type Action =
  | { readonly kind: 'edit'; readonly on: number; readonly seeds: readonly EditSeed[] }
  | { readonly kind: 'merge'; readonly on: number; readonly from: number; readonly policy: Policy | undefined }

const policy: fc.Arbitrary<Policy | undefined> = fc.constantFrom<Policy | undefined>(
  undefined,
  'theirs',
  'latest',
  'union',
  'append',
  { unionBy: 'id' },
)

/** What happens on one of a few branches. */
function actionOf(seed: fc.Arbitrary<EditSeed>, branches: number): fc.Arbitrary<Action> {
  const [on, from] = [fc.nat(branches - 1), fc.nat(branches - 1)]
  const seeds = fc.array(seed, { minLength: 1, maxLength: 4 })
  return fc.oneof(
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('edit' as const), on, seeds }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('merge' as const), on, from, policy }) },
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

/** The nodes below the root of a list, as trees with these limits cut it. */
function nodesIn(trees: Trees, list: readonly Known[]): readonly NodeRange[] {
  const value = storedOf(list.map(plainOfKnown))
  const root = trees.run(containerOfChild(trees.context, childOf(trees.context, value, 0)))!
  const ranges: NodeRange[] = []
  const visit = (node: Node, start: number): void => {
    if (!('items' in node)) return
    let from = start
    for (const { link, count } of node.items) {
      ranges.push({ level: node.level - 1, id: link.id, from, to: from + count })
      visit(link.fresh!.node, from)
      from += count
    }
  }
  visit(root, 0)
  return ranges
}

/** Plays a history in trees, and compares each commit with what the definition gives. */
function replay(limits: TreeLimits, start: Stored, actions: readonly Action[]): void {
  const nodes = storedNodes()
  const trees = treesWith(limits, nodes)
  const first = trees.root(start)
  nodes.store(first, 1)
  const commits: (Commit | undefined)[] = [undefined, { root: first, known: newlyKnown(start, 1), parents: [] }]
  const heads = [1, 1, 1, 1]
  for (const one of actions) {
    const seq = commits.length
    const { root: made, parents } = committed(trees, commits, heads, one)
    const befores = parents.map(parent => commits[parent]!)
    const fresh = newlyKnown(trees.value(made), seq)
    const { known, changed } = settledKnown(
      fresh,
      befores.map(before => before.known),
      list => nodesIn(trees, list),
    )
    const told: string[] = []
    const roots = befores.map(before => before.root)
    const root = trees.run(withWriters(trees.context, made, roots, { onChanged: path => told.push(formatPath(path)) }))
    expect(root.id).toBe(made.id)
    nodes.store(root, seq)
    expect(writersIn(trees, root, '').sort()).toEqual(writersOf(known, '').sort())
    expect([...new Set(told)].sort()).toEqual([...new Set(changed.map(formatPath))].sort())
    expectDefinition(known, roots.length === 0 ? [] : befores.map(before => before.known), seq)
    expectNothingWrong(trees, root, roots, seq)
    commits.push({ root, known, parents })
    heads[one.on] = seq
  }
}

/** What was stored is what is computed again. */
function expectNothingWrong(trees: Trees, root: Link, parents: readonly Link[], seq: number): void {
  const wrong: string[] = []
  const isOwn = (writer: number): boolean => seqOfWriter(writer) === seq
  trees.run(withWriters(trees.context, root, parents, { isOwn, onWrong: path => wrong.push(formatPath(path)) }))
  expect(wrong).toEqual([])
}

/** What an action makes, with whatever writers. */
function committed(
  trees: Trees,
  commits: readonly (Commit | undefined)[],
  heads: readonly number[],
  action: Action,
): { readonly root: Link; readonly parents: readonly number[] } {
  const on = heads[action.on]!
  const head = commits[on]!
  if (action.kind === 'edit') {
    const [batch] = playedBatches(storedOf(plainOfKnown(head.known)), [action.seeds])
    return { root: trees.edit(head.root, batch!.edits).root, parents: [on] }
  }
  const from = heads[action.from]!
  const base = commits[baseOf(commits, on, from)]!
  const policies: Policies = action.policy === undefined ? {} : { '/**': action.policy }
  return { root: trees.merge(base.root, head.root, commits[from]!.root, { policies }).root, parents: [on, from] }
}

describe.each(limitsByName)('with limits of %s', (_name, limits) => {
  it('every entry has the writer of the definition', () => {
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
function expectDefinition(known: Known, parents: readonly Known[], seq: number): void {
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

  function landed(head: Link, edits: readonly Edit[], seq: number): Link {
    const root = trees.run(withWriters(trees.context, trees.edit(head, edits).root, [head]))
    nodes.store(root, seq)
    return root
  }

  function history(...values: { readonly list: readonly (string | number)[] }[]): string[] {
    let root = trees.root({})
    values.forEach((value, n) => {
      root = landed(root, [{ op: 'set', path: [], value }], n + 1)
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

  function edited(...commits: Edit[][]): string[] {
    let root = trees.root({})
    commits.forEach((edits, n) => {
      root = landed(root, edits, n + 1)
    })
    return writersIn(trees, root, '')
  }
  const at = (...path: (string | number)[]): string[] => ['list', ...path.map(String)]
  const jobs: Edit = {
    op: 'set',
    path: ['list'],
    value: [
      { id: 1, state: 'done' },
      { id: 2, state: 'new' },
      { id: 3, state: 'new' },
    ],
  }

  it('of equal elements those stay that are equal from an end of the list', () => {
    const first: Edit[] = [{ op: 'set', path: ['list'], value: ['x', 'z'] }]
    const second: Edit[] = [{ op: 'set', path: at('-'), value: 'x' }]
    const third: Edit[] = [{ op: 'delete', path: at(0) }]
    expect(edited(first, second, third)).toEqual(['/list by 3', '/list/0 by 1', '/list/1 by 2'])
  })

  it('a change in place is one, whatever else the element equals then', () => {
    const lights: Edit[] = [{ op: 'set', path: ['list'], value: [0, 1, 0, 0] }]
    const change: Edit[] = [
      { op: 'set', path: at(0), value: 1 },
      { op: 'set', path: at(3), value: 1 },
    ]
    const writers = ['/list by 2', '/list/0 by 2', '/list/1 by 1', '/list/2 by 1', '/list/3 by 2']
    expect(edited(lights, change)).toEqual(writers)
  })

  it.each([0, 150, 299])('of 300 equal elements only the one that changes, number %i, is changed', place => {
    const zeros: Edit = { op: 'set', path: ['list'], value: Array.from({ length: 300 }, () => 0) }
    const one: Edit = { op: 'set', path: at(place), value: 1 }
    expect(edited([zeros], [one]).filter(line => line.endsWith('by 2'))).toEqual(['/list by 2', `/list/${place} by 2`])
  })

  it('an element that becomes what another was has moved', () => {
    const swap: Edit[] = [
      { op: 'set', path: at(0, 'id'), value: 2 },
      { op: 'set', path: at(0, 'state'), value: 'new' },
      { op: 'set', path: at(1, 'id'), value: 1 },
      { op: 'set', path: at(1, 'state'), value: 'done' },
    ]
    expect(edited([jobs], swap).filter(line => line.endsWith('by 2'))).toEqual(['/list by 2'])
  })

  it.each<[string, Edit, number]>([
    ['the one before it goes', { op: 'delete', path: at(0) }, 0],
    ['one comes in before it', { op: 'insert', path: at(1), value: { id: 9 } }, 2],
    ['one comes in behind it', { op: 'insert', path: at(2), value: { id: 9 } }, 1],
  ])('an element that changes when %s keeps the writers of its other fields', (_what, edit, place) => {
    const writers = edited([jobs], [edit, { op: 'set', path: at(place, 'state'), value: 'running' }])
    expect(writers).toContain(`/list/${place}/id by 1`)
    expect(writers).toContain(`/list/${place}/state by 2`)
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
