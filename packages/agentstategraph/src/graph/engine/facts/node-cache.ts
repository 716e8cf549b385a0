/**
 * The cache of node results.
 *
 * A result is found by graph, node and version, and by a digest of what the node read. Which paths a node reads may depend
 * on the values, so a node has several sets of paths, and each is tried. The cache knows no states: its caller digests
 * the values at a set of paths.
 */

import { canonicalText, encode, hashText, parseKnownPath } from '../../../core/index.ts'
import type { State, Update } from '../../model/compiled-plan.ts'
import type { MaybePromise } from '../../model/maybe-promise.ts'
import type { Target } from '../../model/run-protocol.ts'
import { isContainer } from './reads.ts'

/** The node whose results are cached. */
export interface CachedNode {
  readonly graph: string
  readonly node: string
  /** Changes when the node's code does. */
  readonly version: string
}

export interface CacheEntry {
  /** The paths that the node read, `context` among them; none when the node has a `key` function. */
  readonly reads: readonly string[]
  /** The digest of the values at these paths, or of the key. */
  readonly digest: string
  readonly updates: readonly Update[]
  readonly goto?: readonly Target[] | undefined
  /** The end of its use, in milliseconds of the run's clock. */
  readonly expires?: number | undefined
}

export interface NodeCache {
  /** Finds the entry whose digest is that of `digestOf` for its paths. The caller checks whether it has expired. */
  find(node: CachedNode, digestOf: (reads: readonly string[]) => string): MaybePromise<CacheEntry | undefined>
  /** Keeps an entry, and replaces the one with the same paths and digest. */
  keep(node: CachedNode, entry: CacheEntry): MaybePromise<void>
}

/** The entry among the paths that stands for the context of the run. */
export const contextRead = 'context'

/** Digests the values at some paths of a state. Digests are equal when all values have equal content. */
export function digestOfReads(state: State, context: unknown, reads: readonly string[]): string {
  return digestOfValue(reads.map(path => (path === contextRead ? [context] : valueAt(state, parseKnownPath(path)))))
}

export function digestOfValue(value: unknown): string {
  return hashText(canonicalText(encode(value)))
}

/** What is at a path: the kinds of the containers above it, and the value if there is one. */
function valueAt(state: State, path: readonly string[]): readonly unknown[] {
  let kinds = ''
  let value: unknown = state
  for (const segment of path) {
    // The path ends early at a value without parts: that value is what was read.
    if (!isContainer(value)) break
    kinds += Array.isArray(value) ? 'l' : 'm'
    if (!Object.hasOwn(value, segment)) return [kinds]
    value = value[segment]
  }
  return value === undefined ? [kinds, 'undefined'] : [kinds, '', value]
}

/** A cache in memory that drops the least recently used entries. */
export function memoryNodeCache(maxEntries: number = 10_000): NodeCache {
  const entries = new Map<string, CacheEntry>()
  const readSets = new Map<string, Map<string, readonly string[]>>()
  return {
    find(node, digestOf) {
      for (const [set, reads] of readSets.get(textOf(node)) ?? []) {
        const key = `${textOf(node)}${set}${digestOf(reads)}`
        const entry = entries.get(key)
        if (entry === undefined) continue
        entries.delete(key)
        entries.set(key, entry)
        return entry
      }
      return undefined
    },
    keep(node, entry) {
      const set = JSON.stringify(entry.reads)
      const known = readSets.get(textOf(node)) ?? new Map<string, readonly string[]>()
      readSets.set(textOf(node), known.set(set, entry.reads))
      entries.set(`${textOf(node)}${set}${entry.digest}`, entry)
      const oldest = entries.size > maxEntries ? entries.keys().next().value : undefined
      if (oldest !== undefined) entries.delete(oldest)
    },
  }
}

function textOf({ graph, node, version }: CachedNode): string {
  return JSON.stringify([graph, node, version])
}
