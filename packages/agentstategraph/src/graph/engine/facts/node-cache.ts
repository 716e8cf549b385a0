/**
 * What nodes gave before, for those that cache.
 *
 * A result is found again by graph, node and version, and by a digest of what the node read. Which paths a node reads may
 * depend on what it finds there, so a node has several sets of paths; each is tried. The cache knows no states: it is
 * handed a function that digests the values at a set of paths.
 */

import { canonicalText, encode, hashText, parseKnownPath } from '../../../core/index.ts'
import type { State, Update } from '../../model/compiled-plan.ts'
import type { MaybePromise } from '../../model/maybe-promise.ts'
import type { Target } from '../../model/run-protocol.ts'
import { isContainer } from './reads.ts'

/** Whose results these are. */
export interface CachedNode {
  readonly graph: string
  readonly node: string
  /** Changes when the node's code does. */
  readonly version: string
}

export interface CacheEntry {
  /** The paths that the node read, and whether it read the context; none when it has a key of its own. */
  readonly reads: readonly string[]
  /** Of the values at these paths, or of the key. */
  readonly digest: string
  readonly updates: readonly Update[]
  readonly goto?: readonly Target[] | undefined
  /** When it is no longer used, in milliseconds of the run's clock. */
  readonly expires?: number | undefined
}

export interface NodeCache {
  /**
   * Finds the entry whose digest is what `digestOf` gives for its paths.
   *
   * An expired one may be given or not; it is not used either way.
   */
  find(place: CachedNode, digestOf: (reads: readonly string[]) => string): MaybePromise<CacheEntry | undefined>
  /** Keeps an entry in place of the one with the same paths and digest. */
  keep(place: CachedNode, entry: CacheEntry): MaybePromise<void>
}

/** Stands among the paths for the context of the run. */
export const contextRead = 'context'

/** Digests the values that a state has at some paths: equal exactly when all of them have equal content. */
export function digestOfReads(state: State, context: unknown, reads: readonly string[]): string {
  return digestOfValue(reads.map(path => (path === contextRead ? [context] : valueAt(state, parseKnownPath(path)))))
}

export function digestOfValue(value: unknown): string {
  return hashText(canonicalText(encode(value)))
}

/** What is at a path: the kinds of the containers down to it, and the value there, if there is one. */
function valueAt(state: State, path: readonly string[]): readonly unknown[] {
  let kinds = ''
  let value: unknown = state
  for (const segment of path) {
    // A value without parts is no way further down, and is what a reader finds there.
    if (!isContainer(value)) break
    kinds += Array.isArray(value) ? 'l' : 'm'
    if (!Object.hasOwn(value, segment)) return [kinds]
    value = (value as Readonly<Record<string, unknown>>)[segment]
  }
  return value === undefined ? [kinds, 'undefined'] : [kinds, '', value]
}

/** A cache for as long as the process lives, with the entries used longest ago thrown out first. */
export function memoryNodeCache(maxEntries: number = 10_000): NodeCache {
  const entries = new Map<string, CacheEntry>()
  const readSets = new Map<string, Map<string, readonly string[]>>()
  return {
    find(place, digestOf) {
      for (const [set, reads] of readSets.get(textOf(place)) ?? []) {
        const key = `${textOf(place)}${set}${digestOf(reads)}`
        const entry = entries.get(key)
        if (entry === undefined) continue
        entries.delete(key)
        entries.set(key, entry)
        return entry
      }
      return undefined
    },
    keep(place, entry) {
      const set = JSON.stringify(entry.reads)
      const known = readSets.get(textOf(place)) ?? new Map<string, readonly string[]>()
      readSets.set(textOf(place), known.set(set, entry.reads))
      entries.set(`${textOf(place)}${set}${entry.digest}`, entry)
      const oldest = entries.size > maxEntries ? entries.keys().next().value : undefined
      if (oldest !== undefined) entries.delete(oldest)
    },
  }
}

function textOf({ graph, node, version }: CachedNode): string {
  return JSON.stringify([graph, node, version])
}
