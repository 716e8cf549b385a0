/**
 * Refs that are made or moved by somebody who may not read everything: a name must not show what he could not read before.
 *
 * Without this, a hidden branch could be copied to a name that may be read, and a part of a branch to one that shows all of it.
 */

import { type Move, readCommit, type Work } from '../../store/index.ts'
import { nameOfRef } from '../access/landing-requests.ts'
import type { Handle } from '../handle.ts'
import { tagPrefix } from '../records/ref-kinds.ts'
import { assertFlows } from '../visibility/assert-reads.ts'
import { namesOfCommit } from '../visibility/names-of-commit.ts'
import { sightOf } from '../visibility/read-scope.ts'

export function* assertMovesFlow(handle: Handle, moves: readonly Move[]): Work<void> {
  const sight = yield* sightOf(handle)
  if (sight === undefined || sight.isWhole) return
  for (const { name: ref, expect, to } of moves) {
    const name = nameOfRef(ref) ?? (ref.startsWith(tagPrefix) ? ref.slice(tagPrefix.length) : undefined)
    if (name === undefined || typeof to !== 'number' || to === expect) continue
    const names = yield* namesOfCommit(handle, sight, yield* readCommit(handle.journal, to))
    yield* assertFlows(handle, sight, names, name)
  }
}
