/** Changes and conflicts as users see them: with values, not stored forms. */

import { decode, encode, type Limits, parsePath, type Stored } from '../core/index.ts'
import type { StoredChange, StoredConflict } from '../tree/index.ts'

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

export function changeFrom(change: StoredChange): Change {
  switch (change.op) {
    case 'add':
      return { op: 'add', path: change.path, after: decode(change.after) }
    case 'remove':
      return { op: 'remove', path: change.path, before: decode(change.before) }
    case 'change':
      return { op: 'change', path: change.path, before: decode(change.before), after: decode(change.after) }
    case 'move':
      return { op: 'move', path: change.path, from: change.from, after: decode(change.after) }
  }
}

/** The change with its new value stored; what was there before is not needed to make it. */
export function storedChange(change: Change, limits: Limits): StoredChange {
  const { path } = change
  const after = (value: unknown): Stored => encode(value, { at: parsePath(path, limits), limits })
  switch (change.op) {
    case 'remove':
      return { op: 'remove', path, before: null }
    case 'add':
      return { op: 'add', path, after: after(change.after) }
    case 'change':
      return { op: 'change', path, before: null, after: after(change.after) }
    case 'move':
      return { op: 'move', path, from: change.from, after: after(change.after) }
  }
}

export function conflictFrom({ path, ...sides }: StoredConflict): Conflict {
  const values = Object.entries(sides).map(([side, value]) => [side, decode(value as Stored)])
  return { path, ...Object.fromEntries(values) }
}
