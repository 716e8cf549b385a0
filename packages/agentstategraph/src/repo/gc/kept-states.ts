/**
 * The commits whose states retention keeps: what refs, open drafts, open proposals and epochs lead to, what the rules name, and
 * what later merges of the branches start from.
 *
 * docs/design/retention.md lists them with the reasons.
 */

import { appendAll } from '../../core/index.ts'
import { findCommitAt, scanEntries, type Work } from '../../store/index.ts'
import type { Handle } from '../handle.ts'
import { epochRanges } from '../log/epoch-entry.ts'
import type { RetentionBody } from '../records/entry-bodies.ts'
import { accessRef, besidePrefix, isLandingRef, listRefs, proposalPrefix } from '../records/ref-names.ts'
import { forkPoints } from './fork-points.ts'
import { alternativesOf, type Reach, rootsOf } from './reach.ts'

const alwaysKept = 'Checkpoint'

export interface KeptBy {
  readonly keep: NonNullable<RetentionBody['keep']>
  /** What is newer is kept whatever the rules say. */
  readonly keepNewerMs: number
  readonly reach: Reach
  /** The entry up to which the history is known. */
  readonly until: number
}

export function* keptStates(handle: Handle, by: KeptBy): Work<Set<number>> {
  const { headers } = by.reach
  const parentsOf = function* (seq: number): Work<readonly number[]> {
    return headers?.get(seq)?.parents ?? (yield* findCommitAt(handle.journal, seq))?.parents ?? []
  }
  const kept = new Set(yield* rootsOf(handle))
  const heads: number[] = []
  for (const { name, seq } of yield* listRefs('')) {
    if (name.startsWith(proposalPrefix) && kept.has(seq)) for (const parent of yield* parentsOf(seq)) kept.add(parent)
    if (name === accessRef) yield* keepLine(seq, Number.POSITIVE_INFINITY, parentsOf, kept)
    if (!isLandingRef(name) && !name.startsWith(besidePrefix)) continue
    heads.push(seq)
    yield* keepLine(seq, by.keep.count ?? 1, parentsOf, kept)
  }
  for (const seq of yield* forkPoints(heads, parentsOf)) kept.add(seq)
  yield* keepByRules(handle, by, kept)
  yield* keepAlternatives(handle, by.reach, kept)
  return kept
}

/** Keeps a commit and those before it on the line of first parents, so many in all. */
function* keepLine(
  from: number,
  count: number,
  parentsOf: (seq: number) => Work<readonly number[]>,
  kept: Set<number>,
): Work<void> {
  let seq: number | undefined = from
  for (let left = count; seq !== undefined && left > 0; left--) {
    kept.add(seq)
    seq = (yield* parentsOf(seq))[0]
  }
}

/** Keeps what is young, of a kept category, or in an epoch, whether or not it landed: a bundle has the states of all of it. */
function* keepByRules(handle: Handle, { keep, keepNewerMs, until }: KeptBy, kept: Set<number>): Work<void> {
  const moment = handle.journal.now() - Math.max(keepNewerMs, keep.newerMs ?? keepNewerMs)
  const categories = new Set([alwaysKept, ...(keep.categories ?? [])])
  const epochs = yield* epochRanges()
  yield* scanEntries(1, until, ['text', 'commit'], ({ seq, record, row }) => {
    if (row.commit === undefined) return
    const isYoung = record.time >= moment
    if (
      isYoung ||
      categories.has(categoryIn(row.commit.text)) ||
      epochs.some(({ from, to }) => seq >= from && seq <= to)
    )
      kept.add(seq)
  })
}

function categoryIn(text: string): string {
  return (JSON.parse(text) as { readonly intent: { readonly category: string } }).intent.category
}

/** What a kept commit names as considered can still be compared. */
function* keepAlternatives(handle: Handle, { headers }: Reach, kept: Set<number>): Work<void> {
  const waiting = [...kept]
  for (let seq = waiting.pop(); seq !== undefined; seq = waiting.pop()) {
    if (headers?.get(seq)?.detail === undefined) continue
    const commit = yield* findCommitAt(handle.journal, seq)
    const named = commit === undefined ? [] : yield* alternativesOf(handle, commit)
    appendAll(
      waiting,
      named.filter(one => !kept.has(one)),
    )
    for (const one of named) kept.add(one)
  }
}
