/** What IndexedDB says when it fails, in the words of this layer. */

import { isStateError } from '../../core/index.ts'
import { backendError, reasonOf } from '../errors.ts'

/** Why a database cannot be opened. */
export function openFailure(name: string, error: unknown): Error {
  const [kind, reason] = [(error as Error | null)?.name, reasonOf(error)]
  if (kind === 'VersionError')
    return backendError('format-unsupported', { file: name, found: 2, supported: 1 }, { cause: error })
  return backendError('indexeddb-refused', { name, reason }, { cause: error })
}

/** The error of a transaction. */
export async function failureOf(name: string, error: unknown): Promise<Error> {
  if (isStateError(error)) return error
  if ((error as Error | null)?.name !== 'QuotaExceededError')
    return backendError('indexeddb-failed', { name, reason: reasonOf(error) }, { cause: error })
  // How much it may use is not told: what browsers estimate is not what they enforce.
  return backendError('quota-exceeded', { name, usedBytes: await usedBytes() }, { cause: error })
}

/** A page over plain http has no storage manager. */
async function usedBytes(): Promise<number> {
  const { storage } = navigator as { readonly storage?: StorageManager }
  return (await storage?.estimate().catch(() => undefined))?.usage ?? 0
}
