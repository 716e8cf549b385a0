/**
 * The refusal of a call to something that was closed.
 *
 * Here and not with the backends, because the memory backend of this layer needs it as much as those above do.
 */
import { errorsOf, type StateError } from '../../core/errors.ts'

export interface ClosedErrors {
  closed: { readonly what: string }
}

const error = errorsOf<ClosedErrors>({
  closed: ({ what }) => [`The ${what} is closed.`, 'Open it again, or close it only when nothing uses it any more.'],
})

/** The error for a call after `close`. */
export function closedError(what: string): StateError {
  return error('closed', { what })
}
