/** Authorization of a decision about access, by the state that the decision lands on. */

import type { Work } from '../../store/index.ts'
import type { Handle } from '../handle.ts'
import { accessError } from '../records/access-errors.ts'
import type { GrantRecord } from '../records/access-record.ts'
import type { AccessState } from '../records/accessor.ts'
import type { AccessRequest } from '../records/capability.ts'
import { authorityFor } from './gate.ts'
import { noteRefusal } from './refusals.ts'

/**
 * The grants that allow a request, root first; none for the operator. A refusal is recorded and thrown.
 *
 * Without a request it still refuses a frozen principal and a key that has ended.
 */
export function* assertMay(
  handle: Handle,
  state: AccessState | undefined,
  request: AccessRequest | undefined,
): Work<readonly GrantRecord[]> {
  const { identity, proposes } = handle
  try {
    if (proposes === true && request !== undefined && request.capability !== 'read') {
      throw accessError('proposal-impossible', { what: `The capability ${request.capability}` })
    }
    if (state !== undefined) return yield* authorityFor(state, identity, request === undefined ? [] : [request])
    if (identity === undefined) return []
    throw accessError('principal-unknown', { principal: identity.principal })
  } catch (error) {
    throw yield* noteRefusal(handle, error)
  }
}
