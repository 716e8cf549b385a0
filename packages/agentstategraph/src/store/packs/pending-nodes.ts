/**
 * The nodes of commits that are about to be added in one append, each built on the one before it.
 *
 * Such a commit has no sequence number yet. Until it has one, its nodes, and what points to them in this process, carry a
 * *pending* number that no entry can have. In packs, pending numbers are counted back from the pack's own entry. Pending
 * nodes are found here and never in the cache, so a chain that is given up leaves nothing behind.
 */

import {
  draftOfWriter,
  type Fresh,
  indexOfPointer,
  type Link,
  type Node,
  type Pointer,
  pointerOf,
  provenanceOf,
  replaceWriters,
  seqOfPointer,
  seqOfWriter,
  unstored,
  WholeNode,
  type Writer,
  writerOf,
} from '../../tree/index.ts'

/** The first pending number. Pointers hold numbers below 2^33. */
const FIRST_PENDING = 2 ** 32
const PENDING_SPAN = 2 ** 31

/** How many commits one append may add, and so how many pending numbers one chain has. */
export const maxChained: number = 256

export function isPending(seq: number): boolean {
  return seq >= FIRST_PENDING
}

export interface PendingNodes {
  /** Reserves the pending numbers of a chain and returns the first. */
  reserve(): number
  find(at: Pointer): Node | undefined
  /** Whether a pack lacks the node because retention dropped it. */
  isTrimmed(at: Pointer): boolean
  /** Gives the nodes of a pack, undefined where it lacks one, a pending number. They count as stored from here on. */
  hold(links: PackLinks, seq: number): void
  /** Makes the nodes of a pack new again, as they were before `hold`. */
  release(links: PackLinks, seq: number): void
  /** Gives the nodes of a pack, the pending one `seq` of a chain from `base` on, the number that it has with `first`. */
  land(links: PackLinks, seq: number, base: number, first: number, keep: (link: Link, fresh: Fresh) => void): void
}

/** The links to the nodes of a pack by index, undefined where retention dropped the node. */
export type PackLinks = readonly (Link | undefined)[]

export function pendingNodes(): PendingNodes {
  const nodes = new Map<Pointer, Fresh>()
  const trimmed = new Set<Pointer>()
  let reserved = 0

  const take = (at: Pointer): Fresh => {
    const fresh = nodes.get(at)!
    nodes.delete(at)
    return fresh
  }

  return {
    reserve() {
      const base = FIRST_PENDING + reserved
      reserved = (reserved + maxChained) % PENDING_SPAN
      return base
    },
    find: at => nodes.get(at)?.node,
    isTrimmed: at => trimmed.has(at),
    hold(links, seq) {
      for (const [index, link] of links.entries()) {
        if (link === undefined) {
          trimmed.add(pointerOf(seq, index))
          continue
        }
        const fresh = link.fresh!
        link.at = pointerOf(seq, index)
        link.fresh = undefined
        replaceWriters(fresh.node, writer => movedWriter(writer, 0, seq))
        nodes.set(link.at, fresh)
      }
    },
    release(links, seq) {
      for (const [index, link] of links.entries()) {
        trimmed.delete(pointerOf(seq, index))
        if (link === undefined) continue
        const fresh = take(pointerOf(seq, index))
        link.fresh = fresh
        link.at = unstored
        replaceWriters(fresh.node, writer => movedWriter(writer, seq, 0))
      }
    },
    land(links, seq, base, first, keep) {
      const numbered = (pending: number): number => pending - base + first
      const numberLink = (link: Link): void => {
        const at = seqOfPointer(link.at)
        if (isPending(at)) link.at = pointerOf(numbered(at), indexOfPointer(link.at))
      }
      for (const [index, link] of links.entries()) {
        trimmed.delete(pointerOf(seq, index))
        if (link === undefined) continue
        const fresh = take(pointerOf(seq, index))
        numberLink(link)
        replaceWriters(fresh.node, writer => {
          const by = seqOfWriter(writer)
          return isPending(by) ? writerOf(numbered(by), draftOfWriter(writer)) : writer
        })
        // A node may hold a link of its own to a node of an earlier commit of the chain.
        if (!(fresh.node instanceof WholeNode)) provenanceOf(fresh.node, numberLink, () => {})
        keep(link, fresh)
      }
    },
  }
}

function movedWriter(writer: Writer, from: number, to: number): Writer {
  return seqOfWriter(writer) === from ? writerOf(to, draftOfWriter(writer)) : writer
}
