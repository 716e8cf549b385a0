/**
 * A set of ids for those who remember very many of them: 32 bytes each in one block, where a set of texts takes three times
 * as much and gives the garbage collector an object for each.
 *
 * Where an id goes is decided by its own first bits. So only hashes that were computed may be added: whoever could choose
 * them freely could make the set slow.
 */
import { bytesOfId } from './hash.ts'

export interface IdSet {
  has(id: string): boolean
  add(id: string): void
}

/** The words of an id, which are the same on one machine and mean nothing elsewhere. */
const WORDS = 8
const FIRST_CAPACITY = 1024
const MOST_FILLED = 0.8

/** Makes an empty set. */
export function idSet(): IdSet {
  let table = emptyTable(FIRST_CAPACITY)
  let size = 0

  const grow = (): void => {
    const grown = emptyTable(table.isUsed.length * 2)
    for (const [slot, used] of table.isUsed.entries())
      if (used === 1) put(grown, table.words.subarray(slot * WORDS, (slot + 1) * WORDS))
    table = grown
  }

  return {
    has(id) {
      return table.isUsed[slotOf(table, wordsOf(id))] === 1
    },
    add(id) {
      if (size >= table.isUsed.length * MOST_FILLED) grow()
      if (put(table, wordsOf(id))) size++
    },
  }
}

interface Table {
  readonly words: Int32Array
  readonly isUsed: Uint8Array
}

/** The capacity is a power of two, so that some bits of an id are a slot. */
function emptyTable(capacity: number): Table {
  return { words: new Int32Array(capacity * WORDS), isUsed: new Uint8Array(capacity) }
}

function wordsOf(id: string): Int32Array {
  return new Int32Array(bytesOfId(id).buffer)
}

/** Says whether the id is new. */
function put(table: Table, id: Int32Array): boolean {
  const slot = slotOf(table, id)
  if (table.isUsed[slot] === 1) return false
  table.isUsed[slot] = 1
  table.words.set(id, slot * WORDS)
  return true
}

/** Where an id is, or the free slot where it would be. */
function slotOf({ words, isUsed }: Table, id: Int32Array): number {
  const mask = isUsed.length - 1
  let slot = id[0]! & mask
  while (isUsed[slot] === 1 && !isAt(words, slot * WORDS, id)) slot = (slot + 1) & mask
  return slot
}

function isAt(words: Int32Array, start: number, id: Int32Array): boolean {
  for (let i = 0; i < WORDS; i++) if (words[start + i] !== id[i]) return false
  return true
}
