/**
 * The commits where the histories of several heads meet, which a merge of two of them starts from.
 *
 * The walk goes from the newest commit back. Each commit has the set of heads that lead to it. A best common ancestor of two
 * heads has no child to which both lead, so no child has its set; every commit with that property is returned, and it has
 * them all.
 */

import { pausePoint, type Work } from '../../store/index.ts'
import { newestFirst } from '../records/newest-first.ts'

/** A commit that was met, and not visited yet. */
interface Met {
  /** The number of the set of heads that lead to it. */
  readonly heads: number
  /** Whether none of its children has that set. */
  readonly isFork: boolean
}

/** The fork points of these heads. `parentsOf` gives the parents of a commit. */
export function* forkPoints(
  heads: readonly number[],
  parentsOf: (seq: number) => Work<readonly number[]>,
): Work<readonly number[]> {
  const distinct = [...new Set(heads)]
  const sets = headSets(distinct.length)
  const met = new Map(distinct.map((seq, head): [number, Met] => [seq, { heads: sets.only(head), isFork: false }]))
  const queue = newestFirst(distinct)
  const found: number[] = []
  for (let seq = queue.take(); seq !== undefined; seq = queue.take()) {
    yield pausePoint
    const { heads: own, isFork } = met.get(seq)!
    met.delete(seq)
    if (isFork) found.push(seq)
    for (const parent of new Set(yield* parentsOf(seq))) {
      const before = met.get(parent)
      queue.add(parent)
      if (before === undefined) met.set(parent, { heads: own, isFork: false })
      else met.set(parent, joined(before, own, sets.union(before.heads, own)))
    }
  }
  return found
}

function joined(before: Met, child: number, heads: number): Met {
  const isFork = heads === before.heads ? before.isFork && child !== heads : child !== heads
  return { heads, isFork }
}

interface HeadSets {
  /** The set of one head. */
  only(head: number): number
  union(a: number, b: number): number
}

/** Sets of heads by number: equal sets have one number. */
function headSets(count: number): HeadSets {
  const sets: Uint8Array[] = []
  const numbers = new Map<string, number>()
  const unions = new Map<string, number>()
  const decoder = new TextDecoder('latin1')

  function numberOf(set: Uint8Array): number {
    const key = decoder.decode(set)
    const known = numbers.get(key)
    if (known !== undefined) return known
    numbers.set(key, sets.length)
    return sets.push(set) - 1
  }

  return {
    only(head) {
      const set = new Uint8Array((count >> 3) + 1)
      set[head >> 3] = 1 << (head & 7)
      return numberOf(set)
    },
    union(a, b) {
      if (a === b) return a
      const key = `${Math.min(a, b)} ${Math.max(a, b)}`
      const known = unions.get(key)
      if (known !== undefined) return known
      const other = sets[b]!
      const number = numberOf(sets[a]!.map((bits, i) => bits | other[i]!))
      unions.set(key, number)
      return number
    },
  }
}
