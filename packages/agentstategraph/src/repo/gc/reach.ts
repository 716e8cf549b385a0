/**
 * The commits that something still needs.
 *
 * Roots are refs, epochs and what the caller adds; from there parents, and the commits that alternatives name. A pack holds only
 * what its own commit or a descendant needs, so commits are all that has to be followed. An expired speculation is
 * no root, whether or not its ref was deleted.
 */

import { appendAll } from '../../core/index.ts'
import {
  findCommitAt,
  findCommits,
  type PackHeader,
  pausePoint,
  readCommit,
  readEntriesAt,
  type StoredCommit,
  scanEntries,
  type Work,
} from '../../store/index.ts'
import { proposalIn } from '../access/proposal.ts'
import type { Handle } from '../handle.ts'
import { epochRanges } from '../log/epoch-entry.ts'
import { isLanded } from '../query/landed.ts'
import type { StoredAlternative } from '../records/info.ts'
import { draftPrefix, listRefs, proposalPrefix, ratePrefix } from '../records/ref-names.ts'
import { detailOf } from '../visibility/commit.ts'
import { speculationIn } from '../write/speculation.ts'

/** What was reached so far. */
export interface Reach {
  readonly reached: Set<number>
  /** What is known of commits from the headers of their packs. Another commit is read when it is reached. */
  readonly headers?: ReadonlyMap<number, Pick<PackHeader, 'parents' | 'detail'>>
}

/** The entries that refs and epochs keep alive: those they lead to, and the commits that open drafts began at. */
export function* rootsOf({ journal }: Handle): Work<number[]> {
  const roots: number[] = []
  const refs = (yield* listRefs('')).filter(({ name }) => !name.startsWith(ratePrefix))
  const told = refs.filter(({ name }) => name.startsWith(draftPrefix) || name.startsWith(proposalPrefix))
  const entries = yield* readEntriesAt(told.map(({ seq }) => seq))
  for (const { name, seq } of refs) {
    const record = entries.get(seq)?.record
    // A decided proposal leads to what decided it, which stays for other reasons or not at all.
    if (name.startsWith(proposalPrefix) && proposalIn(record!) === undefined) continue
    const draft = name.startsWith(draftPrefix) ? speculationIn(record!) : undefined
    if (draft?.expires !== undefined && Date.parse(draft.expires) <= journal.now()) continue
    if (draft !== undefined) roots.push(draft.base)
    if (draft === undefined || record!.commit !== undefined) roots.push(seq)
  }
  yield* addEpochs(roots)
  return roots
}

/** What landed in an epoch stays, sealed or not yet, whether or not a branch still leads to it. */
function* addEpochs(roots: number[]): Work<void> {
  for (const range of yield* epochRanges()) {
    yield* scanEntries(range.from, range.to, ['text'], ({ seq, record }) => {
      if (isLanded(record)) roots.push(seq)
    })
  }
}

/** The commits that one needs beside itself: its parents, and what its alternatives would have done. */
export function* neededBy(handle: Handle, commit: StoredCommit): Work<number[]> {
  return [...commit.parents, ...(yield* alternativesOf(handle, commit))]
}

/** The commits that the alternatives of a commit name. */
export function* alternativesOf(handle: Handle, commit: StoredCommit): Work<number[]> {
  const needed: number[] = []
  if (commit.detail === undefined) return needed
  const { alternatives = [] } = yield* detailOf(handle.journal, commit)
  for (const id of alternatives.flatMap(idsOf)) {
    // Taken over twice, a commit has several entries; each may be the one that is still there.
    for (const { seq } of yield* findCommits(id, SAME_COMMIT)) needed.push(seq)
  }
  return needed
}

const SAME_COMMIT = 16

function idsOf({ commit, base }: StoredAlternative): string[] {
  return [commit, base].filter(id => id !== undefined)
}

/** Reaches all commits that something needs. */
export function* reachAll(handle: Handle, reach: Reach): Work<void> {
  yield* follow(handle, yield* rootsOf(handle), reach)
}

/**
 * Reaches all that entries after `from`, up to `to`, may have made a root: the commits they hold, where they moved refs to,
 * and where their drafts began. Those are more than the roots there are, and need no listing of all refs.
 */
export function* reachSince(handle: Handle, from: number, to: number, reach: Reach): Work<void> {
  yield* follow(handle, yield* rootsSince(from, to), reach)
}

/** The entries that those after `from`, up to `to`, may have made roots. */
export function* rootsSince(from: number, to: number): Work<readonly number[]> {
  const roots: number[] = []
  yield* scanEntries(from + 1, to, ['text'], ({ seq, record }) => {
    const targets = record.moves.map(([, , target]) => target ?? 0)
    appendAll(
      roots,
      [seq, ...targets, speculationIn(record)?.base ?? 0].filter(root => root > 0),
    )
  })
  return roots
}

/** Reaches all that leads from these entries, as far as packs are there. */
export function* follow(handle: Handle, from: readonly number[], reach: Reach): Work<void> {
  const { reached } = reach
  const waiting = [...from]
  for (let seq = waiting.pop(); seq !== undefined; seq = waiting.pop()) {
    if (reached.has(seq)) continue
    reached.add(seq)
    yield pausePoint
    appendAll(waiting, yield* needsAt(handle, seq, reach))
  }
}

function* needsAt(handle: Handle, seq: number, { headers }: Reach): Work<readonly number[]> {
  const header = headers?.get(seq)
  if (header !== undefined && header.detail === undefined) return header.parents
  const { journal } = handle
  const commit = header === undefined ? yield* findCommitAt(journal, seq) : yield* readCommit(journal, seq)
  // A commit whose pack an earlier collection dropped has lost with it all that only it leads to.
  return commit === undefined ? [] : yield* neededBy(handle, commit)
}
