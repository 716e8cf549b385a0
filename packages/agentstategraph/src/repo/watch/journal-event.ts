/**
 * Entries as watchers of the journal see them: commits with what they changed, branches and tags that move, what was
 * observed, and epochs.
 *
 * Commits of threads are shown with the thread as their branch; drafts and what the system keeps are not. It says what an
 * entry means, and not when it is read.
 */

import { type Glob, hexOfId, matchesGlob } from '../../core/index.ts'
import { type EntryMove, type EntryRecord, type JournalEntry, readEntry, type Work } from '../../store/index.ts'
import type { Handle } from '../handle.ts'
import { epochChangeIn } from '../log/epoch-entry.ts'
import { readObservation } from '../outcomes/observe.ts'
import type { Matcher } from '../query/filter.ts'
import { passes } from '../query/log.ts'
import type { Change } from '../records/change.ts'
import { findBody } from '../records/entry-bodies.ts'
import { findKept } from '../records/find-kept.ts'
import type { Observation } from '../records/observation.ts'
import { branchPrefix, tagPrefix, threadPrefix } from '../records/ref-names.ts'
import { type Commit, commitFrom } from '../visibility/commit.ts'
import { type BranchScope, readScopeOf } from '../visibility/read-scope.ts'
import { changesOfCommit } from '../visibility/readable-changes.ts'
import { isReadableCommit } from '../visibility/readable-commit.ts'
import { findReadableObservation } from '../visibility/redact-observation.ts'

/** What an undo takes back, and where. */
export interface UndoneOperation {
  /** The journal entry that is taken back. */
  readonly entry: number
  /** The branches and tags that it moved. */
  readonly refs: readonly { readonly ref: 'branch' | 'tag'; readonly name: string }[]
  /** The commit that is taken back, if it may be read; absent for an operation on branches and tags. */
  readonly commit?: Commit
  /** What the undo changes in the state. */
  readonly changes: readonly Change[]
}

/** Something that happened in a repository, as `watch` tells it. */
export type JournalEvent = {
  readonly seq: number
  /** Give it as `after` to go on with the next event: the sequence number, and the part of an entry that is several events. */
  readonly cursor: string
  readonly timestamp: string
  readonly agent: string
} & (
  | {
      readonly kind: 'commit'
      readonly branch: string
      readonly commit: Commit
      readonly changes: readonly Change[]
      /** That retention dropped the states which the changes are read from. */
      readonly trimmed?: true
      /** The entry that this commit takes back. */
      readonly undoes?: number
    }
  | {
      readonly kind: 'ref'
      readonly ref: 'branch' | 'tag'
      readonly name: string
      /** The name it had, when it was renamed. */
      readonly from?: string
      /** The commit it pointed to; absent when it was created, or may not be read. */
      readonly before?: string
      /** The commit it points to; absent when it was deleted, or may not be read. */
      readonly after?: string
      /** The entry that this move takes back. */
      readonly undoes?: number
    }
  | { readonly kind: 'observation'; readonly commit: string; readonly observation: Observation }
  | { readonly kind: 'epoch'; readonly epoch: string; readonly status: 'open' | 'sealed' | 'archived' }
  | ({ readonly kind: 'undo' } & UndoneOperation)
)

/** Which events are asked for. */
export interface Wanted {
  /** What a commit must be; undefined when any will do. */
  readonly matcher: Matcher | undefined
  readonly branch: Glob | undefined
}

/**
 * What an entry is to a watcher: one event, or none. Refs that move together without a rename are one each; `after` is
 * the last of them that was seen.
 */
export function* eventsOf(
  handle: Handle,
  entry: JournalEntry,
  wanted: Wanted,
  after: number | undefined,
): Work<readonly JournalEvent[]> {
  const { record } = entry
  if (after !== undefined && record.kind !== 'ref') return []
  if (record.kind === 'commit') return yield* commitEvents(handle, entry, wanted)
  if (wanted.matcher !== undefined) return []
  if (record.kind === 'ref') return yield* refEvents(handle, entry, wanted, after ?? -1)
  if (record.kind === 'observe' && wanted.branch === undefined) {
    const told = yield* findReadableObservation(handle, readObservation(handle.journal.context, record))
    return told === undefined ? [] : [{ ...envelope(entry), kind: 'observation', ...told }]
  }
  const isShown = wanted.branch === undefined && (yield* readScopeOf(handle))?.isBlank !== true
  const epoch = isShown ? epochChangeIn(record) : undefined
  return epoch === undefined ? [] : [{ ...envelope(entry), kind: 'epoch', ...epoch }]
}

function* commitEvents(handle: Handle, entry: JournalEntry, wanted: Wanted): Work<readonly JournalEvent[]> {
  const branch = branchOfCommit(entry.record) ?? threadOfCommit(entry.record)
  if (branch === undefined || !isWantedBranch(wanted, branch)) return []
  const view = (yield* readScopeOf(handle))?.on([branch])
  const commit = yield* findKept(handle.journal, entry.seq)
  if (commit === undefined || !(yield* isReadableCommit(handle.journal, commit, view))) return []
  if (wanted.matcher !== undefined && !(yield* passes(handle, wanted.matcher, NO_FACTS, commit, view))) return []
  const found = yield* changesOfCommit(handle, commit, view)
  const shown = yield* commitFrom(handle.journal, commit, view)
  return [{ ...envelope(entry), kind: 'commit', branch, commit: shown, ...found, ...undoneBy(entry.record) }]
}

const NO_FACTS = { below: undefined, deviated: undefined }

function* refEvents(handle: Handle, entry: JournalEntry, wanted: Wanted, seen: number): Work<readonly JournalEvent[]> {
  const scope = yield* readScopeOf(handle)
  const { moves } = entry.record
  const isShown = ([ref]: EntryMove): boolean => {
    const name = shownRef(ref)?.name
    return name !== undefined && scope?.on([name]).isBlank !== true
  }
  const renamed = renameIn(moves.filter(isShown))
  const events: JournalEvent[] = []
  for (const [part, move] of renamed === undefined ? [...moves.entries()] : ([[0, renamed.move]] as const)) {
    if (part <= seen || !isShown(move)) continue
    const [fullName, before, after] = move
    const shown = shownRef(fullName)!
    if (wanted.branch !== undefined) {
      const names = renamed === undefined ? [shown.name] : [renamed.from, shown.name]
      if (shown.ref === 'tag' || !names.some(name => isWantedBranch(wanted, name))) continue
    }
    events.push({
      ...envelope(entry),
      // Every move of the entry counts as a part, so that the part means the same for each filter and each reader.
      ...(renamed === undefined && moves.length > 1 ? { cursor: `${entry.seq}.${part}` } : {}),
      kind: 'ref',
      ...shown,
      ...(renamed === undefined ? {} : { from: renamed.from }),
      ...(yield* shownCommit(handle, 'before', before, scope?.on([shown.name]))),
      ...(yield* shownCommit(handle, 'after', after, scope?.on([shown.name]))),
      ...undoneBy(entry.record),
    })
  }
  return events
}

/** Two moves that together give a commit another name are one event, so resuming after it skips neither. */
export function renameIn(moves: readonly EntryMove[]): { readonly move: EntryMove; readonly from: string } | undefined {
  const gone = moves.find(([, , to]) => to === null)
  const come = moves.find(([, from]) => from === null)
  if (moves.length !== 2 || gone === undefined || come === undefined || gone[1] !== come[2]) return undefined
  return { move: [come[0], gone[1], come[2]], from: shownRef(gone[0])!.name }
}

/** Branches and tags are shown; drafts, threads and what the system keeps are not. */
export function shownRef(fullName: string): { readonly ref: 'branch' | 'tag'; readonly name: string } | undefined {
  if (fullName.startsWith(branchPrefix)) return { ref: 'branch', name: fullName.slice(branchPrefix.length) }
  if (fullName.startsWith(tagPrefix)) return { ref: 'tag', name: fullName.slice(tagPrefix.length) }
  return undefined
}

/** The branch that a commit entry moved; undefined for commits of speculations and threads, which cannot be undone. */
export function branchOfCommit({ kind, moves }: EntryRecord): string | undefined {
  if (kind !== 'commit') return undefined
  const move = moves.find(([name, , to]) => to === 0 && name.startsWith(branchPrefix))
  return move?.[0].slice(branchPrefix.length)
}

/** The thread that a commit entry moved; undefined for other commits. */
function threadOfCommit({ moves }: EntryRecord): string | undefined {
  return moves.find(([name, , to]) => to === 0 && name.startsWith(threadPrefix))?.[0]
}

function isWantedBranch({ branch }: Wanted, name: string): boolean {
  return branch === undefined || matchesGlob(branch, name.split('/'))
}

/** The id of the commit that a ref pointed to, if it may be read. The entry's text stays when the commit's nodes are gone. */
function* shownCommit<K extends string>(
  { journal }: Handle,
  field: K,
  seq: number | null,
  view: BranchScope | undefined,
): Work<{ readonly [F in K]?: string }> {
  if (seq === null) return {}
  if (view !== undefined && !view.isWhole) {
    const commit = yield* findKept(journal, seq)
    if (commit === undefined || !(yield* isReadableCommit(journal, commit, view))) return {}
  }
  return { [field]: hexOfId((yield* readEntry(seq)).record.commit!) } as { readonly [F in K]?: string }
}

function undoneBy(record: EntryRecord): { readonly undoes?: number } {
  const undoes = undoneEntry(record)
  return undoes === undefined ? {} : { undoes }
}

/** The entry that another takes back, as its body says; undefined when it is no undo. */
export function undoneEntry(record: EntryRecord): number | undefined {
  return findBody(record, 'commit', 'ref')?.undoes
}

function envelope({ seq, record }: JournalEntry): Pick<JournalEvent, 'seq' | 'cursor' | 'timestamp' | 'agent'> {
  return { seq, cursor: String(seq), timestamp: new Date(record.time).toISOString(), agent: record.agent }
}
