/** One table of all codes, joined from the layers. */

import type { BackendErrors } from '../backends/errors.ts'
import { StateError as AnyStateError, type CoreErrors, isStateError as isAnyStateError } from '../core/index.ts'
import type { RepoErrors } from '../repo/index.ts'
import type { StoreErrors } from '../store/index.ts'
import type { TreeErrors } from '../tree/index.ts'

/** What each code carries. Codes are added, never renamed. */
export type StateErrorData = CoreErrors & TreeErrors & StoreErrors & RepoErrors & BackendErrors
export type StateErrorCode = keyof StateErrorData

export type StateError<C extends StateErrorCode = StateErrorCode> = C extends StateErrorCode
  ? AnyStateError<C, StateErrorData[C]>
  : never
export const StateError: typeof AnyStateError = AnyStateError

/** Narrows to a `StateError`, of any code or of the one given. */
export function isStateError<C extends StateErrorCode = StateErrorCode>(
  error: unknown,
  code?: C,
): error is StateError<C> {
  return isAnyStateError(error, code)
}
