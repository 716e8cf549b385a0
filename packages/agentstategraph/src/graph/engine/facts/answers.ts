/**
 * Which answer is for which interrupt.
 *
 * An answer is given before the run goes on and becomes a fact only when the node that asked has accepted it. False,
 * 0 and '' are answers; one that does not say what it answers is taken only when there is no doubt.
 */

import { graphError } from '../../errors.ts'
import type { Fact } from '../../model/run-protocol.ts'
import { pendingInterrupts } from './pending-interrupts.ts'

export interface Answer {
  readonly id?: string | undefined
  readonly value: unknown
}

export interface Answers {
  /** Whether going on without answers passes what only holds the run up. */
  readonly passesPauses: boolean
  find(id: string): { readonly value: unknown } | undefined
}

/** `isPauseSeen`: the caller has been shown what holds the run up, so that going on means to pass it. */
export function answersFor(facts: readonly Fact[], given: readonly Answer[], isPauseSeen: boolean): Answers {
  const pending = pendingInterrupts(facts).map(({ id }) => id)
  const values = new Map<string, { readonly value: unknown }>()
  for (const answer of given) {
    if (!isAnswer(answer)) throw graphError('answer-malformed', { given: String(answer) })
    const { id, value } = answer
    if (id === undefined && pending.length > 1) throw graphError('answer-ambiguous', { pending })
    const target = id ?? pending[0]
    if (target === undefined || !pending.includes(target)) {
      throw graphError('interrupt-unknown', { interrupt: id, pending })
    }
    if (values.has(target)) throw graphError('answer-invalid', { interrupt: target, reason: 'there are two of it.' })
    values.set(target, { value })
  }
  return { passesPauses: given.length === 0 && isPauseSeen, find: id => values.get(id) }
}

/** An answer that is given bare would be taken for none. */
function isAnswer(answer: unknown): answer is Answer {
  return typeof answer === 'object' && answer !== null && 'value' in answer
}
