/**
 * Landing a speculation: what it changed becomes one commit on its branch, however far that has moved.
 *
 * It is merged there by three ways, from where it began; a conflict refuses it, and it stays open. The commit has one
 * parent and its nodes are written by value, so nothing points into the drafts. Its ref is deleted in the same append:
 * of two that land it at once, one finds it gone.
 */

import { copyGiven, coreError } from '../../core/index.ts'
import { readCommit, type StoredCommit, type Work } from '../../store/index.ts'
import { type Edit, findEntry, type Link, seqOfWriter } from '../../tree/index.ts'
import { repoError } from '../errors.ts'
import type { Handle } from '../handle.ts'
import { detailLink, type Merged, type MergeOptions, threeWay } from '../merge/merge.ts'
import { policiesOn } from '../merge/policies.ts'
import { rewriteOnto } from '../merge/revert-and-cherry-pick.ts'
import { givenInfo, type Why } from '../records/info.ts'
import { branchRef } from '../records/ref-names.ts'
import { assertSameVersion } from '../state/meta.ts'
import { assertNamesReadable } from '../visibility/assert-reads.ts'
import { writtenFrom } from '../visibility/commit.ts'
import { redactConflicts } from '../visibility/redact-conflicts.ts'
import { assertHead } from '../write/assert-head.ts'
import { completeReason } from '../write/complete-reason.ts'
import { requestOf } from '../write/idempotency.ts'
import { landAt, type Place, writtenOn } from '../write/land-with-retry.ts'
import type { Prepared } from '../write/prepared.ts'
import { getBranchHead } from '../write/refs.ts'
import { appendEnd, draftRef, getSpeculation, type OpenSpeculation } from '../write/speculation.ts'

export interface LandOptions extends MergeOptions {
  /** Commits even when nothing changes. */
  allowEmpty?: boolean | undefined
}

/** How many drafts a commit's text has room to name one by one. */
const MAX_NAMED_DRAFTS = 512

export function* landSpeculation(handle: Handle, id: string, given: Why<LandOptions>): Work<Merged> {
  const why = copyGiven(given)
  const options: LandOptions = givenInfo(why)
  if (options.fastForward === true) {
    const reason = 'a speculation always lands as a commit that says why'
    throw coreError('option-invalid', { field: 'fastForward', reason })
  }
  const find = function* (): Work<SpeculationTarget> {
    const open = yield* getSpeculation(handle, id)
    const target = { ...handle, branch: open.body.branch }
    return { open, target, ref: branchRef(target.branch), head: yield* getBranchHead(target) }
  }
  const request = requestOf(handle, why, 'commit-speculation', [id])
  const isAlways = options.allowEmpty === true || request !== undefined
  const prepare = function* ({ open, target, head }: SpeculationTarget): Work<Prepared<StoredCommit>> {
    const reason = yield* completeReason(handle, why, 'Refine')
    if (options.onlyIf !== undefined) yield* assertHead(target, head, options.onlyIf.head)
    yield* assertNamesReadable(target, Object.keys({ ...options.policies, ...options.resolutions }))
    const wanted = yield* mergedOnto(target, open, head, options)
    const drafts = yield* draftsOf(handle, open)
    const root = yield* rewriteOnto(handle, head.tree, wanted, edit => draftBehind(handle, wanted, drafts, edit))
    if (root === head.tree && !isAlways) {
      return { kind: 'entry', append: () => appendEnd(target, id, open.at, 'committed'), result: head }
    }
    const landing = {
      tree: root,
      system: head.system,
      info: reason.info,
      drafts: drafts.names,
      body: { draft: { label: labelOf(open) } },
      moves: [{ name: draftRef(id), expect: open.at, to: null }],
      ...detailLink(handle, reason),
    }
    return { kind: 'landing', landing, result: head }
  }
  const outcome = yield* landAt(handle, find, prepare, request)
  if (outcome.kind !== 'entry') return { ...(yield* writtenOn(handle, outcome)), kind: 'merged' }
  return { ...(yield* writtenFrom(handle, outcome.result, false)), kind: 'up-to-date' }
}

interface SpeculationTarget extends Place {
  readonly open: OpenSpeculation
  /** The handle on the branch that it lands on. */
  readonly target: Handle
  readonly head: StoredCommit
}

function labelOf({ id, body }: OpenSpeculation): string {
  return body.label ?? id
}

/** The state of the branch with what the speculation changed. The system's root is not written in speculations. */
function* mergedOnto(handle: Handle, open: OpenSpeculation, head: StoredCommit, options: LandOptions): Work<Link> {
  yield* assertSameVersion(handle.journal, { source: labelOf(open), into: handle.branch }, open.base, head)
  const policies = yield* policiesOn(handle, head, options.policies)
  const { tree } = open.base
  const merged = yield* threeWay(handle, tree, head, open.head, 'tree', policies, options.resolutions)
  if (merged.conflicts.length === 0) return merged.root
  const conflicts = yield* redactConflicts(handle, merged.conflicts)
  throw repoError('merge-conflict', { source: labelOf(open), into: handle.branch, conflicts })
}

interface Drafts {
  /** The ids of the commits made in the speculation, oldest first. */
  readonly names: readonly string[]
  /** By entry, the number of the draft it holds. */
  readonly numbers: ReadonlyMap<number, number>
}

/** More drafts than a commit can name are named by their last, which has the others as ancestors. */
function* draftsOf({ journal }: Handle, { base, head }: OpenSpeculation): Work<Drafts> {
  const commits: StoredCommit[] = []
  for (let commit = head; commit.seq !== base.seq; commit = yield* readCommit(journal, commit.parents[0]!)) {
    commits.push(commit)
  }
  commits.reverse()
  const isNamed = commits.length <= MAX_NAMED_DRAFTS
  return {
    names: (isNamed ? commits : commits.slice(-1)).map(({ id }) => id),
    numbers: new Map(commits.map(({ seq }, index) => [seq, isNamed ? index + 1 : 1])),
  }
}

/** The draft that an edit comes from: the writer of its path, or of what it was deleted from; 0 for the merge's own. */
function* draftBehind({ journal }: Handle, wanted: Link, { names, numbers }: Drafts, edit: Edit): Work<number> {
  const path = edit.op === 'delete' ? edit.path.slice(0, -1) : edit.path
  if (path.length === 0) return names.length
  const entry = yield* findEntry(journal.context, wanted, path)
  return entry === undefined ? 0 : (numbers.get(seqOfWriter(entry.writer)) ?? 0)
}
