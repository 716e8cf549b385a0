/**
 * Where large containers are cut into nodes.
 *
 * Each item has a number that depends on its content alone. The p-th item of a node (4 ≤ p ≤ 64) ends it when its number
 * is below (p/64)² of the 32-bit range; the 64th always does. A node's end depends on nothing outside the node. So
 * re-cutting after an edit stops as soon as a cut falls on an old one, and equal content is cut alike whatever its history.
 *
 * A map's items are numbered by key, so a new value never moves a cut. The number of a list element includes the three
 * elements before it, so lists of few distinct values are cut too. docs/design/cut-rule.md has the measurements.
 */

import { contentOf, type Entry, type Item } from './node.ts'

export interface CutLimits {
  /** The fewest items a node has, unless it is the last of its level. */
  readonly min: number
  /** The most items a node has. A level with at most so many items is the root. */
  readonly max: number
}

const FNV_OFFSET = 0x811c9dc5
const FNV_PRIME = 0x01000193
const LEVEL_STEP = 0x9e3779b9

/** A 32-bit number of a text: FNV-1a over its UTF-16 code units, finished by the mixer of MurmurHash3. */
export function numberOf(text: string, level = 0): number {
  let h = FNV_OFFSET
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), FNV_PRIME)
  h = (h + Math.imul(level, LEVEL_STEP)) | 0
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}

/** The number of one item, given that of the items before it in the same node. */
export type Numbering<T> = (item: T, before: number) => number

export const mapEntryNumber: Numbering<Entry> = entry => numberOf(entry.key)
export const listEntryNumber: Numbering<Entry> = (entry, before) =>
  ((before << 8) ^ numberOf(contentOf(entry.child))) >>> 0
export function mapItemNumber(level: number): Numbering<Item> {
  return item => numberOf(item.first, level)
}
export const itemNumber: Numbering<Item> = item => numberOf(item.link.id)

/** Collects items into nodes. */
export interface Cutter<T> {
  push(item: T): void
  /** Whether the last item pushed ended a node. */
  isBetween(): boolean
  /** The nodes so far; items after the last cut become the last node. */
  finish(): T[][]
}

export function cutter<T>(number: Numbering<T>, limits: CutLimits): Cutter<T> {
  const { min, max } = limits
  const scale = 2 ** 32 / (max * max)
  const nodes: T[][] = []
  let open: T[] = []
  let last = 0
  return {
    push(item) {
      last = number(item, last)
      open.push(item)
      const p = open.length
      if (p >= min && (p >= max || last < p * p * scale)) {
        nodes.push(open)
        open = []
        last = 0
      }
    },
    isBetween: () => open.length === 0,
    finish() {
      if (open.length > 0) nodes.push(open)
      open = []
      last = 0
      return nodes
    },
  }
}
