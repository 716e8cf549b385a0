/** What the segment of a path means in a list: an index or "-". */

import { formatPath, isIndex } from '../../core/index.ts'
import { treeError } from '../errors.ts'
import type { Edit } from './edits.ts'

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
