/**
 * Trees in memory: the limits that laws are tried with, and tree functions run at once.
 *
 * A tree that was never stored holds all its nodes, so a walk that asks for one is a fault.
 */
import { canonicalText, type Stored } from '../../../src/core/index.ts'
import {
  type Child,
  diff,
  type Edit,
  type Edited,
  edit,
  formatLimits,
  isHint,
  isPausePoint,
  type Link,
  type Merged,
  merge,
  type Policies,
  policyTable,
  type Resolution,
  rootOf,
  type Side,
  type StoredChange,
  type SyncLoader,
  type TreeContext,
  type TreeLimits,
  valueOfChild,
  type Walk,
} from '../../../src/tree/index.ts'

/** Limits under which small values meet every rule of the format. */
export const tinyLimits: TreeLimits = {
  cut: { min: 2, max: 5 },
  inlineBytes: 12,
  longBytes: 30,
  piece: { min: 4, max: 12, bits: 2 },
}

/** The limits that laws are tried with, by name. */
export const limitsByName: readonly (readonly [string, TreeLimits])[] = [
  ['tiny', tinyLimits],
  ['narrow', { cut: { min: 2, max: 3 }, inlineBytes: 4, longBytes: 12, piece: { min: 2, max: 6, bits: 1 } }],
  ['middling', { cut: { min: 3, max: 9 }, inlineBytes: 40, longBytes: 64, piece: { min: 8, max: 40, bits: 3 } }],
  ['the format', formatLimits],
]

/** A loader for walks that need nothing. */
export const noLoader: SyncLoader = {
  load(link) {
    throw new Error(`The node ${link.id} should be in memory.`)
  },
  loadAll(links) {
    throw new Error(`${links.length} nodes should be in memory.`)
  },
}

/** Runs a tree function with a loader that answers at once. */
export function walkSync<T>(steps: Walk<T>, loader: SyncLoader): T {
  let step = steps.next()
  while (step.done !== true) {
    const need = step.value
    if (isPausePoint(need)) step = steps.next()
    else step = isHint(need) ? steps.next(void loader.loadAll(need)) : steps.next(loader.load(need))
  }
  return step.value
}

/** What a test does with trees under one set of limits. */
export interface Trees {
  readonly context: TreeContext
  run<T>(walk: Walk<T>): T
  root(value: Stored): Link
  value(child: Child): Stored
  edit(root: Link, edits: readonly Edit[]): Edited
  diff(a: Link, b: Link): StoredChange[]
  merge(base: Link, ours: Link, theirs: Link, options?: MergeAsked): Merged
}

/** A merge as a test asks for it. */
export interface MergeAsked {
  readonly policies?: Policies
  readonly later?: Side
  readonly resolutions?: ReadonlyMap<string, Resolution>
}

/** Creates trees under these limits; what is not in memory comes from the loader. */
export function treesWith(limits: TreeLimits, loader: SyncLoader = noLoader): Trees {
  const context: TreeContext = { nodes: { find: () => undefined }, limits }
  const run = <T>(walk: Walk<T>): T => walkSync(walk, loader)
  return {
    context,
    run,
    root: value => rootOf(context, value, 0),
    value: child => run(valueOfChild(context, child)),
    edit: (root, edits) => run(edit(context, root, edits)),
    diff: (a, b) => run(diff(context, a, b)),
    merge(base, ours, theirs, { policies = {}, later = 'theirs', resolutions } = {}) {
      const options = { policies: policyTable(policies), later }
      return run(merge(context, base, ours, theirs, resolutions === undefined ? options : { ...options, resolutions }))
    },
  }
}

/** The text of the value that a child holds. */
export function textOf(trees: Trees, child: Child): string {
  return canonicalText(trees.value(child))
}
