/** The arguments that maintenance functions share: a handle of an open repository, and a callback for progress. */

import { type Options, optionsOf } from '../core/index.ts'
import { assertWritable, type Handle, type OnProgress, repoError } from '../repo/index.ts'
import type { Repository } from '../repository/index.ts'

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
