/** What care takes: any handle of an open repository, of whatever state. */

import type { Repository } from '../face/index.ts'
import { assertWritable, type Handle, type OnProgress, repoError } from '../repo/index.ts'

export type { OnProgress }

export type AnyRepository = Pick<Repository, 'handle'>

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
