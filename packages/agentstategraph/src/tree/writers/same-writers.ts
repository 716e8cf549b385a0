/** Compares the writers of two equal values. Nodes that both share are not read. */

import { userKey } from '../../core/index.ts'
import type { OnLink } from '../diff/align-lists.ts'
import type { TreeContext } from '../nodes/context.ts'
import { type Child, isSameChild, type Node, type Writer } from '../nodes/node.ts'
import { nodeOf, type Walk } from '../nodes/walk.ts'

export interface WriterDifference {
  readonly path: readonly string[]
  readonly found: Writer
  readonly expected: Writer
}

/** The first path at which the writers of two equal children differ; undefined when there is none. */
export function* findWriterDifference(
  context: TreeContext,
  own: Child,
  before: Child,
  path: readonly string[],
  onLink: OnLink | undefined,
): Walk<WriterDifference | undefined> {
  if (own.kind === 'link') onLink?.own(own)
  if (before.kind === 'link') onLink?.before(before)
  if (isSameChild(own, before) || own.kind === 'leaf' || before.kind === 'leaf') return undefined
  const mine: Node = own.kind === 'held' ? own.node : yield* nodeOf(context.nodes, own)
  const theirs: Node = before.kind === 'held' ? before.node : yield* nodeOf(context.nodes, before)
  if ('items' in mine && 'items' in theirs) {
    for (const [i, { link }] of mine.items.entries()) {
      const found = yield* findWriterDifference(context, link, theirs.items[i]!.link, path, onLink)
      if (found !== undefined) return found
    }
  } else if ('entries' in mine && 'entries' in theirs) {
    for (const [i, { key, child, writer }] of mine.entries.entries()) {
      const expected = theirs.entries[i]!
      // In a list of several nodes the index is relative to its node.
      const at = [...path, mine.kind === 'map' ? userKey(key) : String(i)]
      if (writer !== expected.writer) return { path: at, found: writer, expected: expected.writer }
      const found = yield* findWriterDifference(context, child, expected.child, at, onLink)
      if (found !== undefined) return found
    }
  }
  return undefined
}
