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
  /** Whether somebody went on without answering anything: what only holds the run up is then passed. */
  readonly isNone: boolean
  find(id: string): { readonly value: unknown } | undefined
}

export function answersFor(facts: readonly Fact[], given: readonly Answer[]): Answers {
  const pending = pendingIds(facts)
  const values = new Map<string, { readonly value: unknown }>()
  for (const { id, value } of given) {
    if (id === undefined && pending.length > 1) throw graphError('answer-ambiguous', { pending })
    const target = id ?? pending[0]
    if (target === undefined || !pending.includes(target)) {
      throw graphError('interrupt-unknown', { interrupt: id, pending })
    }
    values.set(target, { value })
  }
  return { isNone: given.length === 0, find: id => values.get(id) }
}

function pendingIds(facts: readonly Fact[]): readonly string[] {
  const pending = new Set<string>()
  for (const fact of facts) {
    if (fact.kind === 'interrupt') pending.add(fact.id)
    else if (fact.kind === 'answer') pending.delete(fact.id)
  }
  return [...pending]
}
