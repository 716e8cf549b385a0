/**
 * The Merkle log of a journal: the tree of RFC 9162 over the leaves of its entries; entry 1 is leaf 0.
 *
 * Leaves are stored with the entries. Of the tree above them, the hashes of complete subtrees of 256 or more leaves are
 * derived up to a mark on demand. They are stored where the backend has an index, and otherwise cached as long as the
 * process lives. So writes cost nothing, and a root or a proof reads a few hashes and at most one run of 256 leaves at
 * each end.
 */

import {
  appendLeaves,
  bytesOfId,
  emptyFrontier,
  type Frontier,
  nodeHash,
  rootOf,
  rootOfFrontier,
} from '../../core/index.ts'
import {
  ask,
  type HashPlace,
  isOutOfSpace,
  type Journal,
  type LogHashes,
  memoryHashes,
  type PlacedHash,
  pausePoint,
  readLeaves,
  type SyncLogHashes,
  type Work,
} from '../../store/index.ts'

/** The number of leaves below the lowest stored hashes, and the level of these hashes. */
const TILE_LEAVES = 256
const TILE_LEVEL = 8
/** How many tiles are derived in one transaction. */
const BATCH_TILES = 2
/** How many leaves are added to the frontier last used before it is cheaper to begin from the kept hashes. */
const NEAR_LEAVES = 512

/** The root over the first `size` entries of a journal. */
export function* rootAt(journal: Journal, size: number): Work<Uint8Array> {
  return rootOfFrontier(yield* frontierAt(journal, size))
}

/** The last frontiers, because a signer needs the root again with each commit. */
const frontiers = new WeakMap<Journal, Frontier>()

/** The roots of the complete subtrees of the tree over the first `size` entries. */
export function* frontierAt(journal: Journal, size: number): Work<Frontier> {
  const known = frontiers.get(journal.opened)
  const isNear = known !== undefined && known.size <= size && size - known.size <= NEAR_LEAVES
  let frontier = isNear ? known : yield* wholeTiles(journal, size - (size % TILE_LEAVES))
  if (frontier.size < size) frontier = appendLeaves(frontier, yield* hashedLeaves(frontier.size, size))
  frontiers.set(journal.opened, frontier)
  return frontier
}

/** Extends a frontier by leaves that the caller has read, so that the next root needs few reads. */
export function grownBy(journal: Journal, frontier: Frontier, leaves: readonly string[]): Frontier {
  const grown = appendLeaves(frontier, leaves.map(bytesOfId))
  frontiers.set(journal.opened, grown)
  return grown
}

/** The hashes that lead from an entry's leaf to the root over the first entries, lowest first. Leaves count from 0. */
export function* inclusionProofAt(journal: Journal, index: number, size: number): Work<readonly Uint8Array[]> {
  yield* deriveUntil(journal, size)
  const proof: Uint8Array[] = []
  let from = 0
  let to = size
  while (to - from > 1) {
    const middle = from + powerBelow(to - from)
    const isLeft = index < middle
    proof.push(yield* isLeft ? subtree(journal, middle, to) : subtree(journal, from, middle))
    if (isLeft) to = middle
    else from = middle
  }
  return proof.reverse()
}

/** The consistency proof: the hashes which show that entries were only appended between two sizes. */
export function* consistencyProofAt(journal: Journal, first: number, second: number): Work<readonly Uint8Array[]> {
  if (first === 0 || first === second) return []
  yield* deriveUntil(journal, second)
  const proof: Uint8Array[] = []
  let from = 0
  let to = second
  while (to > first) {
    const middle = from + powerBelow(to - from)
    proof.push(yield* first <= middle ? subtree(journal, middle, to) : subtree(journal, from, middle))
    if (first <= middle) to = middle
    else from = middle
  }
  // What is left is the old tree itself, whose root the verifier knows.
  if (from > 0) proof.push(yield* subtree(journal, from, to))
  return proof.reverse()
}

/** Derives and stores the missing hashes over the first `size` entries, as far as there is space. Returns the mark. */
export function* deriveUntil(journal: Journal, size: number): Work<number> {
  for (;;) {
    yield pausePoint
    const mark = yield* withHashes(journal, hashes => hashes.mark())
    const tiles = Math.min(BATCH_TILES, Math.floor((size - mark) / TILE_LEAVES))
    if (tiles <= 0) return mark
    const hashes = yield* hashesAfter(journal, mark, tiles)
    try {
      // A concurrent process may have added them before; they are equal.
      yield* withHashes(journal, kept => kept.add({ from: mark, to: mark + tiles * TILE_LEAVES, hashes }))
    } catch (error) {
      if (isOutOfSpace(error)) return mark
      throw error
    }
  }
}

/** All hashes to store for some more tiles. */
function* hashesAfter(journal: Journal, mark: number, tiles: number): Work<readonly PlacedHash[]> {
  const made = new Map<string, PlacedHash>()
  const leaves = yield* hashedLeaves(mark, mark + tiles * TILE_LEAVES)
  for (let tile = 0; tile < tiles; tile++) {
    let hash = rootOf(leaves.slice(tile * TILE_LEAVES, (tile + 1) * TILE_LEAVES))
    let level = TILE_LEVEL
    let index = mark / TILE_LEAVES + tile
    for (;;) {
      made.set(`${level}/${index}`, { level, index, hash })
      if (index % 2 === 0) break
      const left: Uint8Array = made.get(`${level}/${index - 1}`)?.hash ?? (yield* keptOrMade(journal, level, index - 1))
      hash = nodeHash(left, hash)
      level++
      index = (index - 1) / 2
    }
  }
  return [...made.values()]
}

/** The frontier over complete tiles, from the stored hashes. */
function* wholeTiles(journal: Journal, size: number): Work<Frontier> {
  if (size === 0) return emptyFrontier
  yield* deriveUntil(journal, size)
  const peaks: Uint8Array[] = []
  for (let from = 0; from < size; ) {
    const leaves = powerBelow(size - from + 1)
    peaks.push(yield* keptOrMade(journal, Math.log2(leaves), from / leaves))
    from += leaves
  }
  return { size, peaks }
}

/** The hash of the subtree over a range of leaves, without the last index. */
function* subtree(journal: Journal, from: number, to: number): Work<Uint8Array> {
  const leaves = to - from
  if (leaves < TILE_LEAVES) return rootOf(yield* hashedLeaves(from, to))
  const half = powerBelow(leaves)
  if (half * 2 === leaves) return yield* keptOrMade(journal, Math.log2(leaves), from / leaves)
  return nodeHash(yield* subtree(journal, from, from + half), yield* subtree(journal, from + half, to))
}

/** The hash of a complete subtree; computed from those below it when it is not stored. */
function* keptOrMade(journal: Journal, level: number, index: number): Work<Uint8Array> {
  if (level < TILE_LEVEL) return rootOf(yield* hashedLeaves(index * 2 ** level, (index + 1) * 2 ** level))
  const [kept] = yield* withHashes(journal, hashes => hashes.read([{ level, index }]))
  if (kept !== undefined) return kept
  return nodeHash(
    yield* keptOrMade(journal, level - 1, index * 2),
    yield* keptOrMade(journal, level - 1, index * 2 + 1),
  )
}

function* hashedLeaves(from: number, to: number): Work<Uint8Array[]> {
  return (yield* readLeaves(from + 1, to)).map(bytesOfId)
}

/** The hashes of a journal whose backend does not store them, or not now. */
const ownHashes = new WeakMap<Journal, SyncLogHashes>()

function* withHashes<T>(journal: Journal, call: (hashes: LogHashes | SyncLogHashes) => T | Promise<T>): Work<T> {
  return yield* ask(log =>
    call(log.index === undefined || log.index.isFixed === true ? own(journal) : log.index.hashes),
  )
}

function own(journal: Journal): SyncLogHashes {
  const found = ownHashes.get(journal.opened) ?? memoryHashes()
  ownHashes.set(journal.opened, found)
  return found
}

/**
 * Compares every stored hash with the leaves, and returns the positions that are wrong. Clears the caches of this
 * process.
 */
export function* wrongHashes(journal: Journal): Work<readonly HashPlace[]> {
  const wrong: HashPlace[] = []
  frontiers.delete(journal.opened)
  ownHashes.delete(journal.opened)
  if (yield* ask(log => log.index === undefined || log.index.isFixed === true)) return wrong
  const mark = yield* withHashes(journal, hashes => hashes.mark())
  const pending: Uint8Array[] = []
  for (let tile = 0; (tile + 1) * TILE_LEAVES <= mark; tile++) {
    yield pausePoint
    let hash = rootOf(yield* hashedLeaves(tile * TILE_LEAVES, (tile + 1) * TILE_LEAVES))
    for (let [level, index] = [TILE_LEVEL, tile]; ; level++, index = (index - 1) / 2) {
      const place = { level, index }
      const [kept] = yield* withHashes(journal, hashes => hashes.read([place]))
      if (kept === undefined || !isSame(kept, hash)) wrong.push(place)
      if (index % 2 === 0) break
      hash = nodeHash(pending.pop()!, hash)
    }
    pending.push(hash)
  }
  return wrong
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i])
}

/** The largest power of two below a count. */
function powerBelow(count: number): number {
  return 2 ** Math.ceil(Math.log2(count) - 1)
}
