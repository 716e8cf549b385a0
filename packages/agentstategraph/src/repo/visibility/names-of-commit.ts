/**
 * The names under which somebody may read a commit: the branches and threads that it landed on, else whatever leads to it.
 *
 * A commit that came to a branch by a merge is part of that branch's past, and can be read there by who reads the branch.
 */

import { readCommit, type StoredCommit, type Work } from '../../store/index.ts'
import { nameOfRef } from '../access/landing-requests.ts'
import type { Handle } from '../handle.ts'
import { listRefs } from '../records/find-ref.ts'
import { branchPrefix, tagPrefix, threadPrefix } from '../records/ref-kinds.ts'
import { isAncestor } from './ancestry.ts'
import { type Sight, sightOf, type View } from './read-scope.ts'

/** The names that a commit landed on, of those that may be read. */
export function landedNames(sight: Sight, { entry }: Pick<StoredCommit, 'entry'>): readonly string[] {
  return entry.moves.flatMap(([ref, , to]) => {
    const name = to === 0 ? nameOfRef(ref) : undefined
    return name === undefined || sight.on([name]).isBlank ? [] : [name]
  })
}

/** All names under which a commit may be read; none when it may not. */
export function* namesOfCommit(handle: Handle, sight: Sight, commit: StoredCommit): Work<readonly string[]> {
  const landed = landedNames(sight, commit)
  if (landed.length > 0) return landed
  const names: string[] = []
  for (const prefix of [branchPrefix, tagPrefix, threadPrefix]) {
    for (const { name: ref, seq } of yield* listRefs(prefix)) {
      const name = nameOfRef(ref) ?? ref.slice(tagPrefix.length)
      if (seq < commit.seq || sight.on([name]).isBlank) continue
      if (yield* isAncestor(handle, commit, yield* readCommit(handle.journal, seq))) names.push(name)
    }
  }
  return names
}

/**
 * What may be read of a commit that is met in the journal, and not by way of a branch; undefined when there are no limits.
 *
 * It is read where it landed. Only one that was taken over from elsewhere, and landed nowhere here, is looked for.
 */
export function* viewOfCommit(handle: Handle, commit: StoredCommit): Work<View | undefined> {
  const sight = yield* sightOf(handle)
  if (sight === undefined) return undefined
  const hasLanded = commit.entry.moves.some(([, , to]) => to === 0)
  return sight.on(hasLanded ? landedNames(sight, commit) : yield* namesOfCommit(handle, sight, commit))
}
