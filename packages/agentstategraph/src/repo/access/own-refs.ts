/** The refs that access keeps for itself: they stay in their store, and nothing that comes from elsewhere moves them. */

import { ratePrefix } from '../records/rate-ref.ts'
import { accessRef } from './access-state.ts'
import { proposalPrefix } from './proposal.ts'

/** How their names begin. */
export const ownRefs: readonly string[] = [accessRef, proposalPrefix, ratePrefix]
