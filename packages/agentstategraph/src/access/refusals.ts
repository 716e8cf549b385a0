/** What was refused: who, by what, in which minute and how often. */

import type { Repository } from '../face/index.ts'
import { type Listing, listingOf } from '../face/listing.ts'
import { currentAccess, type Handle, isAllowed, listRefusals, type RefusalCount } from '../repo/index.ts'
import type { Work } from '../store/index.ts'
import { run } from './run.ts'

export interface Refusals {
  /** Newest minute first. Everybody's for those who hold admin; others see their own. */
  refusals(filter?: { principal?: string | undefined; since?: Date | undefined }): Listing<RefusalCount>
}

export function refusalsOf({ handle }: Pick<Repository, 'handle'>): Refusals {
  return {
    refusals: ({ principal, since } = {}) =>
      listingOf(() => run(handle, undefined, listed(handle, principal, since?.getTime() ?? 0))),
  }
}

function* listed(handle: Handle, principal: string | undefined, since: number): Work<readonly RefusalCount[]> {
  const { by } = handle
  const state = yield* currentAccess(handle)
  const seesAll = by === undefined || (state !== undefined && (yield* isAllowed(state, by, { capability: 'admin' })))
  const refusals = yield* listRefusals(since)
  return refusals.filter(
    one => (principal === undefined || one.principal === principal) && (seesAll || one.principal === by?.principal),
  )
}
