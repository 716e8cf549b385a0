/**
 * What is passed along while the writers of a commit are checked, and how two equal values are compared.
 */

import { userKey } from '../core/index.ts'
import {
  type Child,
  type ContainerNode,
  type Entry,
  familyOf,
  isContainer,
  type Link,
  type Node,
  nodeOf,
  type TreeContext,
  type Writer,
} from '../tree/index.ts'
import type { Walk } from '../tree/walk.ts'
import type { OnLink } from './unshared.ts'

export type Path = readonly string[]

export interface Checking extends OnLink {
  readonly context: TreeContext
  report(path: Path, what: string): void
  isOwnWriter(writer: Writer): boolean
  isOwnLink(link: Link): boolean
  /** A writer that no parent was compared with. */
  wroteElsewhere(writer: Writer): void
  /** The links of the commit to older nodes that no parent has in the same place. */
  strays(): readonly Link[]
  strayWriters(): readonly number[]
}

/** The path at which two equal values do not have the same writers; undefined when they have. */
export function* findDifference(checking: Checking, a: Child, b: Child, path: Path): Walk<Path | undefined> {
  if (a.kind === 'link' && b.kind === 'link') {
    checking.own(a)
    checking.before(b)
    if (a.at === b.at && a.fresh === undefined) return undefined
    const { nodes } = checking.context
    return yield* findNodeDifference(checking, yield* nodeOf(nodes, a), yield* nodeOf(nodes, b), path)
  }
  if (a.kind === 'held' && b.kind === 'held') return yield* findNodeDifference(checking, a.node, b.node, path)
  return undefined
}

function* findNodeDifference(checking: Checking, a: Node, b: Node, path: Path): Walk<Path | undefined> {
  if ('items' in a && 'items' in b) {
    for (let i = 0; i < a.items.length; i++) {
      const found = yield* findDifference(checking, a.items[i]!.link, b.items[i]!.link, path)
      if (found !== undefined) return found
    }
  } else if ('entries' in a && 'entries' in b) {
    for (let i = 0; i < a.entries.length; i++) {
      const [x, y] = [a.entries[i]!, b.entries[i]!]
      const at = [...path, segmentOf(a, x, i)]
      if (x.writer !== y.writer) return at
      const found = yield* findDifference(checking, x.child, y.child, at)
      if (found !== undefined) return found
    }
  }
  return undefined
}

/** How a path names an entry. In a large list the place is that within its node. */
export function segmentOf(node: Node, entry: Entry, index: number): string {
  return isContainer(node) && familyOf(node as ContainerNode).leaf === 'map' ? userKey(entry.key) : String(index)
}
