/**
 * Landing what was done in a workspace: one commit on the memory's branch, wherever that has got to.
 *
 * When nobody else landed since, the edits are made on the head and that is all. Otherwise what the workspace made of its
 * base is merged with the head, key by key, with the policies of its agents; a lost race merges again. The commit has one
 * parent, as every landing: blame names the task.
 */

import { parseKnownPath } from '../core/index.ts'
import {
  branchRef,
  type Conflict,
  conflictFrom,
  detailLink,
  findBranchHead,
  findVersionGap,
  fullReason,
  type Handle,
  land,
  type MergeOptions,
  policiesOn,
  repoError,
  type Why,
} from '../repo/index.ts'
import { readCommit, type StoredCommit, type Work } from '../store/index.ts'
import {
  diff,
  type Edit,
  edit,
  findEntry,
  type Link,
  merge,
  type Policies,
  policyTable,
  rootOf,
} from '../tree/index.ts'
import { withEqualAdditions } from './equal-additions.ts'
import { decisions, type Resolutions } from './resolutions.ts'
import { type Collected, settle } from './working-copy.ts'
import { type Base, baseAt, type Workspace } from './workspace.ts'

export interface LandingOptions {
  readonly resolutions?: Resolutions | undefined
  readonly policies?: Policies | undefined
  /** What the entry says beside the commit. */
  readonly body?: { readonly [field: string]: string } | undefined
  /** The key that the entry is found by, in place of one that a caller gives. */
  readonly key?: string | undefined
}

export type Outcome =
  | { readonly kind: 'landed'; readonly commit: StoredCommit; readonly isMerged: boolean }
  /** The state already was so, or the idempotency key was used before. */
  | { readonly kind: 'nothing'; readonly commit: StoredCommit | undefined }
  /** It cannot be brought together with what landed since. `mine` is called `source` in the error. */
  | { readonly kind: 'refused'; readonly mine: Link; because(source: string): Error }

export function* landCollected(
  workspace: Workspace,
  collected: readonly Collected[],
  why: Why,
  options: LandingOptions = {},
): Work<Outcome> {
  const { handle } = workspace
  const { journal, shared, branch } = handle
  const reason = yield* fullReason(handle, why, 'Checkpoint')
  const edits = collected.flatMap(one => one.edits)
  const { base } = workspace
  const mine = yield* edit(journal.context, base.tree, edits)
  for (;;) {
    const head = yield* findBranchHead(handle)
    const isAlone = base.isCommit && head?.seq === base.commit?.seq
    let { root: tree, changed } = mine
    if (isAlone && head !== undefined && changed.length === 0) {
      take(workspace, collected, base)
      return { kind: 'nothing', commit: head }
    }
    if (!isAlone) {
      const gap = yield* findVersionGap(journal, base.commit, head)
      if (gap !== undefined)
        return refused(mine.root, source => repoError('versions-differ', { source, into: branch, ...gap }))
      const { conflicts, ...merged } = yield* mergeWithHead(workspace, head, mine.root, collected, options)
      if (conflicts.length > 0) {
        return refused(mine.root, source => repoError('merge-conflict', { source, into: branch, conflicts }))
      }
      tree = merged.tree
      if (head !== undefined && tree.id === head.tree.id) {
        take(workspace, collected, { tree: mine.root, commit: head, isCommit: false })
        return { kind: 'nothing', commit: head }
      }
      changed = (yield* diff(journal.context, treeOf(handle, head), tree)).map(({ path }) => parseKnownPath(path))
    }
    const outcome = yield* land(handle, {
      ref: branchRef(branch),
      head,
      tree,
      system: head?.system ?? rootOf(journal.context, {}, 0),
      changed,
      info: reason.info,
      ...detailLink(handle, reason.detail),
      body: options.body,
      idempotencyKey: options.key ?? reason.idempotencyKey,
    })
    shared.heads.delete(branchRef(branch))
    if (outcome.kind === 'repeated') return { kind: 'nothing', commit: yield* readCommit(journal, outcome.seq) }
    if (outcome.kind === 'moved') continue
    const { commit } = outcome
    take(workspace, collected, isAlone ? baseAt(handle, commit) : { tree: mine.root, commit, isCommit: false })
    return { kind: 'landed', commit, isMerged: !isAlone }
  }
}

function refused(mine: Link, because: (source: string) => Error): Outcome {
  return { kind: 'refused', mine, because }
}

function take(workspace: Workspace, collected: readonly Collected[], base: Base): void {
  collected.forEach(settle)
  workspace.base = base
}

/** What a workspace made of its base, merged into a head: `ours` is what landed, `theirs` is the workspace's. */
export function* mergeWithHead(
  workspace: Workspace,
  head: StoredCommit | undefined,
  mine: Link,
  collected: readonly Collected[],
  options: LandingOptions = {},
): Work<{ readonly tree: Link; readonly conflicts: readonly Conflict[] }> {
  const { handle } = workspace
  const { context } = handle.journal
  const sides = { ...(yield* withInitial(workspace, treeOf(handle, head), collected)), theirs: mine }
  const policies = policyTable(yield* allPolicies(workspace, head, options))
  const resolutions = decisions(handle, options.resolutions)
  const merged = yield* merge(context, sides.base, sides.ours, mine, { policies, later: 'theirs', resolutions })
  const conflicts = merged.conflicts.map(conflict => conflictFrom(context, conflict))
  const isClear = conflicts.length === 0 && policies.length > 0
  return { tree: isClear ? yield* withEqualAdditions(handle, policies, sides, merged.root) : merged.root, conflicts }
}

/** Base and head with the initial values that changes were made on, where neither has stored them. */
function* withInitial(
  { handle, base }: Workspace,
  head: Link,
  collected: readonly Collected[],
): Work<{ readonly base: Link; readonly ours: Link }> {
  const { context } = handle.journal
  const initial: Edit[] = []
  const unstored: Edit[] = []
  for (const { copy, key, initial: value } of collected) {
    if (value === undefined) continue
    const one: Edit = { op: 'set', path: [copy.definition.name, key], value }
    initial.push(one)
    if ((yield* findEntry(context, head, one.path)) === undefined) unstored.push(one)
  }
  return { base: (yield* edit(context, base.tree, initial)).root, ours: (yield* edit(context, head, unstored)).root }
}

function* allPolicies(
  { handle, copies }: Workspace,
  head: StoredCommit | undefined,
  { policies }: LandingOptions,
): Work<Policies> {
  const ofAgents = Object.assign({}, ...[...copies.values()].map(({ definition }) => definition.policies)) as Policies
  const call: MergeOptions = { policies: { ...ofAgents, ...policies } }
  return head === undefined ? { ...handle.shared.policies, ...call.policies } : yield* policiesOn(handle, head, call)
}

export function treeOf(handle: Handle, head: StoredCommit | undefined): Link {
  return baseAt(handle, head).tree
}

/** Lands a workspace's work on a new branch from its base, so that it can be merged when somebody has decided. */
export function* landAside(
  { handle, base }: { readonly handle: Handle; readonly base: Base },
  mine: Link,
  branch: string,
  why: Why,
): Work<StoredCommit> {
  const { journal } = handle
  const reason = yield* fullReason(handle, why, 'Checkpoint')
  const { commit } = base
  const before = treeOf(handle, commit)
  const changes = yield* diff(journal.context, before, mine)
  const outcome = yield* land(handle, {
    ref: branchRef(branch),
    head: undefined,
    capability: 'commit',
    ...(commit === undefined ? {} : { merged: [commit] }),
    tree: mine,
    system: commit?.system ?? rootOf(journal.context, {}, 0),
    changed: changes.map(({ path }) => parseKnownPath(path)),
    info: reason.info,
    ...detailLink(handle, reason.detail),
  })
  if (outcome.kind === 'done') return outcome.commit
  throw new Error(`A branch that nobody else knows was answered with ${outcome.kind}`)
}
