/** The precondition of a write that its branch has not moved. */

import { hexOfId } from '../../core/index.ts'
import type { StoredCommit, Work } from '../../store/index.ts'
import { repoError } from '../errors.ts'
import type { Handle } from '../handle.ts'
import { branchScopeOf } from '../visibility/read-scope.ts'
import { findShownHead } from '../visibility/shown-head.ts'

/** Throws when the head is another one. A limited reader expects the head as it knows it, and is told no other. */
export function* assertHead(handle: Handle, head: StoredCommit | undefined, expected: string): Work<void> {
  if (head !== undefined && hexOfId(head.id) === expected) return
  const shown = head && (yield* findShownHead(handle, head, yield* branchScopeOf(handle)))
  const actual = shown && hexOfId(shown.id)
  if (actual !== expected) throw repoError('precondition-failed', { expected, actual })
}
