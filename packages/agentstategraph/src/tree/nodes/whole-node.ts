/**
 * Nodes that are made from one value and have nothing behind a link: most nodes of a new value.
 *
 * The text of such a node is its value as JSON, and one writer wrote all that is in it. So one native call makes the text, and the
 * entries are made when something asks for them, which storing them does not. The first values that a process writes are written
 * by code that is not compiled yet, where calls for each entry cost most.
 */

import { areInOrder, canonicalText, fits, isTagged, type Stored } from '../../core/index.ts'
import type { TreeLimits } from './context.ts'
import type { Child, Entry, ListNode, MapNode, Pointer, Writer } from './node.ts'
import { linkTo, parseNode } from './node-text.ts'

/** A map or a list of which one writer wrote everything. */
export class WholeNode {
  readonly kind: 'map' | 'list'
  readonly parts: number
  text: string
  deltas = 0
  #writer: Writer
  #entries: readonly Entry[] | undefined = undefined

  constructor(kind: 'map' | 'list', text: string, parts: number, writer: Writer) {
    this.kind = kind
    this.parts = parts
    this.text = text
    this.#writer = writer
  }

  get entries(): readonly Entry[] {
    this.#entries ??= entriesIn(this.text, this.#writer)
    return this.#entries
  }

  /** The writer of everything in it; undefined once its entries are made, because then each has its own. */
  get writer(): Writer | undefined {
    return this.#entries === undefined ? this.#writer : undefined
  }

  set writer(writer: Writer) {
    this.#writer = writer
  }
}

function entriesIn(text: string, writer: Writer): readonly Entry[] {
  return (parseNode(text, { pointer: noPointer, writer: () => writer }) as MapNode | ListNode).entries
}

function noPointer(): Pointer {
  throw new Error('A whole node has no links')
}

/** A container as a child, where nothing of it has to be behind a link, and its keys are in order. */
export function findWholeChild(limits: TreeLimits, value: Stored & object, writer: Writer): Child | undefined {
  const parts = countParts(limits, value, Number.POSITIVE_INFINITY)
  if (parts < 0) return undefined
  const json = JSON.stringify(value)
  const kind = Array.isArray(value) ? 'list' : 'map'
  const text = `["${kind}",{},${json}]`
  const node = new WholeNode(kind, text, parts, writer) as MapNode | ListNode
  return fits(json, limits.inlineBytes) ? { kind: 'held', node, text: json } : linkTo(node, text, writer)
}

/**
 * How many entries a container has, with those of the containers in it; negative where it is not a whole node, or surely has more than
 * `room` bytes. Each level has a quarter of the room above it, so that a deep value is not looked through once for each level.
 */
function countParts(limits: TreeLimits, value: Stored & object, room: number): number {
  const { cut, inlineBytes } = limits
  const keys = Array.isArray(value) ? undefined : Object.keys(value)
  const { length } = keys ?? (value as readonly Stored[])
  if (length > cut.max || length * (keys === undefined ? LEAST_ELEMENT : LEAST_FIELD) > room) return -1
  // `JSON.stringify` writes the fields of a map in their order in the object.
  if (keys !== undefined && !areInOrder(keys)) return -1
  const parts = Object.values(value) as readonly Stored[]
  // A character takes at most six in JSON.
  const surelyInline = inlineBytes / 6 - 2
  const inner = room > inlineBytes ? inlineBytes : room / 4
  let count = length
  for (let i = 0; i < length; i++) {
    const part = parts[i]!
    if (typeof part === 'string' && part.length <= surelyInline) continue
    const inside = partsInside(limits, part, inner)
    if (inside < 0) return -1
    count += inside
  }
  return count
}

/** The bytes of `0,` and of `"":0,`. The last one has no comma, but brackets are around them. */
const LEAST_ELEMENT = 2
const LEAST_FIELD = 5

/** No number has a longer text, and no other scalar but a string. */
const LONGEST_NUMBER = 25

/** How many entries a part of a whole node has in it; negative where it cannot be written in that node. */
function partsInside(limits: TreeLimits, part: Stored, room: number): number {
  const { inlineBytes } = limits
  if (typeof part !== 'object' || part === null) {
    if (typeof part !== 'string' && inlineBytes >= LONGEST_NUMBER) return 0
    return fits(canonicalText(part), inlineBytes) ? 0 : -1
  }
  const inside = isTagged(part) ? -1 : countParts(limits, part, room)
  return inside >= 0 && fits(JSON.stringify(part), inlineBytes) ? inside : -1
}
