/** Changes and conflicts as users see them: with values, not stored forms. */

import type { Stored } from '../core/index.ts'
import type { StoredChange, StoredConflict, TreeContext } from '../tree/index.ts'
import { reportedValue } from './shown.ts'

export type Change =
  | { readonly op: 'add'; readonly path: string; readonly after: unknown }
  | { readonly op: 'remove'; readonly path: string; readonly before: unknown }
  | { readonly op: 'change'; readonly path: string; readonly before: unknown; readonly after: unknown }
  | { readonly op: 'move'; readonly path: string; readonly from: string; readonly after: unknown }

/** A side is absent when the path does not exist there. */
export interface Conflict {
  readonly path: string
  readonly base?: unknown
  readonly ours?: unknown
  readonly theirs?: unknown
}

export function changeFrom(context: TreeContext, change: StoredChange): Change {
  const shown = (value: Stored): unknown => reportedValue(context, value)
  switch (change.op) {
    case 'add':
      return { op: 'add', path: change.path, after: shown(change.after) }
    case 'remove':
      return { op: 'remove', path: change.path, before: shown(change.before) }
    case 'change':
      return { op: 'change', path: change.path, before: shown(change.before), after: shown(change.after) }
    case 'move':
      return { op: 'move', path: change.path, from: change.from, after: shown(change.after) }
  }
}

export function conflictFrom(context: TreeContext, { path, ...sides }: StoredConflict): Conflict {
  const values = Object.entries(sides).map(([side, value]) => [side, reportedValue(context, value as Stored)])
  return { path, ...Object.fromEntries(values) }
}
