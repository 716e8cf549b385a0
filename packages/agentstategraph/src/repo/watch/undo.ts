/**
 * Taking an operation back, by a new entry that says which one.
 *
 * A commit is reverted on the branch it landed on; a branch or tag that was made, deleted, renamed or moved goes back to
 * where it was, if it has not moved since. An undo is an operation like any other, so undoing it does the first again.
 */

import { hexOfId } from '../../core/index.ts'
import {
  ask,
  type EntryMove,
  type EntryRecord,
  type JournalEntry,
  type Move,
  pausePoint,
  readCommit,
  readEntries,
  readEntry,
  storeError,
  type Work,
} from '../../store/index.ts'
import { repoError } from '../errors.ts'
import type { Handle } from '../handle.ts'
import { revert, revertedRoots, titleOf } from '../merge/revert-and-cherry-pick.ts'
import { branchPrefix, grantNameOf, tagPrefix } from '../records/ref-names.ts'
import { commitFrom } from '../visibility/commit.ts'
import { readScopeOf } from '../visibility/read-scope.ts'
import { changesOfCommit, readableDiff } from '../visibility/readable-changes.ts'
import { isReadableCommit } from '../visibility/readable-commit.ts'
import { assertUnprotected, findBranchHead, moveRefs, refNotFound } from '../write/refs.ts'
import {
  branchOfCommit,
  type JournalEvent,
  renameIn,
  shownRef,
  type UndoneOperation,
  undoneEntry,
} from './journal-event.ts'

const SCANNED_ENTRIES = 256

/** An undo, as the entry that it made. */
export type UndoEvent = Extract<JournalEvent, { readonly kind: 'undo' }>

/** Options of `undo` and `previewUndo`. */
export interface UndoOptions {
  /** The one branch or tag that it may change; an operation on another is refused. */
  readonly on?: string | undefined
}

/** Undoes this agent's last operation that is not undone yet, or the entry given. */
export function* undo(handle: Handle, entry: number | undefined, options: UndoOptions): Work<UndoEvent> {
  const { target, refs, branch } = yield* findOperation(handle, entry, options)
  if (branch === undefined) return yield* undoMoves(handle, target, refs)
  return yield* undoCommit({ ...handle, branch }, target, refs)
}

/** What `undo` would do. */
export function* previewUndo(handle: Handle, entry: number | undefined, options: UndoOptions): Work<UndoneOperation> {
  const { target, refs, branch } = yield* findOperation(handle, entry, options)
  if (branch === undefined) return { entry: target.seq, refs, changes: [] }
  const on = { ...handle, branch }
  const view = (yield* readScopeOf(handle))?.on([branch])
  const commit = yield* readCommit(handle.journal, target.seq)
  if (!(yield* isReadableCommit(handle.journal, commit, view))) throw storeError('entry-not-found', { seq: target.seq })
  const head = yield* findBranchHead(on)
  if (head === undefined) throw yield* refNotFound(handle, branch)
  const roots = yield* revertedRoots(on, { id: hexOfId(commit.id) }, head)
  if (roots.tree.id === head.tree.id && roots.system.id === head.system.id) throw nothingLeft(on, target.seq)
  const shown = yield* commitFrom(handle.journal, commit, view)
  const changes = yield* readableDiff(handle, head.tree, roots.tree, view)
  return { entry: target.seq, refs, commit: shown, changes }
}

interface Operation {
  readonly target: JournalEntry
  readonly refs: UndoneOperation['refs']
  /** The branch that a commit landed on. */
  readonly branch: string | undefined
}

function* findOperation(handle: Handle, entry: number | undefined, { on }: UndoOptions): Work<Operation> {
  const target = entry === undefined ? yield* lastOperation(handle) : yield* readEntry(entry)
  if (entry !== undefined) yield* assertKnown(handle, target)
  const { record, seq } = target
  const branch = branchOfCommit(record)
  if (branch === undefined && !isRefOperation(record))
    throw nothingToUndo(handle, seq, `an entry of kind ${record.kind} does not change a branch or tag`)
  const refs =
    branch === undefined ? record.moves.map(([name]) => shownRef(name)!) : [{ ref: 'branch' as const, name: branch }]
  // A rename has two names and is on either.
  const isOther = ({ name }: { readonly name: string }): boolean => name !== on
  const isElsewhere = renameIn(record.moves) === undefined ? refs.some(isOther) : refs.every(isOther)
  if (on !== undefined && isElsewhere) throw repoError('undo-elsewhere', { entry: seq, on, refs })
  return { target, refs, branch }
}

/** An entry about names that may not be read is as unknown as one that is not there. */
function* assertKnown(handle: Handle, { seq, record }: JournalEntry): Work<void> {
  const scope = yield* readScopeOf(handle)
  if (scope === undefined) return
  const isKnown = ([ref]: EntryMove): boolean => {
    return !scope.on([grantNameOf(ref) ?? ref.slice(ref.indexOf('/') + 1)]).isBlank
  }
  if (!record.moves.some(isKnown)) throw storeError('entry-not-found', { seq })
}

/** Newest first, an undo is met before what it undoes; one that was itself undone counts for nothing. */
function* lastOperation(handle: Handle): Work<JournalEntry> {
  const { agent } = handle.who
  const undone = new Set<number>()
  const head = yield* ask(log => log.head())
  for (let to = head.seq; to > 0; to -= SCANNED_ENTRIES) {
    const entries = yield* readEntries(Math.max(1, to - SCANNED_ENTRIES + 1), to, ['text'])
    for (const entry of entries.reverse()) {
      const { seq, record } = entry
      if (undone.has(seq)) continue
      const undoes = undoneEntry(record)
      if (undoes !== undefined) undone.add(undoes)
      else if (record.agent === agent && isOperation(record)) return entry
    }
    yield pausePoint
  }
  throw repoError('nothing-to-undo', { agent })
}

function isOperation(record: EntryRecord): boolean {
  return branchOfCommit(record) !== undefined || isRefOperation(record)
}

function isRefOperation({ kind, moves }: EntryRecord): boolean {
  return kind === 'ref' && moves.length > 0 && moves.every(([name]) => isBranch(name) || name.startsWith(tagPrefix))
}

function* undoCommit(handle: Handle, { seq, record }: JournalEntry, refs: UndoneOperation['refs']): Work<UndoEvent> {
  const { journal, branch } = handle
  const commit = yield* readCommit(journal, seq)
  const why = titleOf('Undo', commit)
  const written = yield* revert(handle, { id: hexOfId(record.commit!) }, why, { undoes: seq })
  if (!written.changed) throw nothingLeft(handle, seq)
  const { timestamp, agent } = written
  const view = (yield* readScopeOf(handle))?.on([branch])
  const { changes } = yield* changesOfCommit(handle, yield* readCommit(journal, written.seq), view)
  const shown = (yield* isReadableCommit(journal, commit, view))
    ? { commit: yield* commitFrom(journal, commit, view) }
    : {}
  const place = { seq: written.seq, cursor: String(written.seq), timestamp, agent }
  return { ...place, kind: 'undo', entry: seq, refs, ...shown, changes }
}

function* undoMoves(handle: Handle, { seq, record }: JournalEntry, refs: UndoneOperation['refs']): Work<UndoEvent> {
  const moves: Move[] = []
  for (const [name, from, to] of record.moves) {
    if (from === null && isBranch(name)) assertUnprotected(name.slice(branchPrefix.length))
    // A ref must not come back to a commit whose nodes were collected meanwhile.
    if (from !== null) yield* readCommit(handle.journal, from)
    moves.push({ name, expect: to, to: from })
  }
  const outcome = yield* moveRefs(handle, moves, { undoes: seq })
  if ('moved' in outcome) {
    const expected = record.moves.find(([name]) => name === outcome.moved)![2]
    throw repoError('precondition-failed', {
      ref: outcome.moved.slice(outcome.moved.indexOf('/') + 1),
      expected: yield* shownCommit(expected),
      actual: yield* shownCommit(outcome.actual),
    })
  }
  const { record: written } = yield* readEntry(outcome.seq)
  const timestamp = new Date(written.time).toISOString()
  const { seq: made } = outcome
  return {
    seq: made,
    cursor: String(made),
    timestamp,
    agent: written.agent,
    kind: 'undo',
    entry: seq,
    refs,
    changes: [],
  }
}

function* shownCommit(seq: number | null): Work<string | undefined> {
  return seq === null ? undefined : hexOfId((yield* readEntry(seq)).record.commit!)
}

function isBranch(name: string): boolean {
  return name.startsWith(branchPrefix)
}

function nothingLeft(handle: Handle, entry: number): Error {
  return nothingToUndo(handle, entry, `nothing that it changed is left in "${handle.branch}"`)
}

function nothingToUndo({ who }: Handle, entry: number, reason: string): Error {
  return repoError('nothing-to-undo', { agent: who.agent, entry, reason })
}
