/**
 * The nodes of a bundle while their writers are computed.
 *
 * A node that was just read has neither pointers nor writers, and a withheld one has no content. A walk meets both next to
 * nodes that are stored already. A withheld node reads as an empty map, so its content equals nothing.
 */

import {
  type Child,
  indexOfPointer,
  type Link,
  type Node,
  parseNode,
  pointerOf,
  type TreeContext,
  unstored,
  type Writer,
} from '../../tree/index.ts'
import { withheldIndex } from './log.ts'

/** The commit that is being rebuilt. */
export const ownWriter: Writer = 0

const blank = { pointer: () => unstored, writer: () => ownWriter }
const nothing: Node = { kind: 'map', entries: [] }

/** A link to a node that is not in the bundle. */
export function withheldLink(id: string): Link {
  return { kind: 'link', id, at: pointerOf(0, withheldIndex), fresh: undefined }
}

export function isWithheld(child: Child): boolean {
  if (child.kind !== 'link' || child.fresh !== undefined) return false
  return child.at !== unstored && indexOfPointer(child.at) === withheldIndex
}

export interface BundleNodes {
  /** Reads nodes of this commit and of earlier ones. */
  readonly context: TreeContext
  /** A node without pointers and writers, and its text; undefined when it is withheld. */
  find(id: string): { readonly node: Node; readonly text: string } | undefined
}

export function bundleNodes(context: TreeContext, textOf: (id: string) => string | undefined): BundleNodes {
  const parsed = new Map<string, { node: Node; text: string }>()
  const find: BundleNodes['find'] = id => {
    const known = parsed.get(id)
    if (known !== undefined) return known
    const text = textOf(id)
    if (text === undefined) return undefined
    const found = { node: parseNode(text, blank), text }
    parsed.set(id, found)
    return found
  }
  const nodes = {
    find(link: Link): Node | undefined {
      if (link.at === unstored) return find(link.id)?.node ?? nothing
      return isWithheld(link) ? nothing : context.nodes.find(link)
    },
  }
  return { context: { ...context, nodes }, find }
}
