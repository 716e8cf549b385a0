/**
 * The writers of tainted places: the principals behind the commits that blame names there, or else the agents of the commits.
 *
 * For a container also the writers of its parts, and for a commit that landed drafts also those behind the drafts.
 */

import { couldMatchBelow, type Glob, hexOfId, matchesGlob, userKey } from '../../core/index.ts'
import { linksOfCommit } from '../../repo/access/actors.ts'
import { isOnBranch, type TaintedPlaces } from '../../repo/access/taints.ts'
import type { Handle } from '../../repo/handle.ts'
import { commitOfId } from '../../repo/query/revision.ts'
import type { AccessState } from '../../repo/records/accessor.ts'
import { branchPrefix, grantNameOf, listRefs, threadPrefix } from '../../repo/records/ref-names.ts'
import { placePattern } from '../../repo/state/place-pattern.ts'
import { readCommit, type StoredCommit, type Work } from '../../store/index.ts'
import { type Child, containerOfChild, decryptedChild, entriesOf, familyOf, seqOfWriter } from '../../tree/index.ts'

/** The writers of all places of a taint, sorted. */
export function* writersOfPlaces(
  handle: Handle,
  state: AccessState | undefined,
  taint: TaintedPlaces,
): Work<readonly string[]> {
  const glob = placePattern(taint.path)
  const commits = new Set<number>()
  for (const prefix of [branchPrefix, threadPrefix]) {
    for (const { name: ref, seq } of yield* listRefs(prefix)) {
      if (!isOnBranch(taint, grantNameOf(ref)!)) continue
      const head = yield* readCommit(handle.journal, seq)
      if (matchesGlob(glob, [])) commits.add(seq)
      for (const root of [head.tree, head.system]) yield* gather(handle, glob, root, [], matchesGlob(glob, []), commits)
    }
  }
  const names = new Set<string>()
  for (const seq of commits) yield* addAuthors(handle, state, yield* readCommit(handle.journal, seq), names)
  return [...names].sort()
}

/** Adds the writers at and below a child, as far as the pattern matches. */
function* gather(
  handle: Handle,
  glob: Glob,
  child: Child,
  path: readonly string[],
  isMatched: boolean,
  into: Set<number>,
): Work<void> {
  const { context } = handle.journal
  const container = yield* containerOfChild(context, yield* decryptedChild(context, child, 0))
  if (container === undefined) return
  const isMap = familyOf(container).leaf === 'map'
  for (const [i, entry] of (yield* entriesOf(context, container)).entries()) {
    const at = [...path, isMap ? userKey(entry.key) : String(i)]
    const isPart = isMatched || matchesGlob(glob, at)
    if (isPart && seqOfWriter(entry.writer) > 0) into.add(seqOfWriter(entry.writer))
    if (isPart || couldMatchBelow(glob, at)) yield* gather(handle, glob, entry.child, at, isPart, into)
  }
}

function* addAuthors(
  { journal }: Handle,
  state: AccessState | undefined,
  { record }: StoredCommit,
  into: Set<string>,
): Work<void> {
  const records = [record]
  for (const id of record.drafts ?? []) records.push((yield* commitOfId(journal, hexOfId(id))).record)
  for (const one of records) for (const name of yield* linksOfCommit(state, one)) into.add(name)
}
