/**
 * Sends a batch to a `KVStore` and finds out whether it was written, also when the answer is lost.
 *
 * The batch compares and sets a cell, and what it sets contains a fresh token. So the same batch can be sent again: of all
 * copies at most one is written, whenever they arrive. Once a copy finds the cell changed, no other copy can be written any
 * more, and the token tells whether one was.
 */
import { isStateError, randomId } from '../../core/index.ts'
import type { KVBatch, KVStore } from '../../store/contract/backend.ts'
import { backendError, reasonOf } from '../errors.ts'

/** How often a batch is sent before its outcome counts as unknown. */
const maxSends = 5

/** Makes the token of one write. */
export function newToken(): string {
  return randomId()
}

/** Whether the batch was written. After the answer `false`, `find` looks for its token in what is stored. */
export async function isWritten(
  store: KVStore,
  namespace: string,
  batch: KVBatch,
  find: () => Promise<boolean>,
): Promise<boolean> {
  let failure: unknown
  for (let sends = 0; sends < maxSends; sends++) {
    try {
      if (await store.batch(batch)) return true
    } catch (error) {
      // By contract nothing was written. That does not settle the copies sent before.
      if (sends === 0 && isStateError(error)) throw error
      failure = error
      continue
    }
    try {
      return await find()
    } catch (error) {
      failure = error
    }
  }
  throw backendError('outcome-unknown', { namespace, reason: reasonOf(failure) }, { cause: failure })
}
