/** Which nodes retention trimmed, as ranges: most packs have lost nearly all of theirs, and a number for each would be many. */

import { type Pointer, pointerAfter } from '../../tree/index.ts'

export interface TrimmedNodes {
  readonly isEmpty: boolean
  /** Adds a node that lies after all that were added. */
  add(at: Pointer): void
  has(at: Pointer): boolean
}

export function trimmedNodes(): TrimmedNodes {
  const starts: number[] = []
  const ends: number[] = []
  return {
    get isEmpty() {
      return starts.length === 0
    },
    add(at) {
      if (ends.at(-1) === at) {
        ends[ends.length - 1] = pointerAfter(at)
        return
      }
      starts.push(at)
      ends.push(pointerAfter(at))
    },
    has(at) {
      let low = 0
      let high = starts.length
      while (low < high) {
        const middle = (low + high) >> 1
        if (starts[middle]! <= at) low = middle + 1
        else high = middle
      }
      return low > 0 && at < ends[low - 1]!
    },
  }
}
