/**
 * Deltas: texts of nodes as splices of the text of another node, their base.
 *
 * A new node is based on the node at its place in the state of the first parent, when that one is in memory and not behind too
 * many deltas itself. So a base is always in the pack of an ancestor. Retention that trims a base stores the texts that
 * depend on it whole.
 */

import { utf8Length } from '../../core/index.ts'
import {
  type Link,
  lineOf,
  type MapNode,
  type Node,
  type Nodes,
  type Patch,
  type Pointer,
  textChanges,
} from '../../tree/index.ts'
import { ByteWriter, writePointer } from './bytes.ts'

/** The longest way from a text to a whole one. Each step is one more read for who has nothing in memory. */
const MAX_DELTAS = 8

/** Shorter texts are to be stored whole: most nodes of a state are short, and reading all of it would follow as many deltas. */
export const leastDeltaLength = 256

/** The state that the nodes of a pack are based on. */
export interface Bases {
  readonly nodes: Nodes
  readonly tree: Link
  readonly system: Link
  /** Whether only nodes of the same append can be bases. */
  readonly isScattered?: boolean | undefined
}

/** A node that is stored, and where. */
export interface Base {
  readonly at: Pointer
  readonly node: Node
}

/** The link of `base` at the place that part number `index` has in `node`. */
export function linkAtPlace(base: Node, node: Node, index: number): Link | undefined {
  if ('items' in node) return 'items' in base ? base.items[index]?.link : undefined
  if (!('entries' in node) || !('entries' in base)) return undefined
  const { key } = node.entries[index]!
  const same = base.entries[index]
  const entry = same === undefined || same.key === key ? same : base.entries.find(other => other.key === key)
  return entry?.child.kind === 'link' ? entry.child : undefined
}

// Making a delta is one synchronous call, so all share a buffer.
const delta = new ByteWriter(4096)

/**
 * The text of a node as a delta of its base: a pointer and splices, until the next one is made. Undefined when it would save
 * too little, or would be behind too many others. `own` is the pending number of the pack, if it has one.
 */
export function deltaOf(
  { at, node: base }: Base,
  node: Node,
  text: string,
  own: number,
  patch?: Patch,
): Uint8Array | undefined {
  if ((base.deltas ?? 0) >= MAX_DELTAS || base.kind !== node.kind) return undefined
  delta.truncate(0)
  writePointer(delta, at, own)
  if (patch !== undefined && patch.base === base) {
    const { index, start } = patch
    const after = lineOf((node as MapNode).entries[index]!)
    writeSplice(utf8Length(text.slice(0, start)), lineOf(patch.base.entries[index]!), after, utf8Length)
    return shorter(text)
  }
  // Where the text is ASCII, which most are, a character is a byte in each line that stays.
  const sizeOf = utf8Length(text) === text.length ? lengthOf : utf8Length
  let kept = 0
  const isSameKind = textChanges(base, node, {
    keep(same) {
      kept += sizeOf(same)
    },
    change(before, after) {
      kept = writeSplice(kept, before, after, sizeOf)
    },
  })
  return isSameKind ? shorter(text) : undefined
}

/** Writes that `before` becomes `after`, so many bytes after the last splice, and gives the bytes of how they end alike. */
function writeSplice(kept: number, before: string, after: string, sizeOf: (text: string) => number): number {
  const start = commonStart(before, after)
  const rest = commonRest(before, after, start)
  const inserted = after.slice(start, after.length - rest)
  delta.varint(kept + sizeOf(after.slice(0, start)))
  delta.varint(utf8Length(before.slice(start, before.length - rest)))
  delta.varint(sizeOf(inserted))
  delta.text(inserted)
  return sizeOf(after.slice(after.length - rest))
}

/** The delta, if it is short enough. */
function shorter(text: string): Uint8Array | undefined {
  return delta.length * 2 <= text.length ? delta.view() : undefined
}

function lengthOf(text: string): number {
  return text.length
}

/** How many code units two texts begin with alike; a character is never cut. */
function commonStart(a: string, b: string): number {
  const least = Math.min(a.length, b.length)
  let count = 0
  while (count < least && a.charCodeAt(count) === b.charCodeAt(count)) count++
  return count > 0 && isHighSurrogate(a.charCodeAt(count - 1)) ? count - 1 : count
}

/** How many they end with alike, beyond those at the start. */
function commonRest(a: string, b: string, start: number): number {
  const most = Math.min(a.length, b.length) - start
  let count = 0
  while (count < most && a.charCodeAt(a.length - 1 - count) === b.charCodeAt(b.length - 1 - count)) count++
  return count > 0 && isLowSurrogate(a.charCodeAt(a.length - count)) ? count - 1 : count
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000
}
