/**
 * Assigns the answers of a resume to interrupts.
 *
 * An answer becomes a fact only when the schema of its interrupt has accepted it. `false`, 0 and '' are answers. An answer
 * without an id is taken only when one interrupt is pending.
 */

import { graphError } from '../../errors.ts'
import type { Fact, GivenAnswer } from '../../model/run-protocol.ts'
import { pendingInterrupts } from './pending-interrupts.ts'

export interface Answer extends GivenAnswer {
  readonly id?: string | undefined
}

export interface Answers {
  /** For a resume without answers that passes the pauses before and after nodes: the answer to each of them. */
  readonly toPauses: GivenAnswer | undefined
  find(id: string): GivenAnswer | undefined
}

/** `isPauseSeen`: the caller has been shown the pauses, so a resume without answers is meant to pass them. */
export function answersFor(
  facts: readonly Fact[],
  given: readonly Answer[],
  isPauseSeen: boolean,
  by: string | undefined,
): Answers {
  const pending = pendingInterrupts(facts).map(({ id }) => id)
  const values = new Map<string, GivenAnswer>()
  for (const answer of given) {
    if (!isAnswer(answer)) throw graphError('answer-malformed', { given: String(answer) })
    const { id, value } = answer
    if (id === undefined && pending.length > 1) throw graphError('answer-ambiguous', { pending })
    const target = id ?? pending[0]
    if (target === undefined || !pending.includes(target)) {
      throw graphError('interrupt-unknown', { interrupt: id, pending })
    }
    if (values.has(target)) throw graphError('answer-invalid', { interrupt: target, reason: 'there are two of it.' })
    values.set(target, { value, ...claimOf(answer, by) })
  }
  const passesPauses = given.length === 0 && isPauseSeen
  return { toPauses: passesPauses ? { value: true, ...claimOf({}, by) } : undefined, find: id => values.get(id) }
}

/** Whose answer it is and why, as far as it is known. */
function claimOf({ by, reason }: Partial<Answer>, otherwise: string | undefined): Partial<GivenAnswer> {
  const who = by ?? otherwise
  return { ...(who === undefined ? {} : { by: who }), ...(reason === undefined ? {} : { reason }) }
}

/** A bare value is refused, because it would count as an object without an answer. */
function isAnswer(answer: unknown): answer is Answer {
  return typeof answer === 'object' && answer !== null && 'value' in answer
}
