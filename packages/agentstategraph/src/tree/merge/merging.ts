/** The options of a merge, and the context that its functions share. */

import type { Stored } from '../../core/index.ts'
import type { StoredConflict } from '../errors.ts'
import type { TreeContext } from '../nodes/context.ts'
import type { ContainerNode, Entry } from '../nodes/node.ts'
import type { Walk } from '../nodes/walk.ts'
import type { PolicyTable, Side } from './policy.ts'

export type Resolution = Side | 'base' | { readonly value: Stored }

/** Options of `merge` and `previewMerge`. */
export interface MergeOptions {
  readonly policies: PolicyTable
  /** The side whose change is the later one: it wins `latest`, and comes second where both append. */
  readonly later: Side
  /** Resolutions of conflicts, by path. */
  readonly resolutions?: ReadonlyMap<string, Resolution>
}

export interface Merging extends MergeOptions {
  readonly context: TreeContext
  readonly conflicts: StoredConflict[]
  /** The merge of one path, for the merge of lists, whose elements are merged in turn. */
  readonly mergeEntry: (merging: Merging, three: Three, path: readonly string[]) => Walk<Entry | undefined>
}

/** The entries at one path in the three states; an absent one is `undefined`. */
export interface Three {
  readonly base: Entry | undefined
  readonly ours: Entry | undefined
  readonly theirs: Entry | undefined
}

/** The lists at one path in the three states. */
export interface ThreeLists {
  readonly base: ContainerNode
  readonly ours: ContainerNode
  readonly theirs: ContainerNode
}
