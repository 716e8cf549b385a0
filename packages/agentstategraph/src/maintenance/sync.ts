/**
 * Push and pull: transfers branches from one repository to another.
 *
 * Commits are transferred first, then the branches move. A branch that has diverged stays where it is, unless the caller
 * asks for a merge.
 */

import { checkOptions, hexOfId, type OptionNames, optionsOf } from '../core/index.ts'
import {
  assertExports,
  assertNamesFree,
  branchPrefix,
  branchRef,
  checkedRefName,
  type Handle,
  isAncestor,
  listRefs,
  mergeBranch,
  moveRefs,
  repoError,
} from '../repo/index.ts'
import { findRef } from '../repo/records/ref-names.ts'
import { type RefCell, readCommit, type Work } from '../store/index.ts'
import { assertMayReceive } from './exchange/may-receive.ts'
import { originOf, transfer } from './exchange/transfer.ts'
import { type AnyRepository, type OnProgress, readable, writable } from './repository.ts'
import { scanHandle } from './scan-handle.ts'

/** Options of `push` and `pull`. */
export interface SyncOptions {
  /** The branches to transfer; all of the source unless given. */
  branches?: readonly string[] | undefined
  /** Merges branches that have diverged. A conflict is thrown, as by `merge`. */
  merge?: boolean | undefined
  onProgress?: OnProgress | undefined
}

const syncNames: OptionNames<SyncOptions> = { branches: true, merge: true, onProgress: true }
const syncOptions = {
  push: optionsOf<SyncOptions>('push', syncNames),
  pull: optionsOf<SyncOptions>('pull', syncNames),
}

/** What `push` or `pull` did, branch by branch. */
export interface SyncReport {
  readonly refs: readonly { readonly name: string; readonly kind: SyncKind }[]
}

/** What `push` or `pull` did with a branch. */
export type SyncKind = 'created' | 'fast-forward' | 'merged' | 'up-to-date' | 'diverged'

/** Transfers branches of this repository to another. */
export function push(repo: AnyRepository, to: AnyRepository, options: SyncOptions = {}): Promise<SyncReport> {
  return sync(repo, to, 'push', options)
}

/** Transfers branches of another repository to this one. */
export function pull(repo: AnyRepository, from: AnyRepository, options: SyncOptions = {}): Promise<SyncReport> {
  return sync(from, repo, 'pull', options)
}

async function sync(
  from: AnyRepository,
  to: AnyRepository,
  operation: 'push' | 'pull',
  options: SyncOptions,
): Promise<SyncReport> {
  checkOptions(syncOptions[operation], options)
  const { branches, merge = false, onProgress } = options
  const given = readable(from)
  const target = writable(to, operation)
  await given.journal.run(assertExports(given))
  const source = scanHandle(given)
  const wanted = await source.journal.run(branchesOf(branches))
  await target.journal.run(
    assertMayReceive(
      target,
      wanted.map(({ name }) => name),
    ),
  )
  await target.journal.run(assertNewNamesFree(wanted.map(({ name }) => name)))
  const origin = await originOf(source)
  const heads = wanted.map(({ seq }) => seq)
  const { seqHere } = await transfer(
    source,
    scanHandle(target),
    heads,
    ({ seq, isDraft }) => ({ origin, seq, ...(isDraft ? { draft: true } : {}) }),
    onProgress,
  )
  const refs: { name: string; kind: SyncKind }[] = []
  for (const { name, seq } of wanted) {
    const branch = name.slice(branchPrefix.length)
    const here = await seqHere(seq)
    refs.push({ name: branch, kind: await target.journal.run(arrive({ ...target, branch }, here, merge)) })
  }
  return { refs }
}

/**
 * Throws, before anything is transferred, when a new branch would have the name of a tag, or a new tag that of a branch.
 */
export function* assertNewNamesFree(refs: readonly string[]): Work<void> {
  const created: string[] = []
  for (const ref of refs) if ((yield* findRef(ref)) === null) created.push(ref)
  yield* assertNamesFree(created)
}

function* branchesOf(names: readonly string[] | undefined): Work<readonly RefCell[]> {
  const all = yield* listRefs(branchPrefix)
  if (names === undefined) return all
  return names.map(name => {
    const cell = all.find(one => one.name === branchRef(checkedRefName(name)))
    const known = all.map(one => one.name.slice(branchPrefix.length))
    if (cell === undefined) throw repoError('ref-not-found', { ref: name, known })
    return cell
  })
}

/** Moves a branch to a transferred commit, unless it has diverged from it. */
function* arrive(handle: Handle, to: number, merge: boolean): Work<SyncKind> {
  for (;;) {
    const way = yield* wayTo(handle, branchRef(handle.branch), to)
    if (way.kind === 'up-to-date') return way.kind
    if (way.kind === 'diverged') {
      if (!merge) return way.kind
      const { id } = yield* readCommit(handle.journal, to)
      const merged = yield* mergeBranch(handle, { id: hexOfId(id) }, `Merge ${handle.branch} from another repository`)
      return merged.kind
    }
    const outcome = yield* moveRefs(handle, [{ name: branchRef(handle.branch), expect: way.at, to }])
    if ('seq' in outcome) return way.kind
  }
}

export interface Way {
  readonly kind: Exclude<SyncKind, 'merged'>
  /** Where the ref is. */
  readonly at: number | null
}

/** How a ref can move to an entry. */
export function* wayTo(handle: Handle, ref: string, to: number): Work<Way> {
  const at = yield* findRef(ref)
  if (at === null) return { kind: 'created', at }
  if (at === to) return { kind: 'up-to-date', at }
  const ours = yield* readCommit(handle.journal, at)
  const theirs = yield* readCommit(handle.journal, to)
  if (yield* isAncestor(handle, ours, theirs)) return { kind: 'fast-forward', at }
  return { kind: (yield* isAncestor(handle, theirs, ours)) ? 'up-to-date' : 'diverged', at }
}
