/** The result of a reducer. */

import { isWholeList } from '../../../core/index.ts'

/** A small change of one field; the path is below the field. `-` at its end appends to a list. */
export type FieldChange =
  | { readonly op: 'set'; readonly path: readonly string[]; readonly value: unknown }
  | { readonly op: 'delete'; readonly path: readonly string[] }

export interface Reduced {
  readonly value: unknown
  readonly changes: readonly FieldChange[]
}

/** `initial` is the initial value of the field, which `first` treats as not written. */
export type Reduce = (base: unknown, delta: unknown, initial: unknown) => Reduced

export function unchanged(value: unknown): Reduced {
  return { value, changes: [] }
}

/** The field is replaced as a whole. */
export function whole(value: unknown): Reduced {
  return { value, changes: [{ op: 'set', path: [], value }] }
}

/** The kind of a value, for messages. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value !== 'object') return value === undefined ? 'undefined' : `a ${typeof value}`
  const name = Object.prototype.toString.call(value).slice(8, -1)
  return name === 'Object' ? 'an object' : `a ${name}`
}

/** Throws unless a reducer was given a list. One with holes or other properties would lose them. */
export function assertList(reducer: string, given: unknown): asserts given is readonly unknown[] {
  if (!Array.isArray(given)) throw new TypeError(`${reducer} takes a list, and was given ${kindOf(given)}`)
  if (!isWholeList(given)) {
    throw new TypeError(`${reducer} takes a list, and was given one with holes or with other properties`)
  }
}
