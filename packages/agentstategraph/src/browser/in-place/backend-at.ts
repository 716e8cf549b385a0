/** A text that names a store is the name of a database in IndexedDB. */

import { indexeddb } from '../../backends/indexeddb/indexeddb-backend.ts'
import type { Backend } from '../../store/contract/backend.ts'

/** The backend that `open` uses in a browser for a name. */
export function backendAt(name: string | URL, options: { readonly readOnly?: boolean } = {}): Backend {
  return indexeddb(String(name), options)
}
