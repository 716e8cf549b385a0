/** Whether a repository may be written to, and why not. */

import { repoError } from './errors.ts'
import type { Shared } from './handle.ts'

/** Throws when an operation that writes is not for this repository. */
export function assertWritable({ isReadOnly, fault }: Shared, operation: string): void {
  if (fault !== undefined) throw repoError(fault.code, fault.data as never)
  if (isReadOnly) throw repoError('read-only', { operation })
}
