/**
 * Plain values: states as arrays and JavaScript maps with users' keys, and edits made to them the simplest way.
 *
 * Written from the words of `Edit` alone, so that the tree has something to be compared with. Knows no nodes.
 */
import { canonicalText, isTagged, type Stored, storedKey, userKey } from '../../../src/core/index.ts'
import type { Edit } from '../../../src/tree/index.ts'

/** A scalar or tagged value. */
export interface PlainLeaf {
  readonly leaf: Stored
}
export type PlainMap = Map<string, Plain>
export type Plain = PlainLeaf | PlainMap | Plain[]

/** Says that an edit cannot be made, and why. */
export class PlainRefusal extends Error {
  readonly code: string
  constructor(code: string) {
    super(code)
    this.code = code
  }
}

/** Reads a stored value. */
export function plainOf(value: Stored): Plain {
  if (typeof value !== 'object' || value === null || isTagged(value)) return { leaf: value }
  if (Array.isArray(value)) return (value as readonly Stored[]).map(plainOf)
  return new Map(Object.entries(value).map(([key, child]) => [userKey(key), plainOf(child as Stored)]))
}

/** Writes a plain value in the stored form. */
export function storedOf(plain: Plain): Stored {
  if (Array.isArray(plain)) return plain.map(storedOf)
  if (!(plain instanceof Map)) return plain.leaf
  const map: { [key: string]: Stored } = Object.create(null)
  for (const [key, child] of plain) map[storedKey(key)] = storedOf(child)
  return map
}

/** The text of a plain value: equal for equal values. */
export function plainText(plain: Plain): string {
  return canonicalText(storedOf(plain))
}

/** The state after one edit; undefined when the edit takes away the root. The state handed in stays as it was. */
export function editedPlain(state: Plain | undefined, edit: Edit): Plain | undefined {
  if (edit.path.length === 0) return edit.op === 'delete' ? undefined : plainOf(edit.value)
  const root = state === undefined ? (new Map() as PlainMap) : plainOf(storedOf(state))
  let at: Plain = root
  for (const [n, segment] of edit.path.slice(0, -1).entries()) {
    const next: Plain | undefined = stepInto(at, segment, edit.op === 'delete', edit.path[n + 1] === '-')
    if (next === undefined) return state
    at = next
  }
  return finish(at, edit.path.at(-1)!, edit) ? root : state
}

/** The state after a batch; a root that is not a map at the end of it is refused. */
export function editedPlainBatch(state: Plain, edits: readonly Edit[]): Plain {
  let now: Plain | undefined = state
  for (const edit of edits) now = editedPlain(now, edit)
  if (!(now instanceof Map)) throw new PlainRefusal('root-not-a-map')
  return now
}

function stepInto(at: Plain, segment: string, isDelete: boolean, isAppendNext: boolean): Plain | undefined {
  if (at instanceof Map) {
    const next = at.get(segment)
    if (next !== undefined || isDelete) return next
    const made: Plain = isAppendNext ? [] : new Map()
    at.set(segment, made)
    return made
  }
  if (isDelete) return Array.isArray(at) && isIndex(segment) ? at[Number(segment)] : undefined
  if (!Array.isArray(at)) throw new PlainRefusal('path-blocked')
  if (!isIndex(segment)) throw new PlainRefusal('index-invalid')
  const next = at[Number(segment)]
  if (next === undefined) throw new PlainRefusal('index-out-of-range')
  return next
}

/** Makes the edit in its container; false when there is nothing to do. */
function finish(at: Plain, segment: string, edit: Edit): boolean {
  if (at instanceof Map) {
    if (edit.op === 'delete') return at.delete(segment)
    at.set(segment, plainOf(edit.value))
    return true
  }
  if (!Array.isArray(at)) {
    if (edit.op === 'delete') return false
    throw new PlainRefusal('path-blocked')
  }
  if (edit.op === 'delete') return isIndex(segment) && at.splice(Number(segment), 1).length === 1
  const value = plainOf(edit.value)
  if (segment === '-') return at.push(value) > 0
  if (!isIndex(segment)) throw new PlainRefusal('index-invalid')
  const index = Number(segment)
  if (index > at.length || (index === at.length && edit.op === 'set')) throw new PlainRefusal('index-out-of-range')
  at.splice(index, edit.op === 'set' ? 1 : 0, value)
  return true
}

export function isIndex(segment: string): boolean {
  return /^\d+$/.test(segment) && String(Number(segment)) === segment
}
