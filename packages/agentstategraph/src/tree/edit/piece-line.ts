/**
 * A list while a batch of edits is applied to it: stretches of old elements, and single elements with their edits.
 *
 * The pieces are in blocks of bounded length. An index is found by the sizes of the blocks before it, and an insert moves
 * the pieces of one block only, so that a batch in random order costs little more than one in the order of the list.
 */

import type { Edit } from './edits.ts'

/** Old elements `from` to `to`, untouched. */
export interface Stretch {
  readonly kind: 'stretch'
  readonly from: number
  readonly to: number
}
/** One element, old (`from` is its old index) or new (`from` is -1), with its edits. */
export interface Single {
  readonly kind: 'single'
  readonly from: number
  readonly edits: Edit[]
  /** The cached content that it is set to. */
  content?: string
}
export type Piece = Stretch | Single

/** A block with more pieces is cut into two. */
const MAX_PIECES = 256

interface Block {
  pieces: Piece[]
  /** How many elements its pieces have. */
  size: number
}

export class PieceLine {
  readonly #blocks: Block[]
  length: number

  constructor(total: number) {
    this.#blocks = [{ pieces: total > 0 ? [{ kind: 'stretch', from: 0, to: total }] : [], size: total }]
    this.length = total
  }

  /** The element at an index, as a piece of its own. */
  element(index: number): Single {
    const { place, at } = this.#isolated(index, true)
    const single = this.#blocks[place]!.pieces[at] as Single
    this.#grow(place, 0)
    return single
  }

  /** Makes room at an index for a new element. */
  insert(index: number, single: Single): void {
    const isEnd = index === this.length
    const { place, at } = isEnd ? this.#end() : this.#isolated(index, false)
    this.#blocks[place]!.pieces.splice(at, 0, single)
    this.#grow(place, 1)
  }

  remove(index: number): Single {
    const { place, at } = this.#isolated(index, true)
    const [removed] = this.#blocks[place]!.pieces.splice(at, 1)
    this.#grow(place, -1)
    return removed as Single
  }

  pieces(): Piece[] {
    return this.#blocks.flatMap(({ pieces }) => pieces)
  }

  #end(): { readonly place: number; readonly at: number } {
    const place = this.#blocks.length - 1
    return { place, at: this.#blocks[place]!.pieces.length }
  }

  /** Splits pieces so that one begins at an index, and ends after one element if `isAlone`; returns its place. */
  #isolated(index: number, isAlone: boolean): { readonly place: number; readonly at: number } {
    let place = 0
    let start = 0
    while (index >= start + this.#blocks[place]!.size) start += this.#blocks[place++]!.size
    const { pieces } = this.#blocks[place]!
    let at = 0
    for (let size = sizeOf(pieces[at]!); index >= start + size; size = sizeOf(pieces[at]!)) {
      start += size
      at++
    }
    const piece = pieces[at]!
    if (piece.kind === 'single' || (!isAlone && index === start)) return { place, at }
    const split = piece.from + index - start
    const rest = isAlone ? split + 1 : split
    const parts: Piece[] = []
    if (split > piece.from) parts.push({ kind: 'stretch', from: piece.from, to: split })
    const before = parts.length
    if (isAlone) parts.push({ kind: 'single', from: split, edits: [] })
    if (rest < piece.to) parts.push({ kind: 'stretch', from: rest, to: piece.to })
    pieces[at] = parts[0]!
    for (let i = 1; i < parts.length; i++) pieces.splice(at + i, 0, parts[i]!)
    return { place, at: at + before }
  }

  /** Counts what a block won or lost, and keeps its length in bounds: to isolate an element adds pieces too. */
  #grow(place: number, by: 1 | 0 | -1): void {
    const block = this.#blocks[place]!
    block.size += by
    this.length += by
    if (block.pieces.length > MAX_PIECES) this.#cut(place)
    else if (block.pieces.length === 0 && this.#blocks.length > 1) this.#blocks.splice(place, 1)
  }

  #cut(place: number): void {
    const block = this.#blocks[place]!
    const pieces = block.pieces.splice(block.pieces.length >> 1)
    const size = pieces.reduce((sum, piece) => sum + sizeOf(piece), 0)
    block.size -= size
    this.#blocks.splice(place + 1, 0, { pieces, size })
  }
}

function sizeOf(piece: Piece): number {
  return piece.kind === 'single' ? 1 : piece.to - piece.from
}
