/**
 * A transaction: a view of the state that takes changes, and remembers what was read.
 *
 * What it read is part of it. When another writer gets in between, the same edits are made on the new head if everything
 * that was read is still the same there; otherwise the caller runs the function again.
 */

import { formatPath, type Path, parseKnownPath } from '../../core/index.ts'
import type { StoredCommit, Work } from '../../store/index.ts'
import { contentOf, type Edit, edit, editsOf, type Link } from '../../tree/index.ts'
import { assertMayEdit } from '../access/assert-may-edit.ts'
import { repoError } from '../errors.ts'
import { type Handle, readPath } from '../handle.ts'
import type { Change } from '../records/change.ts'
import type { Why } from '../records/info.ts'
import { placesBelow } from '../state/places-below.ts'
import { emptyRoot } from '../state/roots.ts'
import { type Entry, entryOf, findChild } from '../state/state.ts'
import { assertReadable } from '../visibility/assert-reads.ts'
import type { Written } from '../visibility/commit.ts'
import { type BranchScope, branchScopeOf } from '../visibility/read-scope.ts'
import { readableAt } from '../visibility/readable-state.ts'
import { findValue, getValue } from '../visibility/value-at.ts'
import { type Request, requestOf } from './idempotency.ts'
import { findBranchHead } from './refs.ts'
import { storedChange } from './stored-change.ts'
import { commitEdits, deleteEdit, type GivenEdit, pausedEdits, setEdit, type WriteOptions, writable } from './write.ts'
import { findWritten } from './written-again.ts'

export interface OpenTransaction {
  /** The head it was begun on; undefined when the branch is new. */
  readonly head: StoredCommit | undefined
  readonly edits: Edit[]
  /** By path, the content that was there in the head; undefined when there was nothing. */
  readonly reads: Map<string, string | undefined>
  /** The tree with the first `count` edits made: the reads share it, so that each edit is made once. */
  made: { readonly count: number; readonly tree: Link } | undefined
  /** Whether its function has ended: what comes later would be lost. */
  isOver: boolean
}

export function* beginTransaction(handle: Handle): Work<OpenTransaction> {
  return newTransaction(yield* findBranchHead(handle))
}

export function newTransaction(head: StoredCommit | undefined): OpenTransaction {
  return { head, edits: [], reads: new Map(), made: undefined, isOver: false }
}

export function addSet(handle: Handle, transaction: OpenTransaction, path: Path, value: unknown): void {
  addEdits(transaction, [setEdit(handle, path, value)])
}

export function addDelete(handle: Handle, transaction: OpenTransaction, path: Path): void {
  addEdits(transaction, [deleteEdit(handle, path)])
}

export function addChanges(handle: Handle, transaction: OpenTransaction, changes: readonly Change[]): void {
  addEdits(transaction, editsOf(changes.map(change => storedChange(handle, change))).map(writable))
}

function addEdits(transaction: OpenTransaction, edits: readonly Edit[]): void {
  if (transaction.isOver) throw repoError('transaction-over', { paths: edits.map(({ path }) => formatPath(path)) })
  for (const one of edits) transaction.edits.push(one)
}

/** The state as it is with the changes made so far. */
function* stateOf(handle: Handle, transaction: OpenTransaction): Work<Pick<StoredCommit, 'tree' | 'system'>> {
  const { journal } = handle
  const { head, edits, made } = transaction
  let tree = made?.tree ?? head?.tree ?? emptyRoot(journal)
  const count = edits.length
  const added = edits.slice(made?.count ?? 0)
  if (added.length > 0) {
    // Changes that cannot be made would tell what is there.
    yield* assertMayEdit(handle, handle.who.agent, handle.branch, added)
    tree = (yield* edit(journal.context, tree, added)).root
    transaction.made = { count, tree }
  }
  return { tree, system: head?.system ?? emptyRoot(journal) }
}

/** What may be read at a path of a transaction: the view of its branch, and the state so far. */
function* reading(
  handle: Handle,
  transaction: OpenTransaction,
  path: readonly string[],
): Work<{ readonly view: BranchScope | undefined; readonly state: Pick<StoredCommit, 'tree' | 'system'> }> {
  const view = yield* branchScopeOf(handle)
  yield* assertReadable(handle, view, path)
  yield* noteRead(handle, transaction, path)
  return { view, state: yield* stateOf(handle, transaction) }
}

export function* transactionGet(handle: Handle, transaction: OpenTransaction, path: Path): Work<unknown> {
  const segments = readPath(handle, path)
  const { view, state } = yield* reading(handle, transaction, segments)
  return yield* getValue(handle.journal.context, state, segments, 'this transaction', view)
}

export function* transactionFind(handle: Handle, transaction: OpenTransaction, path: Path): Work<unknown> {
  const segments = readPath(handle, path)
  const { view, state } = yield* reading(handle, transaction, segments)
  return yield* findValue(handle.journal.context, state, segments, view)
}

export function* transactionHas(handle: Handle, transaction: OpenTransaction, path: Path): Work<boolean> {
  const segments = readPath(handle, path)
  const { view, state } = yield* reading(handle, transaction, segments)
  return (yield* readableAt(handle.journal.context, state, segments, view)) !== undefined
}

/** What is below a path, in order, from the first place or after one. */
export function* transactionList(
  handle: Handle,
  transaction: OpenTransaction,
  path: Path,
  depth: number,
  after: readonly string[] | undefined,
): Work<{ next(): Work<Entry | undefined> }> {
  const { context } = handle.journal
  const segments = readPath(handle, path)
  const { view, state } = yield* reading(handle, transaction, segments)
  const from = yield* readableAt(context, state, segments, view)
  const places = from === undefined ? undefined : yield* placesBelow(context, from, segments, depth, after)
  return {
    *next(): Work<Entry | undefined> {
      const place = places === undefined ? undefined : yield* places.next()
      return place === undefined ? undefined : entryOf(place)
    },
  }
}

function* noteRead({ journal }: Handle, { head, reads }: OpenTransaction, path: readonly string[]): Work<void> {
  const child = head === undefined ? undefined : yield* findChild(journal.context, head, path)
  reads.set(formatPath(path), child === undefined ? undefined : contentOf(child))
}

/** What a function will change cannot be compared before it has run: the request is the why, with what that says of its input. */
function transactionRequest(handle: Handle, why: Why<WriteOptions>): Request | undefined {
  return requestOf(handle, why, 'commit')
}

/** The commit that a transaction with this key made before. */
export function* findCommitted(handle: Handle, why: Why<WriteOptions>): Work<Written | undefined> {
  return yield* findWritten(handle, transactionRequest(handle, why))
}

/** Lands a transaction's edits, on a newer head too if what it read is the same there; otherwise says that it is not. */
export function* landTransaction(
  handle: Handle,
  transaction: OpenTransaction,
  why: Why<WriteOptions>,
): Work<Written | 'read-changed'> {
  transaction.isOver = true
  const precondition = function* (head: StoredCommit | undefined): Work<void> {
    if (head?.seq !== transaction.head?.seq) yield* assertReads(handle, transaction, head)
  }
  try {
    return yield* commitEdits(handle, transaction.edits, why, {
      request: transactionRequest(handle, why),
      precondition,
    })
  } catch (error) {
    if (error instanceof ReadChanged) return 'read-changed'
    throw error
  }
}

/** Lands edits that depend on nothing that was read: the same as a transaction that only makes them. */
export function* commitGiven(handle: Handle, given: readonly GivenEdit[], why: Why<WriteOptions>): Work<Written> {
  const done = yield* findCommitted(handle, why)
  if (done !== undefined) return done
  const edits = yield* pausedEdits(handle, given)
  return yield* commitEdits(handle, edits, why, { request: transactionRequest(handle, why) })
}

class ReadChanged extends Error {
  override readonly name = 'ReadChanged'
}

function* assertReads({ journal }: Handle, { reads }: OpenTransaction, head: StoredCommit | undefined): Work<void> {
  for (const [path, content] of reads) {
    const child = head === undefined ? undefined : yield* findChild(journal.context, head, parseKnownPath(path))
    if ((child === undefined ? undefined : contentOf(child)) !== content) throw new ReadChanged()
  }
}
