/**
 * Bringing two histories together: three-way merge of a branch with another commit, previewed or landed.
 *
 * Both roots are merged, the user's and the system's. Where histories crossed and have several bases, the bases are
 * merged first and stand as one. A lost race merges again.
 */

import { copyGiven, formatPath, parsePath } from '../../core/index.ts'
import { readCommit, type StoredCommit, type Work } from '../../store/index.ts'
import {
  diff,
  type Link,
  merge,
  type Policies,
  type PolicyTable,
  policyTable,
  rootOf,
  type Resolution as StoredResolution,
  type Merged as TreeMerge,
  type MergeOptions as TreeMergeOptions,
} from '../../tree/index.ts'
import { repoError } from '../errors.ts'
import type { Handle } from '../handle.ts'
import type { Landing } from '../landing.ts'
import { nameOf, type Revision, resolveInto } from '../query/revision.ts'
import type { Change, Conflict } from '../records/change.ts'
import { givenInfo, type Reason, type Why } from '../records/info.ts'
import { branchRef } from '../records/ref-names.ts'
import { changesFrom } from '../state/decode-value.ts'
import { assertSameVersion } from '../state/meta.ts'
import { emptyRoot } from '../state/roots.ts'
import { isSystemPath } from '../state/state.ts'
import { assertNamesReadable } from '../visibility/assert-reads.ts'
import { type Written, writtenFrom } from '../visibility/commit.ts'
import { branchScopeOf } from '../visibility/read-scope.ts'
import { readableRoot } from '../visibility/readable-state.ts'
import { redactConflicts } from '../visibility/redact-conflicts.ts'
import { assertHead } from '../write/assert-head.ts'
import { completeReason } from '../write/complete-reason.ts'
import { type Request, requestOf } from '../write/idempotency.ts'
import { landOn, writtenOn } from '../write/land-with-retry.ts'
import type { LandedOn, Prepared } from '../write/prepared.ts'
import { appendMoves, getBranchHead, refNotFound } from '../write/refs.ts'
import { encodeAt } from '../write/write.ts'
import { mergeBases } from './merge-bases.ts'
import { mergedPlans } from './plan-merge.ts'
import { policiesOn } from './policies.ts'

/** What holds for the system root, which is for no policy of users to decide. */
const noPolicies = policyTable()

/** Options of `merge` and `previewMerge`. */
export interface MergeOptions {
  policies?: Policies | undefined
  /** By path, as a conflict named it. */
  resolutions?: Readonly<Record<string, 'ours' | 'theirs' | 'base' | { value: unknown }>> | undefined
  /** Only moves the branch when it can; otherwise a merge commit records why. */
  fastForward?: boolean | undefined
  onlyIf?: { head: string } | undefined
}

/** What `merge` did, and the commit that the branch has now. */
export interface Merged extends Written {
  readonly kind: 'merged' | 'fast-forward' | 'up-to-date'
}

/** What a merge would do, with the conflicts where it cannot. */
export type MergePreview =
  | { readonly kind: 'merged' | 'fast-forward' | 'up-to-date'; readonly changes: readonly Change[] }
  | { readonly kind: 'conflict'; readonly changes: readonly Change[]; readonly conflicts: readonly Conflict[] }

/** Two commits and what merging the second into the first gives. */
interface Combined {
  readonly kind: 'merged' | 'fast-forward' | 'up-to-date'
  readonly tree: Link
  readonly system: Link
  readonly conflicts: readonly Conflict[]
  readonly bases: readonly StoredCommit[]
}

/** How a caller merges states, beyond what the repository does. */
export interface MergeRules {
  /** For every merge; those of the call stand above them. */
  readonly policies: Policies
  mergeTrees(sides: MergeSides, options: TreeMergeOptions): Work<TreeMerge>
}

export interface MergeSides {
  readonly base: Link
  readonly ours: Link
  readonly theirs: Link
}

export function* mergeBranch(
  handle: Handle,
  source: Revision,
  given: Why<MergeOptions>,
  rules?: MergeRules,
): Work<Merged> {
  const { branch } = handle
  const why = copyGiven(given)
  const options: MergeOptions = givenInfo(why)
  const request = mergeRequest(handle, source, why)
  const prepare = function* (ours: StoredCommit | undefined): Work<Prepared<StoredCommit>> {
    const reason = yield* completeReason(handle, why, 'Merge')
    const theirs = yield* resolveInto(handle, source)
    if (ours === undefined) throw yield* refNotFound(handle, branch)
    if (options.onlyIf !== undefined) yield* assertHead(handle, ours, options.onlyIf.head)
    const combined = yield* combine(handle, ours, theirs, options, nameOf(source), rules)
    if (combined.kind === 'up-to-date') return { kind: 'unchanged', result: theirs }
    if (combined.conflicts.length > 0) {
      throw repoError('merge-conflict', { source: nameOf(source), into: branch, conflicts: combined.conflicts })
    }
    if (combined.kind === 'fast-forward' && options.fastForward === true) {
      const moves = [{ name: branchRef(branch), expect: ours.seq, to: theirs.seq }]
      return { kind: 'entry', append: () => appendMoves(handle, moves, { request }), result: theirs }
    }
    const landing = {
      merged: [theirs],
      tree: combined.tree,
      system: combined.system,
      info: { ...reason.info, merge: { source: nameOf(source), bases: combined.bases.map(base => base.id) } },
      ...detailLink(handle, reason),
    }
    return { kind: 'landing', landing, result: theirs }
  }
  return yield* mergedOn(handle, yield* landOn(handle, branchRef(branch), prepare, request))
}

export function mergeRequest(handle: Handle, source: Revision, why: Why<MergeOptions>): Request | undefined {
  return requestOf(handle, why, 'merge', [nameOf(source)])
}

/** What is told of a merge. */
export function* mergedOn(handle: Handle, outcome: LandedOn<StoredCommit>): Work<Merged> {
  if (outcome.kind === 'entry') {
    return { ...(yield* writtenFrom(handle, outcome.result, true)), kind: 'fast-forward' }
  }
  const written = yield* writtenOn(handle, outcome)
  if (outcome.kind === 'unchanged') return { ...written, kind: 'up-to-date' }
  // An entry that only moved the branch holds no commit: its number is not the commit's.
  const isMove = outcome.kind === 'repeated' && written.seq !== outcome.seq
  return { ...written, kind: isMove ? 'fast-forward' : 'merged' }
}

export function* previewMerge(handle: Handle, source: Revision, options: MergeOptions): Work<MergePreview> {
  const theirs = yield* resolveInto(handle, source)
  const ours = yield* getBranchHead(handle)
  const { kind, tree, conflicts } = yield* combine(handle, ours, theirs, options, nameOf(source))
  const { context } = handle.journal
  const view = yield* branchScopeOf(handle)
  const [before, after] = [yield* readableRoot(context, ours.tree, view), yield* readableRoot(context, tree, view)]
  const changes = yield* changesFrom(context, yield* diff(context, before, after))
  return conflicts.length > 0 ? { kind: 'conflict', changes, conflicts } : { kind, changes }
}

function* combine(
  handle: Handle,
  ours: StoredCommit,
  theirs: StoredCommit,
  options: MergeOptions,
  source: string,
  rules?: MergeRules,
): Work<Combined> {
  yield* assertNamesReadable(handle, Object.keys({ ...options.policies, ...options.resolutions }))
  const bases = yield* mergeBases(ours, theirs, seq => readCommit(handle.journal, seq))
  if (bases.length === 0) throw repoError('histories-unrelated', { source, into: handle.branch })
  if (bases[0]!.seq === theirs.seq)
    return { kind: 'up-to-date', tree: ours.tree, system: ours.system, conflicts: [], bases }
  const kind = bases[0]!.seq === ours.seq ? 'fast-forward' : 'merged'
  if (kind === 'merged') {
    yield* assertSameVersion(handle.journal, { source, into: handle.branch }, theirs, ours)
  }
  const policies = yield* policiesOn(handle, ours, options.policies, rules?.policies)
  const base = yield* virtualBase(handle, bases, policies)
  const tree =
    rules === undefined
      ? yield* threeWay(handle, base.tree, ours, theirs, 'tree', policies, options.resolutions)
      : yield* rules.mergeTrees(
          { base: base.tree, ours: ours.tree, theirs: theirs.tree },
          {
            policies,
            later: laterOf(ours, theirs),
            resolutions: storedResolutions(handle, options.resolutions),
          },
        )
  const system = yield* mergedPlans(
    handle.journal.context,
    { base: base.system, ours: ours.system, theirs: theirs.system },
    yield* threeWay(handle, base.system, ours, theirs, 'system', noPolicies, options.resolutions),
    storedResolutions(handle, options.resolutions),
  )
  const conflicts = yield* redactConflicts(handle, [...tree.conflicts, ...system.conflicts])
  return { kind, tree: tree.root, system: system.root, conflicts, bases }
}

export function* threeWay(
  handle: Handle,
  base: Link,
  ours: StoredCommit,
  theirs: StoredCommit,
  root: 'tree' | 'system',
  policies: PolicyTable,
  resolutions: MergeOptions['resolutions'],
): Work<TreeMerge> {
  return yield* merge(handle.journal.context, base, ours[root], theirs[root], {
    policies,
    later: laterOf(ours, theirs),
    resolutions: storedResolutions(handle, resolutions),
  })
}

/** The base of a merge. Several are merged with each other by the same policies. */
export function* virtualBase(
  handle: Handle,
  bases: readonly StoredCommit[],
  policies: PolicyTable,
): Work<{ tree: Link; system: Link }> {
  const { journal } = handle
  const [first, ...others] = [...bases].sort((a, b) => a.seq - b.seq)
  let { tree, system }: { tree: Link; system: Link } = first!
  for (const other of others) {
    const below = yield* mergeBases(first!, other, seq => readCommit(journal, seq))
    const base = below.length === 0 ? undefined : yield* virtualBase(handle, below, policies)
    tree = yield* mergedBase(handle, base?.tree ?? emptyRoot(journal), tree, other.tree, policies)
    system = yield* mergedBase(handle, base?.system ?? emptyRoot(journal), system, other.system, noPolicies)
  }
  return { tree, system }
}

/** Where two bases disagree, neither stands: else the side that has the one would seem unchanged, and lose unasked. */
function* mergedBase({ journal }: Handle, base: Link, a: Link, b: Link, policies: PolicyTable): Work<Link> {
  const options = { policies, later: 'theirs' as const }
  const { root, conflicts } = yield* merge(journal.context, base, a, b, options)
  if (conflicts.length === 0) return root
  const resolutions = new Map(conflicts.map(({ path }) => [path, 'base' as const]))
  return (yield* merge(journal.context, base, a, b, { ...options, resolutions })).root
}

/** The later of two commits by time, and of two in one millisecond the one that came later into the journal. */
function laterOf(ours: StoredCommit, theirs: StoredCommit): 'ours' | 'theirs' {
  const order = ours.record.time - theirs.record.time || ours.seq - theirs.seq
  return order > 0 ? 'ours' : 'theirs'
}

/** The caller's resolutions of conflicts in stored form, by path. */
export function storedResolutions(
  handle: Handle,
  resolutions: MergeOptions['resolutions'],
): ReadonlyMap<string, StoredResolution> {
  const entries = Object.entries(resolutions ?? {}).map(([path, resolution]): [string, StoredResolution] => {
    const at = parsePath(path, handle.shared.limits)
    // A side was authorized when it was written; a new value is written by the merging handle.
    if (typeof resolution !== 'string' && isSystemPath(at)) throw repoError('path-reserved', { path: formatPath(at) })
    const stored = typeof resolution === 'string' ? resolution : { value: encodeAt(handle, at, resolution.value) }
    return [formatPath(at), stored]
  })
  return new Map(entries)
}

/** What a landing takes from its reason: the tree of the detail, and the commits that it names. */
export function detailLink(
  { journal }: Handle,
  { detail, needs }: Omit<Reason, 'info'>,
): Pick<Landing, 'detail' | 'needs'> {
  return detail === undefined ? {} : { detail: rootOf(journal.context, detail, 0), needs }
}
