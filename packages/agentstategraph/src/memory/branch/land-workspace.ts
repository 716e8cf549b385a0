/**
 * Lands the changes of a workspace as one commit on the memory's branch.
 *
 * If the head is still the base, the edits are made on it. Otherwise the workspace's tree is merged with the head, key by
 * key, with the policies of its agents; after a lost race it is merged again. The commit has one parent, so blame names
 * the task.
 */

import {
  branchRef,
  type Conflict,
  completeReason,
  conflictFrom,
  detailLink,
  findVersionGap,
  type Handle,
  landOn,
  landOnce,
  type MergeOptions,
  type Prepared,
  policiesOn,
  type Request,
  repoError,
  requestOf,
  storedResolutions,
  type Why,
} from '../../repo/index.ts'
import { pausedMap, type StoredCommit, type Work } from '../../store/index.ts'
import { type Edit, type Edited, edit, findEntry, type Link, merge, type Policies, rootOf } from '../../tree/index.ts'
import { settle } from '../state/cell.ts'
import type { Collected } from '../state/working-copy.ts'
import { applyAdditivePolicies } from './additive-policies.ts'
import { type Base, baseAt, type Workspace } from './workspace.ts'

export interface LandingOptions {
  readonly resolutions?: MergeOptions['resolutions']
  readonly policies?: Policies | undefined
  /** The body of the entry. */
  readonly body?: { readonly [field: string]: string } | undefined
  /** A key by which the entry is found. */
  readonly name?: string | undefined
}

export type Outcome =
  | { readonly kind: 'landed'; readonly commit: StoredCommit }
  /** The head has the same state already. */
  | { readonly kind: 'nothing'; readonly commit: StoredCommit | undefined }
  /** The idempotency key was used before, by the entry `seq`. Pending changes stay pending. */
  | { readonly kind: 'repeated'; readonly seq: number }
  /** The changes conflict with what landed since. `because` makes the error, with a name for the workspace's side. */
  | { readonly kind: 'refused'; readonly mine: Link; because(source: string): Error }

/** What an attempt on one head came to, besides the landing itself. */
type Attempt = { readonly because: (source: string) => Error } | { readonly isMerged: boolean }

/** The changes of a workspace, ready to land. */
interface Changes {
  readonly workspace: Workspace
  readonly collected: readonly Collected[]
  /** The base with the changes made on it. */
  readonly mine: Edited
  readonly why: Why
  readonly options: LandingOptions
}

export function* landCollected(
  workspace: Workspace,
  collected: readonly Collected[],
  why: Why,
  options: LandingOptions = {},
): Work<Outcome> {
  const { handle, base } = workspace
  const edits = collected.flatMap(one => one.edits)
  const mine = yield* edit(handle.journal.context, base.tree, edits)
  const changes: Changes = { workspace, collected, mine, why, options }
  const ref = branchRef(handle.branch)
  const outcome = yield* landOn(handle, ref, head => prepareOn(changes, head), checkpointRequest(handle, why))
  if (outcome.kind === 'repeated') return outcome
  if (outcome.kind === 'entry') throw new Error('A checkpoint was answered with an entry')
  const { result } = outcome
  if ('because' in result) return { kind: 'refused', mine: mine.root, because: result.because }
  for (const one of collected) settle(one.cell, one)
  const commit = outcome.kind === 'done' ? outcome.commit : outcome.head
  workspace.base = result.isMerged ? { tree: mine.root, commit, isCommit: false } : baseAt(handle, commit)
  return outcome.kind === 'done' ? { kind: 'landed', commit: outcome.commit } : { kind: 'nothing', commit }
}

/** The landing on a head: the workspace's own tree if the head is still the base, else the merge of both. */
function* prepareOn(changes: Changes, head: StoredCommit | undefined): Work<Prepared<Attempt>> {
  const { workspace, collected, mine, why, options } = changes
  const { handle, base } = workspace
  const { journal, branch } = handle
  const reason = yield* completeReason(handle, why, 'Checkpoint')
  const isMerged = !(base.isCommit && head?.seq === base.commit?.seq)
  let tree = mine.root
  if (isMerged) {
    const gap = yield* findVersionGap(journal, base.commit, head)
    if (gap !== undefined) return refused(source => repoError('versions-differ', { source, into: branch, ...gap }))
    const merged = yield* mergeWithHead(workspace, head, mine.root, collected, options)
    const { conflicts } = merged
    if (conflicts.length > 0) return refused(source => repoError('merge-conflict', { source, into: branch, conflicts }))
    tree = merged.tree
  }
  const isUnchanged = isMerged ? tree.id === head?.tree.id : mine.changed.length === 0
  if (head !== undefined && isUnchanged) return { kind: 'unchanged', result: { isMerged } }
  const landing = {
    tree,
    system: head?.system ?? rootOf(journal.context, {}, 0),
    info: reason.info,
    ...detailLink(handle, reason),
    body: options.body,
    name: options.name,
  }
  return { kind: 'landing', landing, result: { isMerged } }
}

/** The content is not part of the request: a program that was restarted has made it again. */
export function checkpointRequest(handle: Handle, why: Why): Request | undefined {
  return requestOf(handle, why, 'checkpoint')
}

function refused(because: (source: string) => Error): Prepared<Attempt> {
  return { kind: 'unchanged', result: { because } }
}

/** Merges the workspace's tree into a head: `ours` is the head, `theirs` is the workspace. */
export function* mergeWithHead(
  workspace: Workspace,
  head: StoredCommit | undefined,
  mine: Link,
  collected: readonly Collected[],
  options: LandingOptions = {},
): Work<{ readonly tree: Link; readonly conflicts: readonly Conflict[] }> {
  const { handle, copies } = workspace
  const { context } = handle.journal
  const sides = { ...(yield* withInitial(workspace, treeOf(handle, head), collected)), theirs: mine }
  const ofAgents = Object.assign({}, ...[...copies.values()].map(({ definition }) => definition.policies)) as Policies
  const policies = yield* policiesOn(handle, head, options.policies, ofAgents)
  const resolutions = storedResolutions(handle, options.resolutions)
  const merged = yield* merge(context, sides.base, sides.ours, mine, { policies, later: 'theirs', resolutions })
  const conflicts = yield* pausedMap(merged.conflicts, conflict => conflictFrom(context, conflict))
  const isClear = conflicts.length === 0 && policies.length > 0
  return { tree: isClear ? yield* applyAdditivePolicies(handle, policies, sides, merged.root) : merged.root, conflicts }
}

/** Base and head with the initial values of changed keys that are not stored there. */
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

export function treeOf(handle: Handle, head: StoredCommit | undefined): Link {
  return baseAt(handle, head).tree
}

/** Lands the changes of a workspace on a new branch from its base, to be merged with resolutions later. */
export function* landAside(
  { handle, base }: { readonly handle: Handle; readonly base: Base },
  mine: Link,
  branch: string,
  why: Why,
): Work<StoredCommit> {
  const { journal } = handle
  const reason = yield* completeReason(handle, why, 'Checkpoint')
  const { commit } = base
  const outcome = yield* landOnce(handle, {
    ref: branchRef(branch),
    head: undefined,
    capability: 'commit',
    ...(commit === undefined ? {} : { merged: [commit] }),
    tree: mine,
    system: commit?.system ?? rootOf(journal.context, {}, 0),
    info: reason.info,
    ...detailLink(handle, reason),
  })
  if (outcome.kind === 'done') return outcome.commit
  throw new Error(`A new branch was answered with ${outcome.kind}`)
}
