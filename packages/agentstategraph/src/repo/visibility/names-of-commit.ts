/**
 * The names under which a commit is readable: the branches and threads that it landed on, else those that lead to it.
 *
 * A commit that reached a branch by a merge is part of the history of that branch, and is readable with it.
 */

import { readCommit, type StoredCommit, type Work } from '../../store/index.ts'
import type { Handle } from '../handle.ts'
import { branchPrefix, grantNameOf, listRefs, tagPrefix, threadPrefix } from '../records/ref-names.ts'
import { isAncestor } from './ancestry.ts'
import { type BranchScope, type ReadScope, readScopeOf } from './read-scope.ts'

/** The readable names that a commit landed on. */
export function landedNames(scope: ReadScope, { entry }: Pick<StoredCommit, 'entry'>): readonly string[] {
  return entry.moves.flatMap(([ref, , to]) => {
    const name = to === 0 ? grantNameOf(ref) : undefined
    return name === undefined || scope.on([name]).isBlank ? [] : [name]
  })
}

/** All names under which a commit is readable; none when it is not. */
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
 * The scope for a commit that was found in the journal and not through a branch; undefined for the operator.
 *
 * It is that of the names it landed on. Only an imported commit, which landed nowhere here, is searched from the heads.
 */
export function* branchScopeOfCommit(handle: Handle, commit: StoredCommit): Work<BranchScope | undefined> {
  const scope = yield* readScopeOf(handle)
  if (scope === undefined) return undefined
  const hasLanded = commit.entry.moves.some(([, , to]) => to === 0)
  return scope.on(hasLanded ? landedNames(scope, commit) : yield* namesOfCommit(handle, scope, commit))
}
