/** Names of namespaces, refs and idempotency keys: text that every backend can distinguish. */

import { isWellFormed, utf8Length } from '../../core/index.ts'
import { storeError } from '../errors.ts'

const MAX_BYTES = 512

/** The namespace of who names none. It is always there. */
export const defaultNamespace = 'default'

/** Compares by code points, which is the order of the bytes of UTF-8: a surrogate comes after every other code unit. */
export function compareNames(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const [x, y] = [a.charCodeAt(i), b.charCodeAt(i)]
    if (x !== y) return rankOf(x) - rankOf(y)
  }
  return a.length - b.length
}

function rankOf(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit
}

/** Returns the name, or throws for one that some backend could mistake for another. */
export function checkedName(what: 'namespace' | 'ref' | 'idempotency key', name: string): string {
  if (name === '') throw storeError('name-invalid', { what, name, reason: 'it is empty' })
  if (!isWellFormed(name)) throw storeError('name-invalid', { what, name, reason: 'it contains a lone surrogate' })
  if (name.length * 3 > MAX_BYTES && utf8Length(name) > MAX_BYTES) {
    throw storeError('name-invalid', { what, name, reason: `it has more than ${MAX_BYTES} bytes` })
  }
  return name
}
