/**
 * The node cache in the repository, shared by all threads and processes.
 *
 * It is a tree on a system branch: by graph, node and version the sets of paths that were read, and below each set the
 * results by the digest of the values. A list of expiry times in order lets each write delete a few expired results. A
 * write that loses a race is repeated. A result that cannot be stored is not cached, because a cache must not fail a run.
 */

import { encode, hashText, isStateError, type Stored, userKey } from '../../../core/index.ts'
import {
  currentAccess,
  findChild,
  findValue,
  type Handle,
  isAllowed,
  landOn,
  nodeCacheRef,
  type Prepared,
  readScopeOf,
} from '../../../repo/index.ts'
import { findHead, type StoredCommit, type Work } from '../../../store/index.ts'
import { containerOfChild, countOf, type Edit, edit, entryAt, rootOf } from '../../../tree/index.ts'
import type { CachedNode, CacheEntry, NodeCache } from '../../engine/facts/node-cache.ts'
import { type Encoding, encodingOf } from './encoding.ts'
import { storedUpdate } from './facts.ts'

/** How many expired results one write deletes. */
const CLEARED = 8
/** Times are padded to this length, so that the order of texts is the order of times. */
const TIME_DIGITS = 16

/** `mayBlock`: whether a run that cannot wait uses it. */
export function repositoryNodeCache(handle: Handle, mayBlock = false): NodeCache {
  const { journal } = handle
  return {
    find: (node, digestOf) => journal.perform(findEntry(handle, node, digestOf), mayBlock),
    keep(node, entry) {
      if (handle.shared.isReadOnly) return undefined
      return journal.perform(keepEntry(handle, node, entry), mayBlock)
    },
  }
}

function pathOf({ graph, node, version }: CachedNode): readonly string[] {
  return ['results', hashText(JSON.stringify([graph, node, version]))]
}

/** A result was computed for the principal that ran the node first, so only one that may read everything gets it. */
function* findEntry(
  handle: Handle,
  node: CachedNode,
  digestOf: (reads: readonly string[]) => string,
): Work<CacheEntry | undefined> {
  if ((yield* readScopeOf(handle))?.isWhole === false) return undefined
  const { journal } = handle
  const head = yield* findHead(journal, nodeCacheRef)
  if (head === undefined) return undefined
  const at = pathOf(node)
  const sets = (yield* findValue(journal.context, head, [...at, 'reads'])) as
    | Record<string, readonly string[]>
    | undefined
  for (const [set, reads] of Object.entries(sets ?? {})) {
    const path = [...at, 'found', set, digestOf(reads)]
    const found = (yield* findValue(journal.context, head, path)) as StoredEntry | undefined
    if (found !== undefined) return { ...found, updates: found.updates.map(update => Object.fromEntries(update)) }
  }
  return undefined
}

/** Every run uses the cached results, so only a principal with permission to write everywhere may add to them. */
function* mayKeep(handle: Handle): Work<boolean> {
  const { identity } = handle
  if (identity === undefined) return true
  const state = yield* currentAccess(handle)
  return state !== undefined && (yield* isAllowed(state, identity, { capability: 'commit', concernsAll: true }))
}

function* keepEntry(handle: Handle, node: CachedNode, entry: CacheEntry): Work<void> {
  if (!(yield* mayKeep(handle))) return
  const { journal } = handle
  const at = pathOf(node)
  const set = hashText(JSON.stringify(entry.reads))
  const path = [...at, 'found', set, entry.digest]
  let value: Stored
  try {
    value = storedEntry(entry, encodingOf(handle))
  } catch (error) {
    if (isStateError(error, 'value-refused')) return
    throw error
  }
  const edits: Edit[] = [
    { op: 'set', path: [...at, 'reads', set], value: entry.reads as Stored },
    { op: 'set', path, value },
  ]
  if (entry.expires !== undefined) {
    edits.push({ op: 'set', path: ['expires', timeKey(entry.expires, path)], value: path as Stored })
  }
  yield* landOn(handle, nodeCacheRef, function* (head): Work<Prepared<undefined>> {
    const empty = rootOf(journal.context, {}, 0)
    const cleared = head === undefined ? [] : yield* expiredEdits(handle, head, journal.now())
    const { root, changed } = yield* edit(journal.context, head?.tree ?? empty, [...cleared, ...edits])
    if (changed.length === 0) return { kind: 'unchanged', result: undefined }
    const description = `Cache ${node.graph}/${node.node}`.slice(0, 200)
    const info = { agent: handle.who.agent, intent: { id: journal.ids(), category: 'Checkpoint', description } }
    const landing = { tree: root, system: head?.system ?? empty, info }
    return { kind: 'landing', landing, result: undefined }
  })
}

function timeKey(time: number, path: readonly string[]): string {
  return `${String(Math.max(0, Math.ceil(time))).padStart(TIME_DIGITS, '0')} ${hashText(JSON.stringify(path))}`
}

/** The edits that delete the first expired results and their expiry times. */
function* expiredEdits({ journal }: Handle, head: StoredCommit, now: number): Work<Edit[]> {
  const child = yield* findChild(journal.context, head, ['expires'])
  const times = child === undefined ? undefined : yield* containerOfChild(journal.context, child)
  if (times === undefined) return []
  const edits: Edit[] = []
  for (let i = 0; i < Math.min(CLEARED, countOf(times)); i++) {
    const name = userKey((yield* entryAt(journal.context, times, i))!.key)
    if (Number(name.slice(0, TIME_DIGITS)) > now) break
    const path = (yield* findValue(journal.context, head, ['expires', name])) as readonly string[]
    const found = (yield* findValue(journal.context, head, path)) as StoredEntry | undefined
    edits.push({ op: 'delete', path: ['expires', name] })
    // A result that was cached again since this expiry was queued is not deleted.
    if (found?.expires !== undefined && found.expires <= now) edits.push({ op: 'delete', path })
  }
  return edits
}

type StoredEntry = Omit<CacheEntry, 'updates'> & { readonly updates: readonly (readonly [string, unknown][])[] }

function storedEntry({ updates, ...entry }: CacheEntry, encoding: Encoding): Stored {
  const fields = Object.fromEntries(Object.entries(entry).filter(([, field]) => field !== undefined))
  const stored = encode(fields, encoding) as { readonly [field: string]: Stored }
  return { ...stored, updates: updates.map(update => storedUpdate(update, encoding)) }
}
