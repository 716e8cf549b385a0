/**
 * Edits of a value that is in no tree yet: the later steps of a batch whose earlier ones set it whole.
 *
 * Works by copying what it changes, so that the values handed in stay as they were and a batch can be run again.
 */

import { formatPath, isTagged, type Stored, storedKey } from '../core/index.ts'
import type { Edit } from './edits.ts'
import { treeError, typeInWords } from './errors.ts'
import { listPlace } from './list-place.ts'

type StoredMap = { readonly [key: string]: Stored }

/** The value with one edit made below it. `depth` says how much of the edit's path leads to the value itself. */
export function editPlain(value: Stored | undefined, edit: Edit, depth: number): Stored | undefined {
  if (edit.path.length === depth) return edit.op === 'delete' ? undefined : edit.value
  if (value === undefined) {
    if (edit.op === 'delete') return undefined
    // An append makes the list that it appends to. The root is always a map.
    const empty = edit.path[depth] === '-' && depth > 0 ? [] : (Object.create(null) as StoredMap)
    return editPlain(empty, edit, depth)
  }
  if (typeof value !== 'object' || value === null || isTagged(value)) {
    if (edit.op === 'delete') return value
    throw treeError('path-blocked', {
      path: formatPath(edit.path),
      at: formatPath(edit.path.slice(0, depth)),
      type: typeInWords(value),
    })
  }
  return isList(value) ? editList(value, edit, depth) : editMap(value, edit, depth)
}

function isList(value: readonly Stored[] | StoredMap): value is readonly Stored[] {
  return Array.isArray(value)
}

function editMap(map: StoredMap, edit: Edit, depth: number): Stored {
  const key = storedKey(edit.path[depth]!)
  const next = editPlain(Object.hasOwn(map, key) ? map[key] : undefined, edit, depth + 1)
  const copy: { [key: string]: Stored } = Object.create(null)
  for (const other of Object.keys(map)) copy[other] = map[other]!
  if (next === undefined) delete copy[key]
  else copy[key] = next
  return copy
}

function editList(list: readonly Stored[], edit: Edit, depth: number): Stored {
  const place = listPlace(edit, depth, list.length)
  switch (place.kind) {
    case 'nothing':
      return list
    case 'insert':
      return list.toSpliced(place.index, 0, (edit as { readonly value: Stored }).value)
    case 'remove':
      return list.toSpliced(place.index, 1)
    case 'element':
      return list.with(place.index, editPlain(list[place.index], edit, depth + 1)!)
  }
}
