/**
 * Trees as a store would keep them: each node as its text, with pointers and writers beside it.
 *
 * Reading parses the text again, and every read is counted.
 */
import {
  indexOfPointer,
  type Link,
  type Node,
  nodeText,
  parseNode,
  pointerOf,
  provenanceOf,
  type SyncLoader,
  writerOf,
} from '../../../src/tree/index.ts'

interface Stored {
  readonly id: string
  readonly text: string
  readonly pointers: readonly number[]
  readonly writers: readonly number[]
}

export interface StoredNodes extends SyncLoader {
  /** Stores what is new below a root as the pack of one commit, and numbers its writers. */
  store(root: Link, seq: number): void
  /** How many nodes were read. */
  reads(): number
  texts(): readonly string[]
}

export function storedNodes(): StoredNodes {
  const nodes = new Map<number, Stored>()
  let reads = 0
  const put = (link: Link, seq: number, index: { next: number }): void => {
    const { node, text } = link.fresh!
    const pointers: number[] = []
    const writers: number[] = []
    provenanceOf(
      node,
      child => {
        if (child.fresh !== undefined) put(child, seq, index)
        pointers.push(child.at)
      },
      entry => {
        if (entry.writer < maxDraftsAndCommit) entry.writer += writerOf(seq, 0)
        writers.push(entry.writer)
      },
    )
    link.at = pointerOf(seq, index.next++)
    link.fresh = undefined
    nodes.set(link.at, { id: link.id, text, pointers, writers })
  }
  return {
    store(root, seq) {
      if (root.fresh !== undefined) put(root, seq, { next: 0 })
    },
    load(link) {
      reads++
      const stored = nodes.get(link.at)
      if (stored?.id !== link.id) throw new Error(`There is no node ${link.id} at ${indexOfPointer(link.at)}.`)
      return parsed(stored)
    },
    loadAll() {},
    reads: () => reads,
    texts: () => [...nodes.values()].map(({ text }) => text),
  }
}

const maxDraftsAndCommit = writerOf(1, 0)

function parsed({ text, pointers, writers }: Stored): Node {
  let pointer = 0
  let writer = 0
  const node = parseNode(text, { pointer: () => pointers[pointer++]!, writer: () => writers[writer++]! })
  if (pointer !== pointers.length || writer !== writers.length || nodeText(node) !== text) {
    throw new Error(`What was read is not what was stored: ${text}`)
  }
  return node
}
