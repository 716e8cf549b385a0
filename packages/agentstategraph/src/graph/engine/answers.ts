/**
 * Which answer is for which interrupt.
 *
 * An answer is given before the run goes on and becomes a fact only when the node that asked has accepted it. False,
 * 0 and '' are answers; one that does not say what it answers is taken only when there is no doubt.
 */

import { graphError } from '../errors.ts'
import type { Fact } from '../record.ts'

export interface Answer {
  readonly id?: string | undefined
  readonly value: unknown
}

export interface Answers {
  /** Whether going on without answers passes what only holds the run up. */
  readonly passesPauses: boolean
  find(id: string): { readonly value: unknown } | undefined
}

/** `isAtRest`: the run before this one stopped by itself, so its pauses have been shown to its caller. */
export function answersFor(facts: readonly Fact[], given: readonly Answer[], isAtRest: boolean): Answers {
  const pending = pendingIds(facts)
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
  return { passesPauses: given.length === 0 && isAtRest, find: id => values.get(id) }
}

/** An answer that is given bare would be taken for none. */
function isAnswer(answer: unknown): answer is Answer {
  return typeof answer === 'object' && answer !== null && 'value' in answer
}

function pendingIds(facts: readonly Fact[]): readonly string[] {
  const pending = new Set<string>()
  for (const fact of facts) {
    if (fact.kind === 'interrupt') pending.add(fact.id)
    else if (fact.kind === 'answer') pending.delete(fact.id)
  }
  return [...pending]
}
