/**
 * Batch edit of one list.
 *
 * An index refers to the list after the earlier edits of the batch. So the edits are first applied to a line of pieces:
 * stretches of old elements, and single elements with their edits. The list itself is then changed once.
 *
 * An element that the batch removes at one index and inserts, equal, at another has moved: it keeps its writer.
 */

import { childOf } from '../nodes/child.ts'
import type { TreeContext } from '../nodes/context.ts'
import { type Child, type ContainerNode, contentOf, countOf, type Entry, entryOf } from '../nodes/node.ts'
import { entryAt, type Splice, spliced } from '../nodes/sequence.ts'
import type { Walk } from '../nodes/walk.ts'
import { type Edit, firstWhole, listPlace, plainAfter, writerOfLast } from './edits.ts'
import type { OnChanged } from './graft.ts'
import { type Piece, PieceLine, type Single } from './piece-line.ts'

/** Edits one child. It is a parameter, because it edits lists in turn. */
export type EditChild = (
  context: TreeContext,
  old: Child | undefined,
  edits: readonly Edit[],
  path: readonly string[],
  onChanged: OnChanged,
) => Walk<Child | undefined>

export function* editList(
  context: TreeContext,
  list: ContainerNode,
  edits: readonly Edit[],
  path: readonly string[],
  onChanged: OnChanged,
  editChild: EditChild,
): Walk<ContainerNode> {
  const total = countOf(list)
  const { pieces, dropped } = play(edits, path.length, total)
  // Edits of elements that were removed later have no effect; they run only for the errors they throw.
  for (const piece of dropped) {
    const old = piece.from < 0 ? undefined : yield* entryAt(context, list, piece.from)
    yield* settleSingle(context, piece, old, piece.edits[0]!.path.slice(0, path.length + 1), () => {}, editChild)
  }
  const outcome = yield* outcomeOf(context, list, pieces, path, onChanged, editChild)
  if (outcome.isUnchanged) return list
  return yield* spliced(context, list, splicesOf(outcome.singles, pieces, total))
}

interface Played {
  readonly pieces: Piece[]
  /** Single elements that were edited before they were removed. */
  readonly dropped: Single[]
}

function play(edits: readonly Edit[], depth: number, total: number): Played {
  const line = new PieceLine(total)
  const dropped: Single[] = []
  for (const one of edits) {
    const place = listPlace(one, depth, line.length)
    if (place.kind === 'insert') line.insert(place.index, { kind: 'single', from: -1, edits: [one] })
    else if (place.kind === 'element') line.element(place.index).edits.push(one)
    else if (place.kind === 'remove') {
      const removed = line.remove(place.index)
      if (removed.edits.length > 0) dropped.push(removed)
    }
  }
  return { pieces: line.pieces(), dropped }
}

interface Outcome {
  /** The new entry of each single piece, in the order of the pieces. */
  readonly singles: readonly Entry[]
  readonly isUnchanged: boolean
}

function* outcomeOf(
  context: TreeContext,
  list: ContainerNode,
  pieces: readonly Piece[],
  path: readonly string[],
  onChanged: OnChanged,
  editChild: EditChild,
): Walk<Outcome> {
  const depth = path.length
  const gone = yield* goneElements(context, list, pieces, depth)
  const singles: Entry[] = []
  let isUnchanged = gone.indexes.length === 0
  for (const index of gone.indexes) onChanged([...path, String(index)])
  let at = 0
  for (const piece of pieces) {
    if (piece.kind === 'stretch') {
      at += piece.to - piece.from
      continue
    }
    const place = [...path, String(at++)]
    const old = piece.from < 0 ? undefined : yield* entryAt(context, list, piece.from)
    const moved = takeMoved(context, piece, old, gone.byContent, depth)
    if (moved !== undefined) {
      // Earlier edits have no effect; they run only for the errors they throw.
      if (piece.edits.length > 1) yield* settleSingle(context, piece, old, place, () => {}, editChild)
      onChanged(place)
      isUnchanged = false
      singles.push(moved)
      continue
    }
    const rest = yield* settleSingle(context, piece, old, place, onChanged, editChild)
    if (rest !== old) isUnchanged = false
    singles.push(rest)
  }
  return { singles, isUnchanged }
}

function* settleSingle(
  context: TreeContext,
  piece: Single,
  old: Entry | undefined,
  place: readonly string[],
  onChanged: OnChanged,
  editChild: EditChild,
): Walk<Entry> {
  const edits = old === undefined ? asSets(piece.edits, place) : replaced(piece.edits, place)
  const child = yield* editChild(context, old?.child, edits, place, onChanged)
  return old !== undefined && child === old.child ? old : entryOf('', child!, writerOfLast(piece.edits))
}

/** The edits of an element, with the path where it ends up. */
function replaced(edits: readonly Edit[], place: readonly string[]): Edit[] {
  const last = place.length - 1
  // Only the index in this list can differ. Most elements stay where they are, and of a large batch copies are dear.
  return edits.map(one =>
    one.path[last] === place[last] ? one : { ...one, path: [...place, ...one.path.slice(place.length)] },
  )
}

/** The edits of a new element, whose insertion becomes a set. */
function asSets(edits: readonly Edit[], place: readonly string[]): Edit[] {
  return replaced(edits, place).map((one, i) => (i === 0 && one.op === 'insert' ? { ...one, op: 'set' as const } : one))
}

interface Gone {
  readonly indexes: readonly number[]
  readonly byContent: Map<string, Entry[]>
}

/**
 * The old elements that were removed or set to another value. Those that can come back elsewhere are found by their content;
 * a batch without new elements has few of these, because it says what it sets.
 */
function* goneElements(context: TreeContext, list: ContainerNode, pieces: readonly Piece[], depth: number): Walk<Gone> {
  const left: Entry[] = []
  const indexes: number[] = []
  const wanted = new Set<string>()
  let hasNew = false
  let next = 0
  const upTo = function* (end: number): Walk<void> {
    for (; next < end; next++) {
      indexes.push(next)
      left.push((yield* entryAt(context, list, next))!)
    }
  }
  for (const piece of pieces) {
    if (piece.from < 0) {
      hasNew = true
      continue
    }
    yield* upTo(piece.from)
    next = piece.kind === 'stretch' ? piece.to : piece.from + 1
    if (piece.kind === 'single' && isSetWhole(piece, depth)) {
      const entry = (yield* entryAt(context, list, piece.from))!
      const content = newContent(context, piece, depth)
      if (contentOf(entry.child) === content) continue
      left.push(entry)
      wanted.add(content)
    }
  }
  yield* upTo(countOf(list))
  return { indexes, byContent: byContent(left, content => hasNew || wanted.has(content)) }
}

function byContent(entries: readonly Entry[], isWanted: (content: string) => boolean): Map<string, Entry[]> {
  const found = new Map<string, Entry[]>()
  for (const entry of entries) {
    const content = contentOf(entry.child)
    if (!isWanted(content)) continue
    const equal = found.get(content)
    if (equal === undefined) found.set(content, [entry])
    else equal.push(entry)
  }
  return found
}

/** The old element that moved to a single piece: one that is gone elsewhere in the list and equals its new value. */
function takeMoved(
  context: TreeContext,
  piece: Single,
  old: Entry | undefined,
  byContent: Map<string, Entry[]>,
  depth: number,
): Entry | undefined {
  if (byContent.size === 0 || !isSetWhole(piece, depth)) return undefined
  const content = newContent(context, piece, depth)
  if (old !== undefined && contentOf(old.child) === content) return undefined
  return byContent.get(content)?.shift()
}

function isSetWhole(piece: Single, depth: number): boolean {
  return piece.edits.some(one => one.path.length === depth + 1)
}

/** The content of an element that is set whole, after its later edits. */
function newContent(context: TreeContext, piece: Single, depth: number): string {
  if (piece.content === undefined) {
    const edits = asSets(piece.edits, piece.edits[0]!.path.slice(0, depth + 1))
    const value = plainAfter(edits.slice(firstWhole(edits, depth + 1)), depth + 1)
    piece.content = contentOf(childOf(context, value!, 0))
  }
  return piece.content
}

function splicesOf(singles: readonly Entry[], pieces: readonly Piece[], total: number): Splice[] {
  const splices: Splice[] = []
  let from = 0
  let next = 0
  let items: Entry[] = []
  const close = (to: number): void => {
    if (to > from || items.length > 0) splices.push({ from, to, items })
    items = []
  }
  for (const piece of pieces) {
    if (piece.kind === 'single') {
      items.push(singles[next++]!)
    } else {
      close(piece.from)
      from = piece.to
    }
  }
  close(total)
  return splices
}
