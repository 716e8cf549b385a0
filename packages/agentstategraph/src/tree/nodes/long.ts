/**
 * Long strings, bytes and tagged values: cut into pieces by their content, so that a small edit stores a few pieces.
 *
 * A gear hash runs over the bytes of a piece; a cut falls where its top bits are all zero, never before the minimum and
 * never inside a character. The pieces are under branches that are cut like those of a list.
 */

import { canonicalText, findBase64, joinedBytes, type Stored, toBase64 } from '../../core/index.ts'
import type { PieceLimits, TreeContext } from './context.ts'
import { cutter, itemNumber, numberOf } from './cut.ts'
import type { BranchNode, Item, Link, LongKind, PieceNode } from './node.ts'
import { freshLink } from './node-text.ts'
import { nodeOf, type Walk } from './walk.ts'

/** A long value as a link to its branch. */
export function longLink(context: TreeContext, value: Stored): Link {
  const { kind, bytes } = bytesOf(value)
  const pieces = cutBytes(bytes, context.limits.piece, kind !== 'bytess')
  let items = pieces.map((piece): Item => ({ first: '', link: freshLink(pieceNode(kind, piece)), count: piece.length }))
  let level = 1
  while (items.length > context.limits.cut.max) {
    const cuts = cutter(itemNumber, context.limits.cut)
    for (const item of items) cuts.push(item)
    const at = level
    items = cuts.finish().map(cut => ({
      first: '',
      link: freshLink({ kind, level: at, items: cut }),
      count: cut.reduce((sum, item) => sum + item.count, 0),
    }))
    level++
  }
  return freshLink({ kind, level, items })
}

/** The value that a branch of pieces holds. */
export function* longValue(context: TreeContext, branch: BranchNode): Walk<Stored> {
  const pieces: string[] = []
  yield* collectPieces(context, branch, pieces)
  if (branch.kind === 'bytess') return { $bytes: toBase64(joinedBytes(pieces.map(piece => findBase64(piece)!))) }
  const text = pieces.join('')
  return branch.kind === 'texts' ? text : (JSON.parse(text) as Stored)
}

/** Gives pieces of a new long value the pointers of equal pieces in the value it replaces. */
export function* reusePieces(context: TreeContext, old: BranchNode, fresh: BranchNode): Walk<void> {
  const known = new Map<string, Link>()
  yield* collectLinks(context, old, known)
  const visit = (branch: BranchNode): void => {
    for (const { link } of branch.items) {
      // A stored link stays as it is: other trees may hold its node.
      if (link.fresh === undefined) continue
      const stored = known.get(link.id)
      if (stored !== undefined && stored.fresh === undefined) {
        link.at = stored.at
        link.fresh = undefined
      } else if ('items' in link.fresh.node) {
        visit(link.fresh.node)
      }
    }
  }
  visit(fresh)
}

function* collectPieces(context: TreeContext, branch: BranchNode, into: string[]): Walk<void> {
  for (const item of branch.items) {
    const node = yield* nodeOf(context.nodes, item.link)
    if ('items' in node) yield* collectPieces(context, node, into)
    else into.push((node as PieceNode).piece)
  }
}

function* collectLinks(context: TreeContext, branch: BranchNode, into: Map<string, Link>): Walk<void> {
  for (const { link } of branch.items) {
    into.set(link.id, link)
    if (branch.level > 1) yield* collectLinks(context, (yield* nodeOf(context.nodes, link)) as BranchNode, into)
  }
}

function bytesOf(value: Stored): { readonly kind: LongKind; readonly bytes: Uint8Array } {
  if (typeof value === 'string') return { kind: 'texts', bytes: new TextEncoder().encode(value) }
  const base64 = (value as { readonly $bytes?: string }).$bytes
  const bytes = base64 === undefined ? undefined : findBase64(base64)
  if (bytes !== undefined) return { kind: 'bytess', bytes }
  return { kind: 'values', bytes: new TextEncoder().encode(canonicalText(value)) }
}

function pieceNode(kind: LongKind, bytes: Uint8Array): PieceNode {
  return kind === 'bytess'
    ? { kind: 'bytes', piece: toBase64(bytes) }
    : { kind: 'text', piece: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes) }
}

const gear = Int32Array.from({ length: 256 }, (_, byte) => numberOf(String.fromCharCode(byte)))

function cutBytes(bytes: Uint8Array, limits: PieceLimits, isText: boolean): Uint8Array[] {
  const pieces: Uint8Array[] = []
  const shift = 32 - limits.bits
  let start = 0
  let hash = 0
  for (let i = 0; i < bytes.length; i++) {
    hash = ((hash << 1) + gear[bytes[i]!]!) | 0
    const length = i + 1 - start
    if (length < limits.min || (length < limits.max && hash >>> shift !== 0)) continue
    // Continuation bytes of UTF-8 are 10xxxxxx; the cut waits for the end of the character.
    if (isText && i + 1 < bytes.length && (bytes[i + 1]! & 0xc0) === 0x80) continue
    pieces.push(bytes.subarray(start, i + 1))
    start = i + 1
    hash = 0
  }
  if (start < bytes.length) pieces.push(bytes.subarray(start))
  return pieces
}
