/**
 * A search of an index whose cells are read by calls that take long: a block first, and then each time more of them. A common term is found
 * soon, and a rare one takes few calls.
 */
import { appendAll } from '../core/index.ts'
import type { IndexSearch } from '../store/contract/index-log.ts'
import { blockEntries, blockOf, searchBlocks } from '../store/memory/search-terms.ts'
import { fillPlaces } from './index-places.ts'

const growth = 4

/** Reads what is stored of terms in a range of blocks, both ends included, and gives what finds the places of one. */
export type ReadPlaces = (
  terms: readonly string[],
  from: number,
  to: number,
) => Promise<(term: string, block: number) => Uint8Array | undefined>

/** The entries up to the mark that match a search. `mostBlocks` says how many blocks of so many terms one call reads at most. */
export async function searchInSteps(
  search: IndexSearch,
  mark: number,
  mostBlocks: (terms: number) => number,
  read: ReadPlaces,
): Promise<number[]> {
  const { all, none, within, order, limit } = search
  const found: number[] = []
  if (Math.max(search.from, 1) > Math.min(search.to, mark)) return found
  const terms = [...new Set([...all.flat(), ...none, ...(within === undefined ? [] : [within.or])])]
  const most = mostBlocks(terms.length)
  let first = blockOf(Math.max(search.from, 1))
  let last = blockOf(Math.min(search.to, mark))
  for (let blocks = 1; first <= last && found.length < limit; blocks = Math.min(blocks * growth, most)) {
    const [from, to] =
      order === 'newest' ? [Math.max(first, last - blocks + 1), last] : [first, Math.min(last, first + blocks - 1)]
    if (order === 'newest') last = from - 1
    else first = to + 1
    const placesOf = await read(terms, from, to)
    const part: IndexSearch = {
      ...search,
      from: Math.max(search.from, from * blockEntries),
      to: Math.min(search.to, (to + 1) * blockEntries - 1),
      limit: limit - found.length,
    }
    const fill = (term: string, block: number, bits: Uint32Array): boolean => {
      const places = placesOf(term, block)
      if (places !== undefined) fillPlaces(places, bits)
      return places !== undefined
    }
    appendAll(found, searchBlocks(part, mark, fill))
  }
  return found
}
