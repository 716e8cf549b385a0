/** The API of recorded refusals. */

import { checkedMoment, optionsOf } from '../../core/index.ts'
import { currentAccess, type Handle, isAllowed, listRefusals, type RefusalCount } from '../../repo/index.ts'
import type { Repository } from '../../repository/index.ts'
import { compareTexts, type KeyOrder, type Listing } from '../../repository/listing.ts'
import type { Work } from '../../store/index.ts'
import { listingOf } from '../run.ts'

export interface Refusals {
  /** Newest minute first. With admin those of all principals, otherwise only the own ones. */
  refusals(filter?: RefusalFilter): Listing<RefusalCount>
}

/** Options of `refusals`. */
export interface RefusalFilter {
  principal?: string | undefined
  since?: Date | undefined
}

const refusalsOptions = optionsOf<RefusalFilter>('refusals', { principal: true, since: true })

/** The newest minute first, then by principal and rule. */
const newestFirst: KeyOrder<RefusalCount> = {
  key: ({ minute, principal, rule }) => JSON.stringify([minute, principal, rule]),
  compare(a, b) {
    const [[minuteA, ...restA], [minuteB, ...restB]] = [JSON.parse(a), JSON.parse(b)] as [string[], string[]]
    return compareTexts(minuteB!, minuteA!) || compareTexts(restA.join('\n'), restB.join('\n'))
  },
}

export function refusalsOf({ handle }: Pick<Repository, 'handle'>): Refusals {
  return {
    refusals: (filter = {}) =>
      listingOf(
        handle,
        () => listed(handle, filter.principal, filter.since === undefined ? 0 : checkedMoment('since', filter.since)),
        newestFirst,
        refusalsOptions,
        filter,
      ),
  }
}

function* listed(handle: Handle, principal: string | undefined, since: number): Work<readonly RefusalCount[]> {
  const { identity } = handle
  const state = yield* currentAccess(handle)
  const seesAll =
    identity === undefined || (state !== undefined && (yield* isAllowed(state, identity, { capability: 'admin' })))
  const refusals = yield* listRefusals(since)
  return refusals.filter(
    one =>
      (principal === undefined || one.principal === principal) && (seesAll || one.principal === identity?.principal),
  )
}
