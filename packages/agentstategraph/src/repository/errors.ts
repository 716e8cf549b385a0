/** One table of all codes: joined from the layers below, and open for those above. */

import type { BackendErrors } from '../backends/errors.ts'
import {
  StateError as AnyStateError,
  type CoreErrors,
  isStateError as isAnyStateError,
  type ValueErrors,
} from '../core/index.ts'
import type { NodeErrors } from '../node/errors.ts'
import type { AccessErrors, RepoErrors } from '../repo/index.ts'
import type { StoreErrors } from '../store/index.ts'
import type { TreeErrors } from '../tree/index.ts'

/** What each code carries. Codes are added, never renamed. Each part of the library adds its own to this interface. */
export interface StateErrorData extends Codes {}

type Codes = CoreErrors &
  ValueErrors &
  TreeErrors &
  StoreErrors &
  RepoErrors &
  AccessErrors &
  BackendErrors &
  NodeErrors
/** Every code that a `StateError` can have. */
export type StateErrorCode = keyof StateErrorData

/** The one error class of the library: a stable `code`, typed `data`, and a `hint` that says what to do. */
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
