/** What an idempotency key has done already. */

import { ask, type Work } from '../store/index.ts'
import { landedBy } from './access/proposal.ts'

/** The entry of the commit that a key has written; undefined when it was not used. Throws where it became a proposal. */
export function* findDone(idempotencyKey: string | undefined): Work<number | undefined> {
  if (idempotencyKey === undefined) return undefined
  const seq = yield* ask(log => log.key(idempotencyKey))
  return seq === null ? undefined : yield* landedBy(seq)
}
