/** The refs of a namespace in memory, listed by name without sorting all of them each time. */

import type { RefCell, RefPart } from '../contract/backend.ts'
import { compareNames } from '../contract/names.ts'

export interface RefCells {
  get(name: string): number | undefined
  set(name: string, seq: number): void
  delete(name: string): void
  list(prefix: string, part?: RefPart): readonly RefCell[]
}

export function refCells(): RefCells {
  const seqs = new Map<string, number>()
  /** All names and perhaps some that are gone, sorted up to those that were added last. */
  let names: string[] = []
  let isSorted = true

  function sortedNames(): readonly string[] {
    if (!isSorted) {
      // Sorting what is sorted but for its end takes one pass.
      names.sort(compareNames)
      names = names.filter((name, i) => seqs.has(name) && name !== names[i - 1])
      isSorted = true
    }
    return names
  }

  return {
    get: name => seqs.get(name),
    set(name, seq) {
      if (!seqs.has(name)) {
        names.push(name)
        isSorted = false
      }
      seqs.set(name, seq)
    },
    delete(name) {
      if (seqs.delete(name)) isSorted = false
    },
    list(prefix, { after, limit } = { limit: Number.POSITIVE_INFINITY }) {
      const sorted = sortedNames()
      const found: RefCell[] = []
      const isAfter = after !== undefined && compareNames(after, prefix) >= 0
      let at = placeOf(sorted, isAfter ? after : prefix)
      if (isAfter && sorted[at] === after) at++
      for (; found.length < limit && sorted[at]?.startsWith(prefix) === true; at++) {
        found.push({ name: sorted[at]!, seq: seqs.get(sorted[at]!)! })
      }
      return found
    },
  }
}

/** The index of the first name that is not before another. */
function placeOf(names: readonly string[], name: string): number {
  let low = 0
  let high = names.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (compareNames(names[middle]!, name) < 0) low = middle + 1
    else high = middle
  }
  return low
}
