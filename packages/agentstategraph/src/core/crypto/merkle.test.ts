import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { consistencyProof, inclusionProof } from '../../../tests/core/support/merkle-proofs.ts'
import { digestBytes, hexOfId, idOfBytes, leafId } from './hash.ts'
import {
  appendLeaf,
  emptyFrontier,
  type Frontier,
  leafHash,
  rootOf,
  rootOfFrontier,
  verifyConsistency,
  verifyInclusion,
} from './merkle.ts'

const leavesUpTo = Array.from({ length: 40 }, (_, i) => leafHash(`leaf ${i}`))
const sizes = fc.integer({ min: 1, max: 40 })

/** The definition of RFC 9162, section 2.1.1, word for word. */
function naiveRoot(leaves: readonly Uint8Array[]): Uint8Array {
  if (leaves.length === 0) return digestBytes(new Uint8Array(0))
  if (leaves.length === 1) return leaves[0]!
  const k = 2 ** (Math.ceil(Math.log2(leaves.length)) - 1)
  return digestBytes(Uint8Array.of(1, ...naiveRoot(leaves.slice(0, k)), ...naiveRoot(leaves.slice(k))))
}

function flipped(hash: Uint8Array): Uint8Array {
  return hash.map((byte, i) => (i === 31 ? byte ^ 1 : byte))
}

it('hashes a leaf behind a 0 byte, the same as text, as bytes and as an id', () => {
  expect(leafHash('é')).toEqual(digestBytes(Uint8Array.of(0, 0xc3, 0xa9)))
  expect(leafHash(Uint8Array.of(0xc3, 0xa9))).toEqual(leafHash('é'))
  expect(leafId('é')).toBe(idOfBytes(leafHash('é')))
})

it('has the known roots of no leaf and of one empty leaf', () => {
  expect(hexOfId(idOfBytes(rootOf([])))).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
  expect(hexOfId(idOfBytes(rootOf([leafHash('')])))).toBe(
    '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  )
})

it('has the root that the definition gives, whole or leaf by leaf', () => {
  let frontier: Frontier = emptyFrontier
  expect(rootOfFrontier(frontier)).toEqual(naiveRoot([]))
  for (let size = 1; size <= leavesUpTo.length; size++) {
    const leaves = leavesUpTo.slice(0, size)
    frontier = appendLeaf(frontier, leaves[size - 1]!)
    expect(frontier.size).toBe(size)
    expect(rootOf(leaves)).toEqual(naiveRoot(leaves))
    expect(rootOfFrontier(frontier)).toEqual(naiveRoot(leaves))
  }
})

it('leaves an older frontier as it was', () => {
  const before = leavesUpTo.slice(0, 3).reduce(appendLeaf, emptyFrontier)
  appendLeaf(before, leavesUpTo[3]!)
  expect(rootOfFrontier(before)).toEqual(naiveRoot(leavesUpTo.slice(0, 3)))
})

describe('a proof of inclusion', () => {
  it('holds for every leaf of every size', () => {
    for (let size = 1; size <= 20; size++) {
      const leaves = leavesUpTo.slice(0, size)
      for (const [i, leaf] of leaves.entries()) {
        expect(verifyInclusion(leaf, i, size, inclusionProof(leaves, i), rootOf(leaves)), `${i} of ${size}`).toBe(true)
      }
    }
  })

  it('does not hold when anything in it is changed', () => {
    fc.assert(
      fc.property(sizes, fc.nat(), fc.nat(), (size, pick, at) => {
        const leaves = leavesUpTo.slice(0, size)
        const index = pick % size
        const proof = inclusionProof(leaves, index)
        const root = rootOf(leaves)
        const leaf = leaves[index]!
        const broken = proof.map((hash, i) => (i === at % proof.length ? flipped(hash) : hash))
        if (proof.length > 0) expect(verifyInclusion(leaf, index, size, broken, root)).toBe(false)
        if (proof.length > 0) expect(verifyInclusion(leaf, index, size, proof.slice(1), root)).toBe(false)
        expect(verifyInclusion(flipped(leaf), index, size, proof, root)).toBe(false)
        expect(verifyInclusion(leaf, index, size, proof, flipped(root))).toBe(false)
        expect(verifyInclusion(leaf, index, size, [...proof, leaf], root)).toBe(false)
        expect(verifyInclusion(leaf, size, size, proof, root)).toBe(false)
        if (size > 1) expect(verifyInclusion(leaf, (index + 1) % size, size, proof, root)).toBe(false)
      }),
    )
  })

  it('is not given for a leaf that is not there', () => {
    expect(() => inclusionProof(leavesUpTo.slice(0, 3), 3)).toThrow(RangeError)
    expect(() => inclusionProof([], 0)).toThrow(RangeError)
  })
})

describe('a proof of consistency', () => {
  it('holds for every pair of sizes', () => {
    for (let size = 0; size <= 20; size++) {
      const leaves = leavesUpTo.slice(0, size)
      for (let first = 0; first <= size; first++) {
        const old = rootOf(leaves.slice(0, first))
        const proof = consistencyProof(leaves, first)
        expect(verifyConsistency(first, size, old, rootOf(leaves), proof), `${first} in ${size}`).toBe(true)
      }
    }
  })

  it('does not hold when anything in it is changed', () => {
    fc.assert(
      fc.property(sizes, fc.nat(), fc.nat(), (size, pick, at) => {
        const leaves = leavesUpTo.slice(0, size)
        const first = 1 + (pick % size)
        const old = rootOf(leaves.slice(0, first))
        const root = rootOf(leaves)
        const proof = consistencyProof(leaves, first)
        const broken = proof.map((hash, i) => (i === at % proof.length ? flipped(hash) : hash))
        if (proof.length > 0) expect(verifyConsistency(first, size, old, root, broken)).toBe(false)
        if (proof.length > 0) expect(verifyConsistency(first, size, old, root, proof.slice(1))).toBe(false)
        expect(verifyConsistency(first, size, flipped(old), root, proof)).toBe(false)
        expect(verifyConsistency(first, size, old, flipped(root), proof)).toBe(false)
        expect(verifyConsistency(first, size, old, root, [...proof, old])).toBe(false)
        expect(verifyConsistency(size + 1, size, old, root, proof)).toBe(false)
      }),
    )
  })

  it('does not hold for a history that was rewritten', () => {
    const rewritten = leavesUpTo.map((leaf, i) => (i === 2 ? flipped(leaf) : leaf))
    const old = rootOf(leavesUpTo.slice(0, 7))
    expect(verifyConsistency(7, 40, old, rootOf(rewritten), consistencyProof(rewritten, 7))).toBe(false)
    expect(verifyConsistency(0, 40, old, rootOf(leavesUpTo), [])).toBe(false)
  })
})
