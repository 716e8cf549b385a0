/**
 * Values that know who wrote each part of them: the definition of a writer, on plain arrays and maps.
 *
 * A path's writer at a commit is the commit itself when its value differs from the value in every parent, else the writer
 * in the first parent with the equal value. An element of a list keeps its writer when it only moves; which element is
 * which is said by `align`. Knows no nodes.
 */
import type { Stored } from '../../src/core/index.ts'
import { align } from '../../src/tree/index.ts'
import { type Plain, plainOf, plainText } from './plain.ts'

/** A value with its writer, and with those of its parts. */
export interface Known {
  readonly writer: number
  readonly part: Part
}
export type Part = { readonly leaf: Stored } | ReadonlyMap<string, Known> | readonly Known[]

/** A value of which every part has one writer. */
export function knownOf(value: Plain, writer: number): Known {
  if (Array.isArray(value)) return { writer, part: value.map(child => knownOf(child, writer)) }
  if (!(value instanceof Map)) return { writer, part: value }
  return { writer, part: new Map([...value].map(([key, child]) => [key, knownOf(child, writer)])) }
}

export function newlyKnown(value: Stored, writer: number): Known {
  return knownOf(plainOf(value), writer)
}

export function isList(part: Part): part is readonly Known[] {
  return Array.isArray(part)
}

/** The value alone. */
export function plainOfKnown({ part }: Known): Plain {
  if (isList(part)) return part.map(plainOfKnown)
  if (!(part instanceof Map)) return part as { readonly leaf: Stored }
  return new Map([...part].map(([key, child]) => [key, plainOfKnown(child)]))
}

const texts = new WeakMap<Known, string>()

/** Equal for two values exactly when they are equal, whoever wrote them. */
export function textOfKnown(known: Known): string {
  let text = texts.get(known)
  if (text === undefined) {
    text = plainText(plainOfKnown(known))
    texts.set(known, text)
  }
  return text
}

export function isEqual(a: Known | undefined, b: Known | undefined): boolean {
  return a === undefined || b === undefined ? a === b : textOfKnown(a) === textOfKnown(b)
}

/** A new value laid over an old one: what is equal is the old, with its writers. */
export function laidOver(old: Known | undefined, fresh: Known): Known {
  if (old === undefined) return fresh
  if (isEqual(old, fresh)) return old
  if (isList(old.part) && isList(fresh.part)) {
    return { writer: fresh.writer, part: listLaidOver(old.part, fresh.part) }
  }
  if (!(old.part instanceof Map) || !(fresh.part instanceof Map)) return fresh
  const before = old.part as ReadonlyMap<string, Known>
  const after = fresh.part as ReadonlyMap<string, Known>
  return {
    writer: fresh.writer,
    part: new Map([...after].map(([key, child]) => [key, laidOver(before.get(key), child)])),
  }
}

/** Equal ends stay; what lies between is aligned. */
function listLaidOver(old: readonly Known[], fresh: readonly Known[]): Known[] {
  const { start, end } = equalEnds(old.map(textOfKnown), fresh.map(textOfKnown))
  const before = old.slice(start, old.length - end)
  const after = fresh.slice(start, fresh.length - end)
  const { matches, replaces } = align(before.map(textOfKnown), after.map(textOfKnown))
  const between = after.map((element, j) => {
    const same = before[matches[j]!]
    return same ?? laidOver(before[replaces[j]!], element)
  })
  return [...old.slice(0, start), ...between, ...old.slice(old.length - end)]
}

/** How many elements two lists share at the start and, after that, at the end. */
export function equalEnds(a: readonly string[], b: readonly string[]): { start: number; end: number } {
  const shorter = Math.min(a.length, b.length)
  let start = 0
  while (start < shorter && a[start] === b[start]) start++
  let end = 0
  while (end < shorter - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++
  return { start, end }
}
