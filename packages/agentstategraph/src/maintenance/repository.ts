/** The arguments that maintenance functions share: a handle of an open repository, and a callback for progress. */

import { type Options, optionsOf } from '../core/index.ts'
import { currentAccess } from '../repo/access/access-state.ts'
import { assertMay } from '../repo/access/assert-may.ts'
import { assertWritable, type Handle, type OnProgress, repoError } from '../repo/index.ts'
import type { Repository } from '../repository/index.ts'
import type { Work } from '../store/index.ts'

export type { OnProgress }

/** Any repository or handle, whatever its state type. */
export type AnyRepository = Pick<Repository, 'handle'>

/** An option of long operations: a function that is called with their progress. */
export interface ProgressOptions {
  onProgress?: OnProgress | undefined
}

export function progressOptions(call: string): Options<ProgressOptions> {
  return optionsOf<ProgressOptions>(call, { onProgress: true })
}

/** The handle to read with. */
export function readable({ handle }: AnyRepository): Handle {
  if (handle.shared.isClosed) throw repoError('closed', { what: 'The repository' })
  return handle
}

/** The handle to write with. */
export function writable(repo: AnyRepository, operation: string): Handle {
  const handle = readable(repo)
  assertWritable(handle.shared, operation)
  return handle
}

/** Throws for a principal, which reaches one namespace: what concerns all namespaces of a store is for its operator. */
export async function assertOperator(handle: Handle, operation: string): Promise<void> {
  if (handle.identity !== undefined) throw repoError('operator-only', { operation })
  await handle.journal.run(assertAdmin(handle))
}

/**
 * Throws for a principal without `admin`, before anything is looked at. Of the operator nothing is asked, so nothing that may be damaged
 * is read.
 */
export function* assertMayAdminister(handle: Handle): Work<void> {
  if (handle.identity !== undefined) yield* assertAdmin(handle)
}

function* assertAdmin(handle: Handle): Work<void> {
  yield* assertMay(handle, yield* currentAccess(handle), { capability: 'admin' })
}
