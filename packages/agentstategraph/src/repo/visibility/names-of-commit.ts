/**
 * The names under which somebody may read a commit: the branches and threads that it landed on, else whatever leads to it.
 *
 * A commit that came to a branch by a merge is part of that branch's past, and can be read there by who reads the branch.
 */

import { readCommit, type StoredCommit, type Work } from '../../store/index.ts'
import type { Handle } from '../handle.ts'
import { branchPrefix, grantNameOf, listRefs, tagPrefix, threadPrefix } from '../records/ref-names.ts'
import { isAncestor } from './ancestry.ts'
import { type BranchScope, type ReadScope, readScopeOf } from './read-scope.ts'

/** The names that a commit landed on, of those that may be read. */
export function landedNames(scope: ReadScope, { entry }: Pick<StoredCommit, 'entry'>): readonly string[] {
  return entry.moves.flatMap(([ref, , to]) => {
    const name = to === 0 ? grantNameOf(ref) : undefined
    return name === undefined || scope.on([name]).isBlank ? [] : [name]
  })
}

/** All names under which a commit may be read; none when it may not. */
export function* namesOfCommit(handle: Handle, scope: ReadScope, commit: StoredCommit): Work<readonly string[]> {
  const landed = landedNames(scope, commit)
  if (landed.length > 0) return landed
  const names: string[] = []
  for (const prefix of [branchPrefix, tagPrefix, threadPrefix]) {
    for (const { name: ref, seq } of yield* listRefs(prefix)) {
      const name = grantNameOf(ref) ?? ref.slice(tagPrefix.length)
      if (seq < commit.seq || scope.on([name]).isBlank) continue
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
export function* branchScopeOfCommit(handle: Handle, commit: StoredCommit): Work<BranchScope | undefined> {
  const scope = yield* readScopeOf(handle)
  if (scope === undefined) return undefined
  const hasLanded = commit.entry.moves.some(([, , to]) => to === 0)
  return scope.on(hasLanded ? landedNames(scope, commit) : yield* namesOfCommit(handle, scope, commit))
}
