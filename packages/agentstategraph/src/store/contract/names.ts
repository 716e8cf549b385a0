/** Names of namespaces, refs and idempotency keys: text that every backend can distinguish. */

import { isWellFormed, utf8Length } from '../../core/index.ts'
import { storeError } from '../errors.ts'

const MAX_BYTES = 512

/** Returns the name, or throws for one that some backend could mistake for another. */
export function checkedName(what: 'namespace' | 'ref' | 'idempotency key', name: string): string {
  if (name === '') throw storeError('name-invalid', { what, name, reason: 'it is empty' })
  if (!isWellFormed(name)) throw storeError('name-invalid', { what, name, reason: 'it contains a lone surrogate' })
  if (name.length * 3 > MAX_BYTES && utf8Length(name) > MAX_BYTES) {
    throw storeError('name-invalid', { what, name, reason: `it has more than ${MAX_BYTES} bytes` })
  }
  return name
}
