/** Running work for a caller: refused when the repository is closed or the key has ended; decisions also when it is read-only. */

import { accessError, assertWritable, currentAccess, type Handle, isKeyGood, repoError } from '../repo/index.ts'
import type { Work } from '../store/index.ts'

/** Runs work. An operation name means that it writes. */
export async function run<T>(handle: Handle, operation: string | undefined, work: Work<T>): Promise<T> {
  const { shared, journal } = handle
  if (shared.isClosed) throw repoError('closed', { what: 'The repository' })
  if (operation !== undefined) assertWritable(shared, operation)
  return journal.run(withKey(handle, work))
}

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
