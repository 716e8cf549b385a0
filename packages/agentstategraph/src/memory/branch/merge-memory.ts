/**
 * Merges a branch into a memory: the merge of the repository, with the policies of the agents.
 *
 * Branches of the first tasks of a new memory have no commit in common. Their base is the empty state.
 */

import { isStateError } from '../../core/index.ts'
import {
  assertSameVersion,
  branchRef,
  completeReason,
  detailLink,
  type Handle,
  landOn,
  type Merged,
  type MergeOptions,
  mergeBranch,
  mergedOn,
  mergeRequest,
  type Prepared,
  policiesOn,
  redactConflicts,
  refNotFound,
  repoError,
  resolveInto,
  storedResolutions,
  type Why,
} from '../../repo/index.ts'
import type { StoredCommit, Work } from '../../store/index.ts'
import { merge, type Policies } from '../../tree/index.ts'
import { baseAt } from './workspace.ts'

type Reason = Exclude<Why<MergeOptions>, string>

export function* mergeMemory(handle: Handle, source: string, why: Reason, ofAgents: Policies): Work<Merged> {
  try {
    return yield* mergeBranch(handle, source, why, ofAgents)
  } catch (error) {
    if (!isStateError(error, 'histories-unrelated')) throw error
    return yield* mergeFromNothing(handle, source, why, ofAgents)
  }
}

function* mergeFromNothing(handle: Handle, source: string, why: Reason, ofAgents: Policies): Work<Merged> {
  const { journal, branch } = handle
  const { context } = journal
  const prepare = function* (ours: StoredCommit | undefined): Work<Prepared<StoredCommit>> {
    const theirs = yield* resolveInto(handle, source)
    const reason = yield* completeReason(handle, why, 'Merge')
    if (ours === undefined) throw yield* refNotFound(handle, branch)
    yield* assertSameVersion(journal, { source, into: branch }, theirs, ours)
    const policies = yield* policiesOn(handle, ours, why.policies, ofAgents)
    const resolutions = storedResolutions(handle, why.resolutions)
    const empty = baseAt(handle, undefined).tree
    const merged = yield* merge(context, empty, ours.tree, theirs.tree, { policies, later: 'theirs', resolutions })
    if (merged.conflicts.length > 0) {
      const conflicts = yield* redactConflicts(handle, merged.conflicts)
      throw repoError('merge-conflict', { source, into: branch, conflicts })
    }
    const landing = {
      merged: [theirs],
      tree: merged.root,
      system: ours.system,
      info: { ...reason.info, merge: { source, bases: [] } },
      ...detailLink(handle, reason),
    }
    return { kind: 'landing', landing, result: theirs }
  }
  const request = mergeRequest(handle, source, why)
  return yield* mergedOn(handle, yield* landOn(handle, branchRef(branch), prepare, request))
}
