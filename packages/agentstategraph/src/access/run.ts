/**
 * Doing work for a caller: not in a repository that is closed, not for one whose key is over, and decisions not in one that is
 * read-only.
 */

import { accessError, assertWritable, currentAccess, type Handle, isKeyGood, repoError } from '../repo/index.ts'
import type { Work } from '../store/index.ts'

/** Runs work. With an operation it is a decision, which writes. */
export async function run<T>(handle: Handle, operation: string | undefined, work: Work<T>): Promise<T> {
  const { shared, journal } = handle
  if (shared.isClosed) throw repoError('closed', { what: 'The repository' })
  if (operation !== undefined) assertWritable(shared, operation)
  return journal.run(withKey(handle, work))
}

/** Who is frozen may still see what is his, and why he is; a key that is over shows nothing. */
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
