/**
 * The commits after the mark of the index of ids, in memory, so that a search does not read all of them again. The tail is
 * long in a store whose index cannot be written, because it is opened for reading or its disk is full.
 *
 * A tail belongs to one journal. Its user looks up what it proposes.
 */
import type { FoundCommit } from '../../../store/contract/backend.ts'

export interface Tail {
  /** The leaf of the first entry of the journal, and the mark that the tail begins after. */
  readonly first: string
  readonly mark: number
  /** The last entry that was added. */
  to: number
  readonly seqs: Map<number, number[]>
}

/** The tail of a journal, brought up to its newest entry; `read` gives the commits of a range. */
export function grownTail(
  tail: Tail | undefined,
  { first, mark, newest }: { readonly first: string; readonly mark: number; readonly newest: number },
  read: (from: number, to: number) => readonly FoundCommit[],
  keyOf: (id: string) => number,
): Tail {
  const isSame = tail !== undefined && tail.first === first && tail.mark === mark && tail.to <= newest
  const grown = isSame ? tail : { first, mark, to: mark, seqs: new Map<number, number[]>() }
  for (const { seq, id } of grown.to < newest ? read(grown.to + 1, newest) : []) {
    const seqs = grown.seqs.get(keyOf(id))
    if (seqs === undefined) grown.seqs.set(keyOf(id), [seq])
    else seqs.push(seq)
  }
  grown.to = newest
  return grown
}
