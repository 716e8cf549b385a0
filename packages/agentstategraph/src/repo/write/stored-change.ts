/** From a change as a user gives it to one that a tree can be edited by. */

import { parsePath, type Stored } from '../../core/index.ts'
import type { StoredChange } from '../../tree/index.ts'
import type { Handle } from '../handle.ts'
import type { Change } from '../records/change.ts'
import { encodeAt } from './write.ts'

/** The change with its new value stored; what was there before is not needed to make it. */
export function storedChange(handle: Handle, change: Change): StoredChange {
  const { path } = change
  const after = (value: unknown): Stored => encodeAt(handle, parsePath(path, handle.shared.limits), value)
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
