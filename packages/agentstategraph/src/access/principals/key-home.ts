/** Finding the namespace of a key in a store that has many. */

import type { Backend } from '../../store/index.ts'
import { entryNameOf, findKey } from './key-text.ts'

/**
 * The namespace that a key was made in; undefined for a key that the store does not have.
 *
 * It takes one hash and one read, and opens no namespace. A key that has ended is found too: `authenticate` decides.
 */
export async function findKeyHome(store: Pick<Backend, 'namespace'>, key: string): Promise<string | undefined> {
  const parts = findKey(key)
  if (parts === undefined) return undefined
  const entry = await store.namespace(parts.namespace).key(entryNameOf(parts))
  return entry === null ? undefined : parts.namespace
}
