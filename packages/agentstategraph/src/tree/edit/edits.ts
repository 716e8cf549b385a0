/**
 * Edits by path, and what they make of a value that is in no tree yet: the later edits of a batch in which an earlier one
 * set the value as a whole.
 *
 * The values in edits are never changed, so that a batch can run again. A container is copied when the batch first changes
 * it; the copy belongs to the batch, and later edits change it in place.
 */

import { formatPath, isIndex, isTagged, type Stored, storedKey } from '../../core/index.ts'
import { treeError, typeInWords } from '../errors.ts'
import { type Writer, writerOf } from '../nodes/node.ts'

/**
 * One change of a path. Segments are user keys. "-" as the last segment appends to a list, and creates the list when the
 * path does not exist. Before the last segment, "-" is a key of an existing map, else it is refused.
 *
 * `set` writes a value and creates missing maps above it; `insert` makes room in a list first; `delete` of a path that does
 * not exist changes nothing. `draft` is the number of the draft it comes from, 0 or absent for the commit itself. `encrypted`
 * lists the encrypted values in a value that a caller gave, which have to be there already.
 */
export type Edit =
  | {
      readonly op: 'set' | 'insert'
      readonly path: readonly string[]
      readonly value: Stored
      readonly draft?: number
      readonly encrypted?: readonly EncryptedPlace[]
    }
  | { readonly op: 'delete'; readonly path: readonly string[]; readonly draft?: number }

/** An encrypted value in stored form, and its path from the root. */
export interface EncryptedPlace {
  readonly path: readonly string[]
  readonly stored: Stored
}

/** The index of the first edit of the path itself, -1 when all are below it. */
export function firstWhole(edits: readonly Edit[], depth: number): number {
  return edits.findIndex(one => one.path.length === depth)
}

export function writerOfLast(edits: readonly Edit[]): Writer {
  return writerOf(0, edits.at(-1)?.draft ?? 0)
}

/** What the segment of a path means in a list: an index or "-". */
export type ListPlace =
  | { readonly kind: 'insert' | 'remove' | 'element'; readonly index: number }
  /** A delete of an index that does not exist. */
  | { readonly kind: 'nothing' }

/** `depth` is the index, in the edit's path, of the segment that names an element of this list. */
export function listPlace(edit: Edit, depth: number, length: number): ListPlace {
  const segment = edit.path[depth]!
  const isLast = edit.path.length === depth + 1
  if (segment === '-' && isLast && edit.op !== 'delete') return { kind: 'insert', index: length }
  if (!isIndex(segment)) {
    if (edit.op === 'delete') return { kind: 'nothing' }
    throw treeError('index-invalid', { path: formatPath(edit.path), segment, length })
  }
  const index = Number(segment)
  if (isLast && edit.op === 'insert' && index <= length) return { kind: 'insert', index }
  if (index >= length) {
    if (edit.op === 'delete') return { kind: 'nothing' }
    throw treeError('index-out-of-range', { path: formatPath(edit.path), index, length })
  }
  return { kind: isLast && edit.op === 'delete' ? 'remove' : 'element', index }
}

/** The containers that a batch has made, which it may change in place. */
export type Owned = WeakSet<object>

type OwnMap = { [key: string]: Stored }

/** The value after these edits, starting without one. */
export function plainAfter(edits: readonly Edit[], depth: number): Stored | undefined {
  const owned: Owned = new WeakSet()
  let value: Stored | undefined
  for (const one of edits) value = editPlain(value, one, depth, owned)
  return value
}

/** The value after one edit. `depth` is the number of segments of the edit's path that lead to the value. */
export function editPlain(value: Stored | undefined, edit: Edit, depth: number, owned: Owned): Stored | undefined {
  if (edit.path.length === depth) return edit.op === 'delete' ? undefined : edit.value
  if (value === undefined) {
    if (edit.op === 'delete') return undefined
    // An append creates its list. The root is always a map.
    const empty = edit.path[depth] === '-' && depth > 0 ? [] : (Object.create(null) as OwnMap)
    return editPlain(empty, edit, depth, owned)
  }
  // A copy is never a tagged value, and `isTagged` of a large map costs as much as listing its keys.
  const isContainer = typeof value === 'object' && value !== null && (owned.has(value) || !isTagged(value))
  if (!isContainer) {
    if (edit.op === 'delete') return value
    throw treeError('path-blocked', {
      path: formatPath(edit.path),
      at: formatPath(edit.path.slice(0, depth)),
      type: typeInWords(value),
    })
  }
  return Array.isArray(value) ? editList(value, edit, depth, owned) : editMap(value as OwnMap, edit, depth, owned)
}

function editMap(map: Readonly<OwnMap>, edit: Edit, depth: number, owned: Owned): Stored {
  const key = storedKey(edit.path[depth]!)
  const before = Object.hasOwn(map, key) ? map[key] : undefined
  const after = editPlain(before, edit, depth + 1, owned)
  if (before === after) return map
  const own = owned.has(map) ? (map as OwnMap) : copyOfMap(map, owned)
  if (after === undefined) delete own[key]
  else own[key] = after
  return own
}

function editList(list: readonly Stored[], edit: Edit, depth: number, owned: Owned): Stored {
  const place = listPlace(edit, depth, list.length)
  if (place.kind === 'nothing') return list
  const { index } = place
  if (place.kind === 'element') {
    const after = editPlain(list[index], edit, depth + 1, owned)!
    if (after === list[index]) return list
    const own = ownList(list, owned)
    own[index] = after
    return own
  }
  const own = ownList(list, owned)
  if (place.kind === 'remove') own.splice(index, 1)
  else own.splice(index, 0, (edit as { readonly value: Stored }).value)
  return own
}

function copyOfMap(map: Readonly<OwnMap>, owned: Owned): OwnMap {
  const copy = Object.assign(Object.create(null) as OwnMap, map)
  owned.add(copy)
  return copy
}

function ownList(list: readonly Stored[], owned: Owned): Stored[] {
  if (owned.has(list)) return list as Stored[]
  const copy = [...list]
  owned.add(copy)
  return copy
}
