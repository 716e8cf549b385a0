/**
 * Refs made or moved under a read scope: the new name must not expose what the handle could not read before.
 *
 * Without this, a hidden branch could be copied to a name that may be read, and a part of a branch to one that shows all of it.
 */

import { type Move, readCommit, type Work } from '../../store/index.ts'
import type { Handle } from '../handle.ts'
import { grantNameOf, tagPrefix } from '../records/ref-names.ts'
import { assertNoExposure } from '../visibility/assert-reads.ts'
import { namesOfCommit } from '../visibility/names-of-commit.ts'
import { readScopeOf } from '../visibility/read-scope.ts'

export function* assertMovesNoExposure(handle: Handle, moves: readonly Move[]): Work<void> {
  const scope = yield* readScopeOf(handle)
  if (scope === undefined || scope.isWhole) return
  for (const { name: ref, expect, to } of moves) {
    const name = grantNameOf(ref) ?? (ref.startsWith(tagPrefix) ? ref.slice(tagPrefix.length) : undefined)
    if (name === undefined || typeof to !== 'number' || to === expect) continue
    const names = yield* namesOfCommit(handle, scope, yield* readCommit(handle.journal, to))
    yield* assertNoExposure(handle, scope, names, name)
  }
}
