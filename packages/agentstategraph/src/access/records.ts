/** Reading records of the access state, which does not exist before the first decision. */

import { type AccessState, accessError, accessValue } from '../repo/index.ts'
import type { Work } from '../store/index.ts'

export function* findRecord<T>(state: AccessState | undefined, path: readonly string[]): Work<T | undefined> {
  return state === undefined ? undefined : yield* accessValue<T>(state, path)
}

/** The records of a table, by name. */
export function* recordsIn<T>(
  state: AccessState | undefined,
  table: readonly string[],
): Work<readonly (readonly [name: string, record: T])[]> {
  return Object.entries((yield* findRecord<Readonly<Record<string, T>>>(state, table)) ?? {})
}

/** Throws `principal-unknown`. */
export function* assertPrincipal(state: AccessState | undefined, principal: string): Work<void> {
  const known = yield* findRecord(state, ['principals', principal])
  if (known === undefined) throw accessError('principal-unknown', { principal })
}
