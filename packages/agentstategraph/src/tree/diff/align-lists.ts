/**
 * The alignment of a list with an older one that defines the writers and changed paths of lists.
 *
 * Nodes that both lists have are matched as a whole and never read, so the cost follows the difference. The rule depends
 * on contents only, and containers are cut by content, so the result is the same wherever the lists are stored.
 * docs/format.md states it step by step, under "Writers".
 */

import { gapsBetween } from '../alignment/align.ts'
import { equalEnds, Matching } from '../alignment/list-matches.ts'
import { longestIncreasing } from '../alignment/occurrence.ts'
import { containerOfChild } from '../nodes/child.ts'
import type { TreeContext } from '../nodes/context.ts'
import {
  type Child,
  type ContainerNode,
  contentOf,
  countOf,
  type Entry,
  familyOf,
  type Item,
  type Link,
  levelOf,
  mapFamily,
} from '../nodes/node.ts'
import { partsOf } from '../nodes/sequence.ts'
import { nodeOf, pausedSteps, pausePoint, type Walk } from '../nodes/walk.ts'
import { differingKeys } from './compare.ts'

/** One element, or a node of elements that both lists have, and the index at which it begins. */
export interface Piece {
  readonly at: number
  readonly part: Entry | Item
}

export interface ListAlignment {
  readonly a: readonly Piece[]
  readonly b: readonly Piece[]
  /** For each piece of `b`, the equal piece of `a`, or -1. */
  readonly matches: Int32Array
  /** For each piece of `b`, whether it has a match and did not move. */
  readonly kept: Uint8Array
  /** For each piece of `b` without a match, the piece of `a` that was changed into it, or -1. */
  readonly replaces: Int32Array
  /** The pieces of `a` that are neither matched nor changed. */
  readonly removed: readonly number[]
}

/** Callbacks for the links in either list. */
export interface OnLink {
  own(link: Link): void
  before(link: Link): void
}

export function* alignLists(
  context: TreeContext,
  a: ContainerNode,
  b: ContainerNode,
  onLink?: OnLink,
): Walk<ListAlignment> {
  const { before, after } = yield* piecesOf(context, a, b, onLink)
  const matching = new Matching(before.map(contentOfPiece), after.map(contentOfPiece))
  const { matches } = matching
  // Each of these goes through both lists at once.
  const mayPause = context.nodes.isPauseDue !== undefined
  if (mayPause) yield pausePoint
  matching.ends({ fromA: 0, toA: before.length, fromB: 0, toB: after.length })
  const isNodeAt = (side: 'a' | 'b', index: number): boolean => isNode((side === 'a' ? before : after)[index]!)
  yield* pausedSteps(context.nodes, matching.byOccurrence(isNodeAt))
  if (mayPause) yield pausePoint
  for (const gap of gapsBetween(before.length, matches, longestIncreasing(matches))) matching.inPlace(gap)
  if (mayPause) yield pausePoint
  yield* pausedSteps(
    context.nodes,
    matching.byOccurrence(() => true),
  )
  if (mayPause) yield pausePoint
  const kept = longestIncreasing(matches)
  const replaces = new Int32Array(after.length).fill(-1)
  const removed: number[] = []
  for (const gap of gapsBetween(before.length, matches, kept)) {
    const { as, bs } = matching.unmatchedIn(gap)
    const pairs = Math.min(as.length, bs.length)
    const isFromEnd =
      as.length !== bs.length && pairs > 0 && (yield* isMoreAlikeFromEnd(context, { before, after }, as, bs))
    const [skipA, skipB] = isFromEnd ? [as.length - pairs, bs.length - pairs] : [0, 0]
    for (let n = 0; n < pairs; n++) replaces[bs[skipB + n]!] = as[skipA + n]!
    for (const [n, i] of as.entries()) if (n < skipA || n >= skipA + pairs) removed.push(i)
  }
  return { a: before, b: after, matches, kept, replaces, removed }
}

interface Pieces {
  readonly before: readonly Piece[]
  readonly after: readonly Piece[]
}

/** Both lists as pieces. Level by level, nodes that both sides have stay whole, and others are replaced by their parts. */
function* piecesOf(context: TreeContext, a: ContainerNode, b: ContainerNode, onLink: OnLink | undefined): Walk<Pieces> {
  let before = withPlaces(partsOf(a), 0)
  let after = withPlaces(partsOf(b), 0)
  let [levelA, levelB] = [levelOf(a), levelOf(b)]
  const whole = new Set<Piece>()
  while (levelA > 0 || levelB > 0) {
    const level = Math.max(levelA, levelB)
    if (levelA === levelB) keepShared(before, after, whole)
    if (levelA === level) {
      before = yield* opened(context, before, whole, onLink?.before)
      levelA--
    }
    if (levelB === level) {
      after = yield* opened(context, after, whole, onLink?.own)
      levelB--
    }
  }
  if (onLink !== undefined) {
    for (const { part } of before) visitLink(part, onLink.before)
    for (const { part } of after) visitLink(part, onLink.own)
  }
  return { before, after }
}

function withPlaces(parts: readonly (Entry | Item)[], from: number): Piece[] {
  let at = from
  return parts.map(part => {
    const piece = { at, part }
    at += 'count' in part ? part.count : 1
    return piece
  })
}

/**
 * Marks nodes that both sides have: those at an equal start and at an equal end of both, and of every other as many of its
 * occurrences as both sides have.
 */
function keepShared(before: readonly Piece[], after: readonly Piece[], whole: Set<Piece>): void {
  const isSame = (i: number, j: number): boolean => contentOfPiece(before[i]!) === contentOfPiece(after[j]!)
  const { start, end } = equalEnds(before.length, after.length, isSame)
  const endOf = (pieces: readonly Piece[]): number => pieces.length - end
  for (const pieces of [before, after]) {
    for (const piece of pieces.slice(0, start)) whole.add(piece)
    for (const piece of pieces.slice(endOf(pieces))) whole.add(piece)
  }
  const places = new Map<string, Piece[]>()
  for (const piece of before.slice(start, endOf(before)).reverse()) {
    if (whole.has(piece)) continue
    const id = contentOfPiece(piece)
    const equal = places.get(id)
    if (equal === undefined) places.set(id, [piece])
    else equal.push(piece)
  }
  for (const piece of after.slice(start, endOf(after))) {
    if (whole.has(piece)) continue
    const equal = places.get(contentOfPiece(piece))?.pop()
    if (equal !== undefined) whole.add(equal).add(piece)
  }
}

function* opened(
  context: TreeContext,
  pieces: readonly Piece[],
  whole: ReadonlySet<Piece>,
  onLink: ((link: Link) => void) | undefined,
): Walk<Piece[]> {
  const below: Piece[] = []
  for (const piece of pieces) {
    if (whole.has(piece)) {
      below.push(piece)
      continue
    }
    const { link } = piece.part as Item
    onLink?.(link)
    const node = (yield* nodeOf(context.nodes, link)) as ContainerNode
    for (const part of withPlaces(partsOf(node), piece.at)) below.push(part)
  }
  return below
}

function visitLink(part: Entry | Item, visit: (link: Link) => void): void {
  const child: Child = 'link' in part ? part.link : part.child
  if (child.kind === 'link') visit(child)
}

function isNode({ part }: Piece): boolean {
  return 'link' in part
}

function contentOfPiece({ part }: Piece): string {
  return 'link' in part ? part.link.id : contentOf(part.child)
}

/** Whether pairing from the end of a gap gives pairs with more equal fields than pairing from its start. */
function* isMoreAlikeFromEnd(
  context: TreeContext,
  { before, after }: Pieces,
  as: readonly number[],
  bs: readonly number[],
): Walk<boolean> {
  const pairs = Math.min(as.length, bs.length)
  let more = 0
  for (let n = 0; n < pairs; n++) {
    const [atStart, atEnd] = [as[n]!, as[as.length - pairs + n]!]
    more += yield* equalFields(context, before[atEnd]!, after[bs[bs.length - pairs + n]!]!)
    more -= yield* equalFields(context, before[atStart]!, after[bs[n]!]!)
  }
  return more > 0
}

/** How many fields two elements share, when both are maps. */
function* equalFields(context: TreeContext, x: Piece, y: Piece): Walk<number> {
  const a = yield* containerOfChild(context, (x.part as Entry).child)
  const b = yield* containerOfChild(context, (y.part as Entry).child)
  if (a === undefined || b === undefined || familyOf(a) !== mapFamily || familyOf(b) !== mapFamily) return 0
  const differences = yield* differingKeys(context, a, b)
  return countOf(b) - differences.filter(({ after }) => after !== undefined).length
}
