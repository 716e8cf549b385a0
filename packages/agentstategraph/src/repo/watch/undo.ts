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
import { revert, titleOf } from '../merge/revert-and-cherry-pick.ts'
import { branchPrefix, grantNameOf, tagPrefix } from '../records/ref-names.ts'
import { readScopeOf } from '../visibility/read-scope.ts'
import { assertUnprotected, moveRefs } from '../write/refs.ts'
import { branchOfCommit, type JournalEvent, undoneEntry } from './journal-event.ts'

const SCANNED_ENTRIES = 256

/** Undoes this agent's last operation that is not undone yet, or the entry given. */
export function* undo(handle: Handle, entry: number | undefined): Work<JournalEvent> {
  const target = entry === undefined ? yield* lastOperation(handle) : yield* readEntry(entry)
  if (entry !== undefined) yield* assertKnown(handle, target)
  const branch = branchOfCommit(target.record)
  if (branch !== undefined) return yield* undoCommit({ ...handle, branch }, target)
  if (isRefOperation(target.record)) return yield* undoMoves(handle, target)
  throw nothingToUndo(handle, target.seq, `an entry of kind ${target.record.kind} does not change a branch or tag`)
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

function* undoCommit(handle: Handle, { seq, record }: JournalEntry): Work<JournalEvent> {
  const commit = yield* readCommit(handle.journal, seq)
  const why = titleOf('Undo', commit)
  const written = yield* revert(handle, { id: hexOfId(record.commit!) }, why, { undoes: seq })
  if (!written.changed) throw nothingToUndo(handle, seq, `nothing that it changed is left in "${handle.branch}"`)
  const { timestamp, agent } = written
  return { seq: written.seq, cursor: String(written.seq), timestamp, agent, kind: 'undo', entry: seq }
}

function* undoMoves(handle: Handle, { seq, record }: JournalEntry): Work<JournalEvent> {
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
  return { seq: made, cursor: String(made), timestamp, agent: written.agent, kind: 'undo', entry: seq }
}

function* shownCommit(seq: number | null): Work<string | undefined> {
  return seq === null ? undefined : hexOfId((yield* readEntry(seq)).record.commit!)
}

function isBranch(name: string): boolean {
  return name.startsWith(branchPrefix)
}

function nothingToUndo({ who }: Handle, entry: number, reason: string): Error {
  return repoError('nothing-to-undo', { agent: who.agent, entry, reason })
}
