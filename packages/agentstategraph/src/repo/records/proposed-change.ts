/** Something that is about to become history, as taints and rules look at it: where, what changes, and what is said of it. */

import type { StoredCommit } from '../../store/index.ts'
import type { Link } from '../../tree/index.ts'

export interface ProposedChange {
  readonly branch: string
  readonly category: string
  /** Millionths; undefined when nothing was said, which counts as no confidence at all. */
  readonly confidence?: number | undefined
  readonly changed: readonly (readonly string[])[]
  /** The state before, and the state that it becomes. */
  readonly before: Pick<StoredCommit, 'tree' | 'system'> | undefined
  readonly after: { readonly tree: Link; readonly system: Link }
}
