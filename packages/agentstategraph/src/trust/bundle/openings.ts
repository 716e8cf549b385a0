/**
 * How much of each tree a bundle opens, and which nodes that needs.
 *
 * A node is needed under an opening: all of it, or only the way to what some patterns match. The same node can occur again
 * in another place where more of it is opened. Export and check share this module, so the check needs exactly the nodes
 * that an export writes. docs/bundle.md defines it under "What is opened".
 */

import { storedKey, userKey } from '../../core/index.ts'
import type { Scratch, ScratchIds } from '../../store/contract/scratch.ts'
import type { Profile } from './format.ts'
import type { NodeShape } from './node-shape.ts'

/** All of a node and of what is below it; or pairs of a pattern and how many of its segments have matched. */
export type Opening = 'all' | ReadonlySet<number>

const nothing: Opening = new Set()

/** More than the segments of any pattern: a pair is stored as `pattern * SPAN + matched`. */
const SPAN = 1024

/** The patterns of a bundle, as lists of segments. */
export type Patterns = readonly (readonly string[])[]

/** Parses the patterns of a header; undefined when one is invalid, or they are not in order. */
export function findPatterns(paths: readonly string[]): Patterns | undefined {
  if (paths.length === 0 || paths.some((path, i) => i > 0 && paths[i - 1]! >= path)) return undefined
  const patterns = paths.map(findSegments).filter(segments => segments !== undefined)
  return patterns.length === paths.length ? patterns : undefined
}

function findSegments(path: string): readonly string[] | undefined {
  if (path === '') return []
  if (!path.startsWith('/') || /~(?![01])/.test(path)) return undefined
  const segments = path.slice(1).split('/')
  if (segments.length >= SPAN || segments.some(segment => segment.includes('*') && segment !== '*')) return undefined
  return segments.map(segment => segment.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** The opening of a commit's state. */
export function openingOf(patterns: Patterns | undefined): Opening {
  if (patterns === undefined) return 'all'
  const known = openings.get(patterns)
  if (known !== undefined) return known
  const opening = settled(
    patterns,
    patterns.map((_, i) => i * SPAN),
  )
  openings.set(patterns, opening)
  return opening
}

/** What is opened of access states where not all of them is: what commits are judged by. */
export const accessPatterns: Patterns = [['frozen'], ['grants'], ['sessions']]

/** The opening of an access state. */
export function accessOpening(profile: Profile, patterns: Patterns | undefined): Opening {
  return profile === 'full' && patterns === undefined ? 'all' : openingOf(accessPatterns)
}

/** The openings of a node's children, in the order of its ids. */
export function openingsBelow(patterns: Patterns | undefined, node: NodeShape, opening: Opening): readonly Opening[] {
  if (opening === 'all' || patterns === undefined) return node.ids.map(() => 'all')
  switch (node.kind) {
    case 'map':
      return node.keys.map(key => belowKey(patterns, opening, userKey(key)))
    case 'list': {
      const below = belowElement(patterns, opening)
      return node.ids.map(() => below)
    }
    case 'maps':
      return node.keys.map((_, i) => (covers(patterns, opening, node.keys, i) ? opening : nothing))
    case 'lists':
      return node.ids.map(() => opening)
    case 'pieces':
      return node.ids.map(() => nothing)
  }
}

/**
 * What leads on from an opening. A bundle may have many patterns and many nodes, so each opening is looked through once, and
 * the same step gives the same object.
 */
interface Steps {
  /** The pairs whose next segment is a key, by that key, and those whose next segment is any. */
  readonly byKey: ReadonlyMap<string, readonly number[]>
  readonly any: readonly number[]
  /** The keys as they are stored, in order. */
  readonly storedKeys: readonly string[]
  readonly known: Map<string, Opening>
  element: Opening | undefined
}

const openings = new WeakMap<Patterns, Opening>()
const steps = new WeakMap<ReadonlySet<number>, Steps>()

function stepsFrom(patterns: Patterns, pairs: ReadonlySet<number>): Steps {
  const made = steps.get(pairs)
  if (made !== undefined) return made
  const byKey = new Map<string, number[]>()
  const any: number[] = []
  for (const pair of pairs) {
    const segment = patterns[Math.floor(pair / SPAN)]![pair % SPAN]!
    const group = byKey.get(segment)
    if (segment === '*') any.push(pair)
    else if (group === undefined) byKey.set(segment, [pair])
    else group.push(pair)
  }
  const storedKeys = [...byKey.keys()].map(storedKey).sort()
  const fresh: Steps = { byKey, any, storedKeys, known: new Map(), element: undefined }
  steps.set(pairs, fresh)
  return fresh
}

function belowKey(patterns: Patterns, pairs: ReadonlySet<number>, key: string): Opening {
  const { byKey, any, known } = stepsFrom(patterns, pairs)
  const own = byKey.get(key)
  // The keys that no pattern names share what is open to any key.
  const name = own === undefined ? '*' : key
  const found = known.get(name) ?? settled(patterns, after([...any, ...(own ?? [])]))
  known.set(name, found)
  return found
}

function belowElement(patterns: Patterns, pairs: ReadonlySet<number>): Opening {
  const made = stepsFrom(patterns, pairs)
  made.element ??= settled(patterns, after([...pairs]))
  return made.element
}

function after(pairs: readonly number[]): readonly number[] {
  return pairs.map(pair => pair + 1)
}

function settled(patterns: Patterns, pairs: readonly number[]): Opening {
  const isWhole = pairs.some(pair => pair % SPAN === patterns[Math.floor(pair / SPAN)]!.length)
  return isWhole ? 'all' : new Set(pairs)
}

/** Whether a pattern leads to a key between those of two branches. */
function covers(patterns: Patterns, pairs: ReadonlySet<number>, firsts: readonly string[], at: number): boolean {
  const { any, storedKeys } = stepsFrom(patterns, pairs)
  if (any.length > 0) return true
  const [from, to] = [at === 0 ? '' : firsts[at]!, firsts[at + 1]]
  const key = storedKeys[firstFrom(storedKeys, from)]
  return key !== undefined && (to === undefined || key < to)
}

/** The index of the first text that is not before another. */
function firstFrom(texts: readonly string[], least: string): number {
  let [low, high] = [0, texts.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (texts[middle]! < least) low = middle + 1
    else high = middle
  }
  return low
}

/** Tracks the nodes that are needed, and the opening under which each node is known. */
export interface NeededNodes {
  /** Needs a node under an opening; false when it is known under that opening already, or the opening is empty. */
  need(id: string, opening: Opening): boolean
  /** Removes a node from those needed and returns the opening it was needed under; undefined when it was not needed. */
  take(id: string): Opening | undefined
  /** A needed node that has not come. */
  firstMissing(): string | undefined
}

/** The nodes that have come go to a scratch. Those that are still to come are few. */
export function neededNodes(scratch: Scratch): NeededNodes {
  const needed = new Map<string, Opening>()
  /** The nodes that came under `all`, which are nearly all nodes. */
  const whole = scratch.ids()
  /** The openings of the other nodes, whether they came or not. */
  const partly = openingsIn(scratch.ids())
  const knownUnder = (id: string): Opening | undefined =>
    needed.get(id) === 'all' || whole.find(id) !== undefined ? 'all' : partly.find(id)
  return {
    need(id, opening) {
      const before = knownUnder(id)
      if (before === undefined ? isEmpty(opening) : isWithin(opening, before)) return false
      if (opening !== 'all') partly.set(id, united(before, opening))
      needed.set(id, united(needed.get(id), opening))
      return true
    },
    take(id) {
      const opening = needed.get(id)
      needed.delete(id)
      if (opening === 'all') whole.add(id, 0)
      return opening
    },
    firstMissing: () => needed.keys().next().value,
  }
}

/** More than the different openings of a bundle. */
const OPENINGS = 2 ** 20

/** The newest opening of each id. There are few different ones, so each gets a number. */
function openingsIn(ids: ScratchIds): {
  find(id: string): Opening | undefined
  set(id: string, opening: Opening): void
} {
  const different: Opening[] = []
  const numbers = new Map<string, number>()
  let sets = 0
  const numberOf = (opening: Opening): number => {
    const text = opening === 'all' ? opening : [...opening].sort((a, b) => a - b).join(',')
    const number = numbers.get(text) ?? different.push(opening) - 1
    numbers.set(text, number)
    return number
  }
  return {
    find(id) {
      const number = ids.find(id)
      return number === undefined ? undefined : different[number % OPENINGS]
    },
    // The largest number of an id is found, so the newest has to be the largest.
    set: (id, opening) => ids.add(id, sets++ * OPENINGS + numberOf(opening)),
  }
}

function isEmpty(opening: Opening): boolean {
  return opening !== 'all' && opening.size === 0
}

function isWithin(opening: Opening, other: Opening): boolean {
  if (other === 'all' || opening === other) return true
  if (opening === 'all') return false
  for (const pair of opening) if (!other.has(pair)) return false
  return true
}

function united(a: Opening | undefined, b: Opening): Opening {
  if (a === undefined || a === b) return b
  return a === 'all' || b === 'all' ? 'all' : new Set([...a, ...b])
}
