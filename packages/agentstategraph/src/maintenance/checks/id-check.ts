/**
 * Whether commits are found by their ids.
 *
 * Of each id, 48 bits are noted; then the store is asked for all ids, one beginning after the other, which costs it much
 * less than to be asked for each of them.
 */

import { findCommits, pausePoint, type Work } from '../../store/index.ts'
import { SeqNumbers } from '../seq-numbers.ts'

/** The hex digits of 48 bits. */
const NOTED_DIGITS = 12
/** How many commits are asked for at once, roughly. */
const TOGETHER = 256

export interface IdCheck {
  /** Notes the commit of an entry; the id is in hex. */
  note(seq: number, id: string): void
  /** The entries whose commits are not found by their ids. `newest` is the newest entry of the journal. */
  missing(newest: number): Work<readonly number[]>
}

export function idCheck(): IdCheck {
  const noted = new SeqNumbers()
  return {
    note: (seq, id) => noted.set(seq, numberOf(id)),
    *missing(newest): Work<readonly number[]> {
      for (const prefix of prefixesFor(noted, newest)) {
        yield pausePoint
        const found = yield* findCommits(prefix, newest)
        for (const { seq, id } of found) if (noted.get(seq) === numberOf(id)) noted.delete(seq)
      }
      return [...noted.entries()].map(([seq]) => seq)
    },
  }
}

function numberOf(id: string): number {
  return Number.parseInt(id.slice(0, NOTED_DIGITS), 16)
}

/** Beginnings that all noted ids have: every short one, or their own when they are few in a long journal. */
function* prefixesFor(noted: SeqNumbers, newest: number): Generator<string> {
  const digits = Math.max(0, Math.ceil(Math.log2(newest / TOGETHER) / 4))
  const hex = (number: number, length: number): string => number.toString(16).padStart(length, '0')
  if (noted.count < 16 ** digits) for (const [, number] of noted.entries()) yield hex(number, NOTED_DIGITS)
  else for (let n = 0; n < 16 ** digits; n++) yield digits === 0 ? '' : hex(n, digits)
}
