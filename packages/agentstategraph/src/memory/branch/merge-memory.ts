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
  type MergeRules,
  type MergeSides,
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
import { edit, findEntry, type Link, merge, type Merged as TreeMerge } from '../../tree/index.ts'
import { applyAdditivePolicies } from './additive-policies.ts'
import type { AgentRules, InitialValue } from './agent-rules.ts'
import { baseAt } from './workspace.ts'

type Reason = Exclude<Why<MergeOptions>, string>

export function* mergeMemory(handle: Handle, source: string, why: Reason, agents: AgentRules): Work<Merged> {
  const rules = mergeRules(handle, agents)
  try {
    return yield* mergeBranch(handle, source, why, rules)
  } catch (error) {
    if (!isStateError(error, 'histories-unrelated')) throw error
    return yield* mergeFromNothing(handle, source, why, rules)
  }
}

/** As a landing merges: what both sides changed alike counts twice where a policy adds, over initial values too. */
function mergeRules(handle: Handle, { policies, initial }: AgentRules): MergeRules {
  const { context } = handle.journal
  return {
    policies,
    *mergeTrees({ base: stored, ours, theirs }, options): Work<TreeMerge> {
      const base = yield* withInitial(handle, { base: stored, ours, theirs }, initial)
      const merged = yield* merge(context, base, ours, theirs, options)
      if (merged.conflicts.length > 0) return merged
      const root = yield* applyAdditivePolicies(handle, options.policies, { base, ours, theirs }, merged.root)
      return { root, conflicts: [] }
    },
  }
}

/** The base with the initial values that both sides have changed. */
function* withInitial(
  { journal: { context } }: Handle,
  { base, ours, theirs }: MergeSides,
  initial: readonly InitialValue[],
): Work<Link> {
  const changed: InitialValue[] = []
  for (const one of initial) {
    if ((yield* findEntry(context, base, one.path)) !== undefined) continue
    if ((yield* findEntry(context, ours, one.path)) === undefined) continue
    if ((yield* findEntry(context, theirs, one.path)) !== undefined) changed.push(one)
  }
  return (yield* edit(context, base, changed)).root
}

function* mergeFromNothing(handle: Handle, source: string, why: Reason, rules: MergeRules): Work<Merged> {
  const { journal, branch } = handle
  const prepare = function* (ours: StoredCommit | undefined): Work<Prepared<StoredCommit>> {
    const theirs = yield* resolveInto(handle, source)
    const reason = yield* completeReason(handle, why, 'Merge')
    if (ours === undefined) throw yield* refNotFound(handle, branch)
    yield* assertSameVersion(journal, { source, into: branch }, theirs, ours)
    const policies = yield* policiesOn(handle, ours, why.policies, rules.policies)
    const resolutions = storedResolutions(handle, why.resolutions)
    const empty = baseAt(handle, undefined).tree
    const sides = { base: empty, ours: ours.tree, theirs: theirs.tree }
    const merged = yield* rules.mergeTrees(sides, { policies, later: 'theirs', resolutions })
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
