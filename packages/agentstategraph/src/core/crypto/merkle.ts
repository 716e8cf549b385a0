/**
 * The Merkle tree of RFC 9162, section 2.1, over SHA-256.
 *
 * A leaf is hashed after a 0 byte and a node after a 1 byte, so that neither can be presented as the other. Hashes are 32
 * bytes; leaves are given as their hashes. This file verifies proofs; they are made in the repo layer, from stored hashes.
 * It knows nothing of entries, signatures or storage.
 */
import { bytesOfId, digestBytes, leafId } from './hash.ts'

/** Returns the hash of a leaf, given as bytes or as text in UTF-8. */
export function leafHash(leaf: string | Uint8Array): Uint8Array {
  if (typeof leaf === 'string') return bytesOfId(leafId(leaf))
  const prefixed = new Uint8Array(leaf.length + 1)
  prefixed.set(leaf, 1)
  return digestBytes(prefixed)
}

/** Returns the hash of the node above two hashes. */
export function nodeHash(left: Uint8Array, right: Uint8Array): Uint8Array {
  const prefixed = new Uint8Array(65)
  prefixed[0] = 1
  prefixed.set(left, 1)
  prefixed.set(right, 33)
  return digestBytes(prefixed)
}

/** Returns the root over leaf hashes; without leaves it is the hash of no bytes. */
export function rootOf(leaves: readonly Uint8Array[]): Uint8Array {
  if (leaves.length === 0) return digestBytes(new Uint8Array(0))
  return rootOfRange(leaves, 0, leaves.length)
}

/** Whether a leaf hash is at an index of the tree with that size and root. */
export function verifyInclusion(
  leaf: Uint8Array,
  index: number,
  size: number,
  proof: readonly Uint8Array[],
  root: Uint8Array,
): boolean {
  if (!isCount(index) || !isCount(size) || index >= size) return false
  let hash = leaf
  let at = index
  let last = size - 1
  for (const sibling of proof) {
    if (last === 0) return false
    if (at % 2 === 1 || at === last) {
      hash = nodeHash(sibling, hash)
      // A node without a right sibling is promoted until it is a right sibling itself.
      while (at % 2 === 0 && at !== 0) {
        at /= 2
        last = Math.floor(last / 2)
      }
    } else hash = nodeHash(hash, sibling)
    at = Math.floor(at / 2)
    last = Math.floor(last / 2)
  }
  return last === 0 && isEqual(hash, root)
}

/** Whether the second tree is the first with leaves appended. */
export function verifyConsistency(
  first: number,
  second: number,
  firstRoot: Uint8Array,
  secondRoot: Uint8Array,
  proof: readonly Uint8Array[],
): boolean {
  if (!isCount(first) || !isCount(second) || first > second) return false
  if (first === second) return proof.length === 0 && isEqual(firstRoot, secondRoot)
  if (first === 0) return proof.length === 0 && isEqual(firstRoot, rootOf([]))
  const hashes = isPowerOfTwo(first) ? [firstRoot, ...proof] : proof
  let at = first - 1
  let last = second - 1
  while (at % 2 === 1) {
    at = Math.floor(at / 2)
    last = Math.floor(last / 2)
  }
  const [start, ...rest] = hashes
  if (start === undefined) return false
  let old = start
  let now = start
  for (const sibling of rest) {
    if (last === 0) return false
    if (at % 2 === 1 || at === last) {
      old = nodeHash(sibling, old)
      now = nodeHash(sibling, now)
      while (at % 2 === 0 && at !== 0) {
        at /= 2
        last = Math.floor(last / 2)
      }
    } else now = nodeHash(now, sibling)
    at = Math.floor(at / 2)
    last = Math.floor(last / 2)
  }
  return last === 0 && isEqual(old, firstRoot) && isEqual(now, secondRoot)
}

/** What appending to a tree needs: the roots of its complete subtrees, the largest first. */
export interface Frontier {
  readonly size: number
  readonly peaks: readonly Uint8Array[]
}

export const emptyFrontier: Frontier = { size: 0, peaks: [] }

export function appendLeaf(frontier: Frontier, leaf: Uint8Array): Frontier {
  return appendLeaves(frontier, [leaf])
}

export function appendLeaves({ size, peaks }: Frontier, leaves: readonly Uint8Array[]): Frontier {
  const grown = [...peaks]
  let leafCount = size
  for (const leaf of leaves) {
    let hash = leaf
    for (let rest = leafCount; rest % 2 === 1; rest = Math.floor(rest / 2)) hash = nodeHash(grown.pop()!, hash)
    grown.push(hash)
    leafCount++
  }
  return { size: leafCount, peaks: grown }
}

export function rootOfFrontier({ peaks }: Frontier): Uint8Array {
  return peaks.length === 0 ? rootOf([]) : peaks.reduceRight((right, left) => nodeHash(left, right))
}

function rootOfRange(leaves: readonly Uint8Array[], from: number, to: number): Uint8Array {
  if (to - from === 1) return leaves[from]!
  const middle = from + largestPowerBelow(to - from)
  return nodeHash(rootOfRange(leaves, from, middle), rootOfRange(leaves, middle, to))
}

function largestPowerBelow(count: number): number {
  let power = 1
  while (power * 2 < count) power *= 2
  return power
}

function isPowerOfTwo(count: number): boolean {
  return largestPowerBelow(count + 1) === count
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i])
}
