/**
 * Going back, always by a new commit: revert, rollback, and its forward sister cherry-pick.
 *
 * Each computes the state it wants and writes what differs from the head by value, as an ordinary write, so blame names
 * the commit that went back, and no pack points to a commit that is not an ancestor.
 */

import { copyGiven, type Stored, utf8Length } from '../../core/index.ts'
import { pausePoint, type StoredCommit, type Work } from '../../store/index.ts'
import { diff, type Edit, edit, type Link, merge, pausedEditsOf, policyTable } from '../../tree/index.ts'
import { repoError } from '../errors.ts'
import type { Handle } from '../handle.ts'
import { nameOf, type Revision, resolveCommitInto, resolveInto } from '../query/revision.ts'
import type { Category, Why } from '../records/info.ts'
import { branchRef } from '../records/ref-names.ts'
import { findVersion, isSameMeta, withMetaOf } from '../state/meta.ts'
import { type Roots, stateBefore } from '../state/roots.ts'
import type { Written } from '../visibility/commit.ts'
import { redactConflicts } from '../visibility/redact-conflicts.ts'
import { completeReason } from '../write/complete-reason.ts'
import { type Request, requestOf } from '../write/idempotency.ts'
import { landOn, writtenOn } from '../write/land-with-retry.ts'
import type { Prepared } from '../write/prepared.ts'
import { refNotFound } from '../write/refs.ts'
import { detailLink } from './merge.ts'
import { mergedPlans } from './plan-merge.ts'

/** Takes back what one commit changed, and keeps what came after it. `body` is what the entry says beside the commit. */
export function* revert(handle: Handle, revision: Revision, given: Why | undefined, body?: Stored): Work<Written> {
  const why = copyGiven(given)
  const request = requestOf(handle, why, 'revert', [nameOf(revision)])
  return yield* landRoots(handle, request, function* (head): Work<Restored> {
    const { commit, ...roots } = yield* revertedRoots(handle, revision, head)
    return { roots, why: why ?? titleOf('Revert', commit), category: 'Rollback', body }
  })
}

/** The state of a head without what a commit changed. */
export function* revertedRoots(
  handle: Handle,
  revision: Revision,
  head: Roots,
): Work<Roots & { readonly commit: StoredCommit }> {
  const commit = yield* resolveCommitInto(handle, revision)
  const before = yield* stateBefore(handle, commit)
  yield* assertMetaKept(handle, before, commit)
  return { ...(yield* mergedRoots(handle, commit, head, before, nameOf(revision))), commit }
}

const MAX_TITLE_BYTES = 1000
const SHORT_TITLE_CHARACTERS = 200

/** Says what is done to a commit, with as much of its description as a description may hold. */
export function titleOf(verb: string, { record }: StoredCommit): string {
  const { description } = record.intent
  const title = `${verb} "${description}"`
  if (utf8Length(title) <= MAX_TITLE_BYTES) return title
  return `${verb} "${[...description].slice(0, SHORT_TITLE_CHARACTERS).join('')}…"`
}

/** Makes the state what it was at a revision. What is under `/_meta` stays, and the state has to fit it. */
export function* rollback(handle: Handle, revision: Revision, given: Why): Work<Written> {
  const why = copyGiven(given)
  const request = rollbackRequest(handle, revision, why)
  return yield* landRoots(handle, request, function* (head): Work<Restored> {
    const { tree, system } = yield* resolveInto(handle, revision)
    const [then, now] = [yield* findVersion(handle.journal, system), yield* findVersion(handle.journal, head.system)]
    if (then !== now) throw repoError('meta-protected', { path: '/_meta/version' })
    const roots = { tree, system: yield* withMetaOf(handle.journal, head.system, system) }
    return { roots, why, category: 'Rollback' }
  })
}

export function rollbackRequest(handle: Handle, revision: Revision, why: Why | undefined): Request | undefined {
  return requestOf(handle, why, 'rollback', [nameOf(revision)])
}

/** Does again, here, what a commit did elsewhere. */
export function* cherryPick(handle: Handle, revision: Revision, given: Why | undefined): Work<Written> {
  const why = copyGiven(given)
  const request = requestOf(handle, why, 'cherry-pick', [nameOf(revision)])
  return yield* landRoots(handle, request, function* (head): Work<Restored> {
    const commit = yield* resolveCommitInto(handle, revision)
    const before = yield* stateBefore(handle, commit)
    yield* assertMetaKept(handle, before, commit)
    const roots = yield* mergedRoots(handle, before, head, commit, nameOf(revision))
    const { category, description } = commit.record.intent
    return { roots, why: why ?? description, category, drafts: [commit.id] }
  })
}

/** Refuses a commit that changed `/_meta`: schemas, policies and migrations are changed only by their own operations. */
function* assertMetaKept({ journal }: Handle, before: Roots, after: Roots): Work<void> {
  if (yield* isSameMeta(journal, before.system, after.system)) return
  const [then, now] = [yield* findVersion(journal, before.system), yield* findVersion(journal, after.system)]
  throw repoError('meta-protected', { path: then === now ? '/_meta' : '/_meta/version' })
}

/** What leads from one state to another, done to a third. */
export function* mergedRoots(handle: Handle, base: Roots, ours: Roots, theirs: Roots, source: string): Work<Roots> {
  const { journal, branch } = handle
  const options = { policies: policyTable(), later: 'theirs' as const }
  const tree = yield* merge(journal.context, base.tree, ours.tree, theirs.tree, options)
  const sides = { base: base.system, ours: ours.system, theirs: theirs.system }
  const system = yield* mergedPlans(
    journal.context,
    sides,
    yield* merge(journal.context, base.system, ours.system, theirs.system, options),
  )
  const conflicts = yield* redactConflicts(handle, [...tree.conflicts, ...system.conflicts])
  if (conflicts.length > 0) throw repoError('merge-conflict', { source, into: branch, conflicts })
  return { tree: tree.root, system: system.root }
}

/** A state that is to be that of the branch, and what the commit says. */
export interface Restored {
  readonly roots: Roots
  readonly why: Why
  readonly category: Category
  readonly drafts?: readonly string[]
  /** What the entry says beside the commit. */
  readonly body?: Stored | undefined
  readonly changesMeta?: boolean
}

/** Lands a state by value on the branch, computed again on each head that the race leads to. */
export function* landRoots(
  handle: Handle,
  request: Request | undefined,
  restoredOn: (head: StoredCommit) => Work<Restored>,
): Work<Written> {
  const outcome = yield* landOn(
    handle,
    branchRef(handle.branch),
    function* (head): Work<Prepared<undefined>> {
      if (head === undefined) throw yield* refNotFound(handle, handle.branch)
      const { roots, why, category, drafts = [], body, changesMeta } = yield* restoredOn(head)
      const { info, ...reason } = yield* completeReason(handle, why, category)
      const tree = yield* rewriteOnto(handle, head.tree, roots.tree, drafts.length)
      const system = yield* rewriteOnto(handle, head.system, roots.system, drafts.length)
      if (tree === head.tree && system === head.system) return { kind: 'unchanged', result: undefined }
      const landing = {
        tree,
        system,
        info,
        ...detailLink(handle, reason),
        ...(drafts.length === 0 ? {} : { drafts }),
        ...(body === undefined ? {} : { body }),
        changesMeta,
      }
      return { kind: 'landing', landing, result: undefined }
    },
    request,
  )
  return yield* writtenOn(handle, outcome)
}

/** The head's root edited into the wanted one: equal parts stay the head's, the others are written anew. */
export function* rewriteOnto(
  { journal }: Handle,
  head: Link,
  wanted: Link,
  draft: number | ((edit: Edit) => Work<number>),
): Work<Link> {
  const edits: Edit[] = []
  for (const one of yield* pausedEditsOf(journal.nodes, yield* diff(journal.context, head, wanted))) {
    if (journal.nodes.isPauseDue?.() === true) yield pausePoint
    edits.push({ ...one, draft: typeof draft === 'number' ? draft : yield* draft(one) })
  }
  return (yield* edit(journal.context, head, edits)).root
}
