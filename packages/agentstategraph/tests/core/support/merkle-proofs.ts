/**
 * Proofs of the Merkle tree made from all leaves, as RFC 9162 defines them: what the library's own proofs, which are made
 * from stored hashes, are compared with.
 */
import { rootOf } from '../../../src/core/crypto/merkle.ts'

/** Returns the hashes that lead from a leaf to the root, lowest first. */
export function inclusionProof(leaves: readonly Uint8Array[], index: number): readonly Uint8Array[] {
  checkCount('index', index, leaves.length - 1)
  const proof: Uint8Array[] = []
  let from = 0
  let to = leaves.length
  while (to - from > 1) {
    const middle = from + largestPowerBelow(to - from)
    const isLeft = index < middle
    proof.push(isLeft ? rootOfRange(leaves, middle, to) : rootOfRange(leaves, from, middle))
    if (isLeft) to = middle
    else from = middle
  }
  return proof.reverse()
}

/** Returns the hashes which show that the tree over the first leaves was only added to. */
export function consistencyProof(leaves: readonly Uint8Array[], first: number): readonly Uint8Array[] {
  checkCount('first', first, leaves.length)
  if (first === 0 || first === leaves.length) return []
  const proof: Uint8Array[] = []
  let from = 0
  let to = leaves.length
  while (to > first) {
    const middle = from + largestPowerBelow(to - from)
    if (first <= middle) {
      proof.push(rootOfRange(leaves, middle, to))
      to = middle
    } else {
      proof.push(rootOfRange(leaves, from, middle))
      from = middle
    }
  }
  // From the start on, what is left is the old tree itself, whose root the reader has.
  if (from > 0) proof.push(rootOfRange(leaves, from, to))
  return proof.reverse()
}

function rootOfRange(leaves: readonly Uint8Array[], from: number, to: number): Uint8Array {
  return rootOf(leaves.slice(from, to))
}

function largestPowerBelow(count: number): number {
  let power = 1
  while (power * 2 < count) power *= 2
  return power
}

function checkCount(name: string, value: number, most: number): void {
  if (Number.isSafeInteger(value) && value >= 0 && value <= most) return
  throw new RangeError(`${name} is ${value} and must be an integer from 0 to ${most}.`)
}
