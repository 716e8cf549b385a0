/** Running work for a caller: refused when the repository is closed or the key has ended; decisions also when it is read-only. */

import type { Options } from '../core/index.ts'
import { accessError, assertWritable, currentAccess, type Handle, isKeyGood, repoError } from '../repo/index.ts'
import { type KeyOrder, keyedListing, type Listing } from '../repository/listing.ts'
import type { Work } from '../store/index.ts'

/** Runs work. An operation name means that it writes. */
export async function run<T>(handle: Handle, operation: string | undefined, work: Work<T>): Promise<T> {
  const { shared, journal } = handle
  if (shared.isClosed) throw repoError('closed', { what: 'The repository' })
  if (operation !== undefined) assertWritable(shared, operation)
  return journal.run(withKey(handle, work))
}

/** A listing of records, which are read when it is asked for. */
export function listingOf<T, O extends object>(
  handle: Handle,
  records: () => Work<readonly T[]>,
  order: KeyOrder<NoInfer<T>>,
  options?: Options<O>,
  filter?: O,
): Listing<T> {
  return keyedListing(() => run(handle, undefined, records()), order, options, filter)
}

/** By when they were made. */
export const byTime: KeyOrder<{ readonly time: string; readonly id: string }> = {
  key: ({ time, id }) => `${time} ${id}`,
}
export const byId: KeyOrder<{ readonly id: string }> = { key: ({ id }) => id }

/** A frozen principal may still read its own records and why it is frozen; an ended key may read nothing. */
function* withKey<T>(handle: Handle, work: Work<T>): Work<T> {
  const { identity } = handle
  if (identity?.key !== undefined) {
    const state = yield* currentAccess(handle)
    if (state === undefined || !(yield* isKeyGood(state, identity.key))) {
      throw accessError('key-ended', { principal: identity.principal, key: identity.key })
    }
  }
  return yield* work
}
