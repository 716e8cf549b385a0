/**
 * The commits that something still needs.
 *
 * Roots are refs, epochs and what the caller adds; from there parents, and the commits that alternatives name. A pack holds only
 * what its own commit or a descendant needs, so commits are all that has to be followed. An expired speculation is
 * no root, whether or not its ref was deleted.
 */

import { appendAll } from '../../core/index.ts'
import { ask, pausePoint, readCommit, readEntry, type StoredCommit, scanEntries, type Work } from '../../store/index.ts'
import { proposalIn } from '../access/proposal.ts'
import type { Handle } from '../handle.ts'
import { epochRanges } from '../log/epoch-entry.ts'
import { isLanded } from '../query/landed.ts'
import type { StoredAlternative } from '../records/info.ts'
import { draftPrefix, listRefs, proposalPrefix, ratePrefix } from '../records/ref-names.ts'
import { detailOf } from '../visibility/commit.ts'
import { speculationIn } from '../write/speculation.ts'

/** The entries that refs keep alive: commits they point to, and the commits that open drafts began at. */
export function* rootsOf({ journal }: Handle): Work<number[]> {
  const roots: number[] = []
  for (const { name, seq } of yield* listRefs('')) {
    if (name.startsWith(ratePrefix)) continue
    const { record } = yield* readEntry(seq)
    const draft = name.startsWith(draftPrefix) ? speculationIn(record) : undefined
    if (draft?.expires !== undefined && Date.parse(draft.expires) <= journal.now()) continue
    // A decided proposal leads to what decided it, which stays for other reasons or not at all.
    if (name.startsWith(proposalPrefix) && proposalIn(record) === undefined) continue
    if (record.commit !== undefined) roots.push(seq)
    if (draft?.base !== undefined) roots.push(draft.base)
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
  const needed = [...commit.parents]
  if (commit.detail === undefined) return needed
  const { alternatives = [] } = yield* detailOf(handle.journal, commit)
  for (const id of alternatives.flatMap(idsOf)) {
    // Taken over twice, a commit has several entries; each may be the one that is still there.
    for (const { seq } of yield* ask(log => log.find(id, SAME_COMMIT))) needed.push(seq)
  }
  return needed
}

const SAME_COMMIT = 16

function idsOf({ commit, base }: StoredAlternative): string[] {
  return [commit, base].filter(id => id !== undefined)
}

/** Adds to `reached` all commits that something needs. */
export function* reachAll(handle: Handle, reached: Set<number>): Work<void> {
  yield* follow(handle, yield* rootsOf(handle), reached)
}

/** Adds to `reached` all commits that lead from these, as far as their packs are there. */
export function* follow(handle: Handle, from: readonly number[], reached: Set<number>): Work<void> {
  const waiting = [...from]
  for (let seq = waiting.pop(); seq !== undefined; seq = waiting.pop()) {
    if (reached.has(seq)) continue
    reached.add(seq)
    yield pausePoint
    appendAll(waiting, yield* needsAt(handle, seq))
  }
}

function* needsAt(handle: Handle, seq: number): Work<readonly number[]> {
  const [row] = yield* ask(log => log.entries(seq, seq, ['part']))
  // An earlier collection dropped it, and with it all that only it leads to.
  return row?.part === undefined ? [] : yield* neededBy(handle, yield* readCommit(handle.journal, seq))
}
