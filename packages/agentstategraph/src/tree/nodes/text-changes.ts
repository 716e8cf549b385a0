/**
 * How the text of a node differs from that of an older one of its kind, line by line.
 *
 * A line is the part of a text that one entry or item has. An edit leaves most lines of a node as they were, and they are the
 * same strings then, so they are found without looking at their characters.
 */

import type { Entry, Node } from './node.ts'
import { lineOf, type TextLines, textLines } from './node-text.ts'

/** Takes the differences in the order of the texts. */
export interface TextChanges {
  /** Both texts have this. */
  keep(text: string): void
  /** The older text has `before` where the newer one has `after`; either may be empty. */
  change(before: string, after: string): void
}

/** Tells how the text of `node` is made from that of `base`; false when they are of different kinds. */
export function textChanges(base: Node, node: Node, into: TextChanges): boolean {
  if (base.kind === 'map' && node.kind === 'map' && hasSameShape(base.entries, node.entries)) {
    into.keep('["map",{')
    entryChanges(base.entries, node.entries, true, into)
    into.keep('},{')
    entryChanges(base.entries, node.entries, false, into)
    return true
  }
  const [before, after] = [textLines(base), textLines(node)]
  if (before.frame[0] !== after.frame[0]) return false
  for (const [i, lines] of after.sections.entries()) {
    into.keep(after.frame[i]!)
    sectionChanges(before.sections[i]!, lines, into)
  }
  return true
}

/** Whether two maps have the same keys, and behind links the same ones: most edits leave it so. */
function hasSameShape(before: readonly Entry[], after: readonly Entry[]): boolean {
  if (before.length !== after.length) return false
  for (let i = 0; i < after.length; i++) {
    const a = before[i]!
    const b = after[i]!
    if (a !== b && (a.key !== b.key || isLinked(a) !== isLinked(b))) return false
  }
  return true
}

function isLinked({ child }: Entry): boolean {
  return child.kind === 'link'
}

/** The differences of one section, without the lists of its lines. */
function entryChanges(before: readonly Entry[], after: readonly Entry[], linked: boolean, into: TextChanges): void {
  let isFirst = true
  for (let i = 0; i < after.length; i++) {
    const entry = after[i]!
    if (isLinked(entry) !== linked) continue
    if (!isFirst) into.keep(',')
    isFirst = false
    const a = lineOf(before[i]!)
    const b = lineOf(entry)
    if (a === b) into.keep(b)
    else into.change(a, b)
  }
}

type Lines = TextLines['sections'][number]

function sectionChanges(before: Lines, after: Lines, into: TextChanges): void {
  if (before.length === after.length) {
    for (let i = 0; i < after.length; i++) {
      if (i > 0) into.keep(',')
      if (before[i] === after[i]) into.keep(after[i]!)
      else into.change(before[i]!, after[i]!)
    }
    return
  }
  const least = Math.min(before.length, after.length)
  let start = 0
  while (start < least && before[start] === after[start]) start++
  let rest = 0
  while (rest < least - start && before[before.length - 1 - rest] === after[after.length - 1 - rest]) rest++
  keepLines(after, 0, start, into)
  into.change(between(before, start, rest), between(after, start, rest))
  keepLines(after, after.length - rest, after.length, into)
}

/** The lines between those at the start and the end, with the commas around them. */
function between(lines: Lines, start: number, rest: number): string {
  const end = lines.length - rest
  const middle = lines.slice(start, end).join(',')
  return `${start > 0 && end > start ? ',' : ''}${middle}${end > 0 && rest > 0 ? ',' : ''}`
}

function keepLines(lines: Lines, from: number, to: number, into: TextChanges): void {
  for (let i = from; i < to; i++) {
    if (i > from) into.keep(',')
    into.keep(lines[i]!)
  }
}
