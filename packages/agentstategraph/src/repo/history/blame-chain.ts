/**
 * Blame with what surrounds it: what else was considered, what was observed, the intents above, what happened next.
 *
 * The first two steps are reads. Intents and observations are looked for along the journal, and what came next along the
 * branch, from the blamed commit on: this is the long answer, asked for by name.
 */

import { hexOfId, parseKnownPath } from '../../core/index.ts'
import {
  ask,
  pausePoint,
  readCommit,
  readEntries,
  type StoredCommit,
  scanEntries,
  type Work,
} from '../../store/index.ts'
import { diff } from '../../tree/index.ts'
import type { Handle } from '../handle.ts'
import { readObservation } from '../outcomes/observe.ts'
import { commitOfId } from '../query/revision.ts'
import type { Change } from '../records/change.ts'
import { ifStored } from '../records/find-kept.ts'
import type { StoredAlternative } from '../records/info.ts'
import type { Observed } from '../records/observation.ts'
import { changesFrom } from '../state/decode-value.ts'
import { ancestry, isAncestor } from '../visibility/ancestry.ts'
import { type Commit, commitFrom, detailOf } from '../visibility/commit.ts'
import { branchScopeOfCommit } from '../visibility/names-of-commit.ts'
import type { BranchScope } from '../visibility/read-scope.ts'
import { isReadableCommit } from '../visibility/readable-commit.ts'
import { readableRoot } from '../visibility/readable-state.ts'
import { redactObservation } from '../visibility/redact-observation.ts'
import { findBranchHead } from '../write/refs.ts'
import { type Blame, blame } from './blame.ts'

/** A blame with everything around it: alternatives, observations, parent intents, and what happened next. */
export interface BlameChain extends Blame {
  /** What was considered and not done, with what it would have changed. */
  readonly considered: readonly {
    readonly label: string
    readonly whyNot?: string
    readonly changes: readonly Change[]
    /** That retention dropped the states which the changes are read from. */
    readonly trimmed?: true
  }[]
  /** Oldest first. */
  readonly observed: readonly Observed[]
  /** The intents above this one, the nearest first. One that no commit was made under has an empty description. */
  readonly intents: readonly { readonly id: string; readonly description: string }[]
  /** The commits after it on the branch that touched what it changed, or were made under its intent; oldest first. */
  readonly next: readonly Commit[]
}

const SCANNED_ENTRIES = 256
const MAX_NEXT = 10

/** A view says what of it may be seen, where not all may. */
export function* blameChain(
  handle: Handle,
  at: StoredCommit,
  path: readonly string[],
  view?: BranchScope | undefined,
): Work<BlameChain> {
  const blamed = yield* blame(handle, at, path, view)
  const commit = yield* readCommit(handle.journal, blamed.seq)
  return {
    ...blamed,
    considered: yield* consideredBy(handle, commit, view),
    observed: (yield* observationsOf(handle, commit)).map(one => redactObservation(one, view)),
    intents: yield* intentsAbove(handle, commit),
    next: yield* commitsAfter(handle, at, commit, view),
  }
}

function* consideredBy(
  handle: Handle,
  commit: StoredCommit,
  view: BranchScope | undefined,
): Work<BlameChain['considered']> {
  const considered: BlameChain['considered'][number][] = []
  for (const alternative of (yield* detailOf(handle.journal, commit)).alternatives ?? []) {
    const { label, whyNot } = alternative
    const changes = yield* ifStored(changesOfAlternative(handle, alternative, view))
    const found = changes === undefined ? { changes: [], trimmed: true as const } : { changes }
    considered.push({ label, ...(whyNot === undefined ? {} : { whyNot }), ...found })
  }
  return considered
}

/** An alternative is told by the commit that names it: its own commits landed nowhere. */
function* changesOfAlternative(
  { journal }: Handle,
  { commit, base }: StoredAlternative,
  view: BranchScope | undefined,
): Work<Change[]> {
  if (commit === undefined || base === undefined) return []
  const { context } = journal
  const from = yield* readableRoot(context, (yield* commitOfId(journal, base)).tree, view)
  const to = yield* readableRoot(context, (yield* commitOfId(journal, commit)).tree, view)
  return yield* changesFrom(context, yield* diff(context, from, to))
}

function* observationsOf({ journal }: Handle, commit: StoredCommit): Work<Observed[]> {
  const id = hexOfId(commit.id)
  const found: Observed[] = []
  const { seq: last } = yield* ask(log => log.head())
  yield* scanEntries(commit.seq + 1, last, ['text'], ({ record }) => {
    if (record.kind !== 'observe') return
    const { commit: about, observation } = readObservation(journal.context, record)
    if (about !== id) return
    found.push({ ...observation, agent: record.agent, timestamp: new Date(record.time).toISOString() })
  })
  return found
}

/** An intent is there before what is done for it, so one walk back through the journal meets them all in turn. */
function* intentsAbove(handle: Handle, { seq, record }: StoredCommit): Work<BlameChain['intents']> {
  const intents: { id: string; description: string }[] = []
  let wanted = record.intent.parent
  for (let to = seq - 1; to > 0 && wanted !== undefined; to -= SCANNED_ENTRIES) {
    yield pausePoint
    const entries = yield* readEntries(Math.max(1, to - SCANNED_ENTRIES + 1), to, ['text', 'commit'])
    for (const { seq: at, row } of entries.reverse()) {
      const intent = row.commit === undefined ? undefined : intentIn(row.commit.text)
      if (intent === undefined || wanted === undefined || intent.id !== wanted) continue
      const description = (yield* isShownAt(handle, at)) ? intent.description : ''
      intents.push({ id: intent.id, description })
      wanted = intent.parent === wanted ? undefined : intent.parent
    }
  }
  return wanted === undefined ? intents : [...intents, { id: wanted, description: '' }]
}

/** Whether the handle may see the commit of an entry. */
function* isShownAt(handle: Handle, seq: number): Work<boolean> {
  if (handle.identity === undefined) return true
  const commit = yield* readCommit(handle.journal, seq)
  return yield* isReadableCommit(handle.journal, commit, yield* branchScopeOfCommit(handle, commit))
}

interface FoundIntent {
  readonly id: string
  readonly parent?: string
  readonly description: string
}

function intentIn(text: string): FoundIntent {
  return (JSON.parse(text) as { readonly intent: FoundIntent }).intent
}

/** Of a state in the past, what happened next is what its branch did since. */
function* commitsAfter(
  handle: Handle,
  at: StoredCommit,
  commit: StoredCommit,
  view: BranchScope | undefined,
): Work<Commit[]> {
  const head = yield* findBranchHead(handle)
  const from = head !== undefined && (yield* isAncestor(handle, at, head)) ? head : at
  const line = ancestry(handle, [from.seq], true)
  const after: StoredCommit[] = []
  for (let one = yield* line.next(); one !== undefined && one.seq > commit.seq; one = yield* line.next()) {
    if (followsFrom(one, commit) && (yield* isReadableCommit(handle.journal, one, view))) after.push(one)
  }
  const next: Commit[] = []
  for (const one of after.reverse().slice(0, MAX_NEXT)) {
    next.push(yield* commitFrom(handle.journal, one, view))
  }
  return next
}

function followsFrom(later: StoredCommit, commit: StoredCommit): boolean {
  const { id } = commit.record.intent
  const { intent } = later.record
  if (intent.id === id || intent.parent === id) return true
  const touched = (commit.entry.changed ?? []).map(segmentsOf)
  return (later.entry.changed ?? []).some(path => touched.some(other => isInLine(segmentsOf(path), other)))
}

/** A folded path stands for what is below it. */
function segmentsOf(path: string): readonly string[] {
  return parseKnownPath(path.endsWith('/**') ? path.slice(0, -3) : path)
}

/** Whether one path is the other, or lies above or below it. */
function isInLine(a: readonly string[], b: readonly string[]): boolean {
  return a.slice(0, b.length).every((segment, i) => segment === b[i])
}
