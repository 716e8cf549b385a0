/** The precondition of a write that its branch has not moved. */

import { hexOfId } from '../../core/index.ts'
import type { StoredCommit, Work } from '../../store/index.ts'
import { repoError } from '../errors.ts'
import type { Handle } from '../handle.ts'
import { branchScopeOf } from '../visibility/read-scope.ts'
import { findShownHead } from '../visibility/shown-head.ts'

/** How many digits of an id stand for it in a precondition: as many as every surface shows. */
const ENOUGH_DIGITS = 12

/** Throws when the head is another one. The beginning of an id is enough. A limited reader expects the head as it knows it, and is told no other. */
export function* assertHead(handle: Handle, head: StoredCommit | undefined, expected: string): Work<void> {
  if (head !== undefined && isNamed(hexOfId(head.id), expected)) return
  const shown = head && (yield* findShownHead(handle, head, yield* branchScopeOf(handle)))
  const actual = shown && hexOfId(shown.id)
  if (actual === undefined || !isNamed(actual, expected)) throw repoError('precondition-failed', { expected, actual })
}

function isNamed(id: string, expected: string): boolean {
  return id === expected || (expected.length >= ENOUGH_DIGITS && id.startsWith(expected))
}
