/**
 * A walk back in which the index proposes what could pass a filter, where the history is straight.
 *
 * A branch that is moved only by commits, each with the place of the branch before it as its one parent, is a straight line: of
 * the entries since the branch last bent, exactly those that moved it lead to its head. So a walk that has nothing else to visit
 * goes from one proposed commit of the line to the next. Elsewhere, and after the index's mark, it visits every commit.
 */

import { appendAll } from '../../core/index.ts'
import { ask, pausePoint, readCommit, type StoredCommit, type Work } from '../../store/index.ts'
import type { Handle } from '../handle.ts'
import { isLandingRef } from '../records/ref-names.ts'
import { type Ancestry, ancestry } from '../visibility/ancestry.ts'
import { prepareIndex } from './index-build.ts'
import { bendTerm, moveTerm, type Proposal } from './index-terms.ts'

/** How many entries the index proposes at once. */
const PROPOSED_ENTRIES = 64
/** A line that is not longer is walked. */
const SHORT_LINE = 64

/** The part of the journal in which a branch was moved straight to a commit. */
interface Line {
  readonly ref: string
  /** The entry that bent it last, before the line. */
  readonly bend: number
  /** The commit of the line that was given last. */
  last: StoredCommit
  /** Proposed commits before that, the newest last. */
  readonly waiting: number[]
}

/** A walk that leaves out commits which cannot pass, as far as the index knows. */
export function straightLog(
  handle: Handle,
  from: readonly number[],
  isFirstParentOnly: boolean,
  proposal: Proposal,
): Ancestry {
  const { journal } = handle
  const walkFrom = (seqs: readonly number[]): Ancestry => ancestry(handle, seqs, isFirstParentOnly)
  let walk = walkFrom(from)
  let line: Line | undefined

  /** The next proposed commit of a line; undefined at its end. */
  function* nextOn(at: Line): Work<StoredCommit | undefined> {
    const { ref, bend, waiting, last } = at
    if (waiting.length === 0) {
      const all = [[moveTerm(ref)], ...proposal.all]
      const found = yield* search(all, bend + 1, last.seq - 1, 'newest', PROPOSED_ENTRIES)
      appendAll(waiting, (found ?? []).toReversed())
    }
    const seq = waiting.pop()
    if (seq === undefined) return undefined
    at.last = yield* readCommit(journal, seq)
    return at.last
  }

  return {
    *next(): Work<StoredCommit | undefined> {
      yield pausePoint
      if (line !== undefined) {
        const commit = yield* nextOn(line)
        if (commit !== undefined) return commit
        const { ref, bend, last } = line
        const [first = last.seq] = (yield* search([[moveTerm(ref)]], bend + 1, last.seq, 'oldest', 1)) ?? []
        walk = walkFrom((yield* readCommit(journal, first)).parents)
        line = undefined
      }
      const commit = yield* walk.next()
      if (commit !== undefined && walk.frontier().length === 1) line = yield* lineTo(handle, commit)
      return commit
    },
    frontier: () => (line === undefined ? walk.frontier() : line.last.parents),
  }
}

/** The line that ends at a commit; undefined when there is none, or one that is short or not indexed. */
function* lineTo({ journal }: Handle, last: StoredCommit): Work<Line | undefined> {
  const ref = last.entry.moves.find(([name, , to]) => to === 0 && isLandingRef(name))?.[0]
  if (ref === undefined || last.seq <= SHORT_LINE) return undefined
  if ((yield* prepareIndex(journal)) === undefined) return undefined
  const bends = yield* search([[bendTerm(ref)]], 1, last.seq, 'newest', 1)
  if (bends === undefined) return undefined
  const [bend = 0] = bends
  return last.seq - bend <= SHORT_LINE ? undefined : { ref, bend, last, waiting: [] }
}

/** What the index finds; undefined when it does not go so far, or was cleared meanwhile. */
function* search(
  all: readonly (readonly string[])[],
  from: number,
  to: number,
  order: 'newest' | 'oldest',
  limit: number,
): Work<readonly number[] | undefined> {
  const { mark, seqs } = yield* ask(log => log.index!.search({ from, to, all, none: [], order, limit }))
  return mark < to ? undefined : seqs
}
