/**
 * Values that know who wrote each part of them: the definition of a writer, on plain arrays and maps.
 *
 * A path's writer at a commit is the commit itself when its value differs from the value in every parent, else the writer
 * in the first parent with the equal value. An element of a list keeps its writer when it only moves; known-list.ts says
 * which element is which.
 */
import type { Stored } from '../../../src/core/index.ts'
import { type Compared, type NodeRange, originsOf } from './known-list.ts'
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

/** Says which ranges of a list are nodes; a list in one node has none. */
export type NodesOf = (list: readonly Known[]) => readonly NodeRange[]

/** A value and what changed in it since the first parent. */
export interface Settled {
  readonly known: Known
  readonly changed: readonly string[][]
}

/** A new value, all of it by one commit, with the writers that it has beside the commit's parents, the first one first. */
export function settledKnown(
  fresh: Known,
  parents: readonly (Known | undefined)[],
  nodesOf: NodesOf = () => [],
): Settled {
  const changed: string[][] = []
  const known = settledAt({ nodesOf, onChanged: path => changed.push(path) }, fresh, parents, [])
  return { known, changed }
}

/** A new value laid over one old one. */
export function laidOver(old: Known | undefined, fresh: Known): Known {
  return settledKnown(fresh, [old]).known
}

interface Settling {
  readonly nodesOf: NodesOf
  readonly onChanged: (path: string[]) => void
}

type Maybe = Known | undefined

function settledAt(settling: Settling, fresh: Known, befores: readonly Maybe[], path: string[]): Known {
  const [first] = befores
  if (first !== undefined && isEqual(first, fresh)) return first
  const equal = befores.find(before => before !== undefined && isEqual(before, fresh))
  const isAlike = (before: Maybe): boolean =>
    isList(fresh.part)
      ? before !== undefined && isList(before.part)
      : fresh.part instanceof Map && before?.part instanceof Map
  const alike = befores.map(before => (isAlike(before) ? before : undefined))
  const inside = alike[0] === undefined ? { ...settling, onChanged: () => {} } : settling
  if (alike[0] === undefined) settling.onChanged(path)
  const writer = equal?.writer ?? fresh.writer
  if (isList(fresh.part)) return { writer, part: settledList(inside, fresh.part, alike, path) }
  if (!(fresh.part instanceof Map)) return { writer, part: fresh.part }
  const map = fresh.part as ReadonlyMap<string, Known>
  const maps = alike.map(before => before?.part as ReadonlyMap<string, Known> | undefined)
  for (const key of maps[0]?.keys() ?? []) if (!map.has(key)) inside.onChanged([...path, key])
  const entries = [...map].map(([key, child]): [string, Known] => {
    const below = maps.map(before => before?.get(key))
    return [key, settledAt(inside, child, below, [...path, key])]
  })
  return { writer, part: new Map(entries) }
}

function settledList(settling: Settling, list: readonly Known[], befores: readonly Maybe[], path: string[]): Known[] {
  const lists = befores.map(before => (before?.part ?? []) as readonly Known[])
  const origins = lists.map(before => originsOf(comparedList(settling, before), comparedList(settling, list, before)))
  const [first] = origins
  for (const n of first!.removed) settling.onChanged([...path, String(n)])
  return list.map((element, n) => {
    const at = [...path, String(n)]
    const from = origins.findIndex(({ same }) => same[n] !== undefined)
    const replaced = origins.map(({ changedFrom }, p) => lists[p]![changedFrom[n]!])
    if (from === 0 && first!.hasMoved[n]) settling.onChanged(at)
    if (from > 0) settledAt(settling, element, [replaced[0]], at)
    return from >= 0 ? lists[from]![origins[from]!.same[n]!]! : settledAt(settling, element, replaced, at)
  })
}

function comparedList({ nodesOf }: Settling, list: readonly Known[], older: readonly Known[] = []): Compared {
  const sharedFields = (mine: number, theirs: number): number => {
    const [x, y] = [list[mine]!.part, older[theirs]!.part]
    if (!(x instanceof Map) || !(y instanceof Map)) return 0
    return [...(x as ReadonlyMap<string, Known>)].filter(([key, child]) => isEqual(child, y.get(key) as Maybe)).length
  }
  return { texts: list.map(textOfKnown), nodes: nodesOf(list), sharedFields }
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
