/** A set of nodes of one plan, one bit for each by its order. Sets of different plans are never mixed. */

export type NodeSet = Uint32Array

export function newNodeSet(size: number, isFull = false): NodeSet {
  return new Uint32Array((size + 31) >>> 5).fill(isFull ? 0xffffffff : 0)
}

export function hasNode(set: NodeSet, order: number): boolean {
  return (set[order >>> 5]! & (1 << (order & 31))) !== 0
}

export function addNode(set: NodeSet, order: number): void {
  set[order >>> 5]! |= 1 << (order & 31)
}

export function removeNode(set: NodeSet, order: number): void {
  set[order >>> 5]! &= ~(1 << (order & 31))
}

/** The first node in order of a set that is not empty. */
export function firstNode(set: NodeSet): number {
  const word = set.findIndex(bits => bits !== 0)
  return word * 32 + 31 - Math.clz32(set[word]! & -set[word]!)
}
