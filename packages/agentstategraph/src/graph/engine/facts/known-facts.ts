/** The facts since the last step, found by task. */

import { getOrAdd } from '../../model/get-or-add.ts'
import type {
  Amendment,
  AnsweredInterrupt,
  Fact,
  GivenAnswer,
  Interrupt,
  TaskKey,
  TaskResult,
} from '../../model/run-protocol.ts'
import { invalidateResults, isRefused } from './invalidate-results.ts'
import { inAddressOrder } from './task-address.ts'

export class KnownFacts {
  readonly #results = new Map<TaskKey, TaskResult>()
  readonly #amendments = new Map<TaskKey, Amendment[]>()
  readonly #effects = new Map<TaskKey, Map<string, { readonly value: unknown }>>()
  readonly #interrupts = new Map<TaskKey, Interrupt[]>()
  readonly #answers = new Map<string, GivenAnswer>()

  add(fact: Fact): void {
    if (fact.kind === 'task') this.#results.set(fact.task, fact)
    else if (fact.kind === 'amend') getOrAdd(this.#amendments, fact.task, () => []).push(fact)
    else if (fact.kind === 'once') {
      getOrAdd(this.#effects, fact.task, () => new Map()).set(fact.name, { value: fact.value })
    } else if (fact.kind === 'interrupt') getOrAdd(this.#interrupts, fact.task, () => []).push(fact)
    else if (fact.kind === 'answer') {
      const { kind: _, id, ...answer } = fact
      this.#answers.set(id, answer)
    } else if (isRefused(fact)) invalidateResults(this.#results, fact.task)
  }

  clear(): void {
    const all = [this.#results, this.#amendments, this.#effects, this.#interrupts, this.#answers]
    for (const map of all) if (map.size > 0) map.clear()
  }

  findResult(task: TaskKey): TaskResult | undefined {
    return this.#results.get(task)
  }

  findAmendments(task: TaskKey): readonly Amendment[] | undefined {
    return this.#amendments.get(task)
  }

  findEffect(task: TaskKey, name: string): { readonly value: unknown } | undefined {
    return this.#effects.get(task)?.get(name)
  }

  /** The n-th interrupt of a task, from 0. */
  findInterrupt(task: TaskKey, ordinal: number): Interrupt | undefined {
    return this.#interrupts.get(task)?.[ordinal]
  }

  findAnswer(id: string): GivenAnswer | undefined {
    return this.#answers.get(id)
  }

  /** The answered interrupts, in the order of the addresses of their tasks. */
  answered(): readonly AnsweredInterrupt[] {
    if (this.#answers.size === 0) return []
    const inOrder = [...this.#interrupts].sort(([a], [b]) => inAddressOrder(a, b))
    return inOrder.flatMap(([, interrupts]) =>
      interrupts.flatMap(({ id, node, payload: question }) => {
        const answer = this.#answers.get(id)
        return answer === undefined ? [] : [{ node, question, ...answer }]
      }),
    )
  }

  /** Whether a task, or a task of a graph inside it, has an interrupt. */
  hasInterrupt(task: TaskKey): boolean {
    return [...this.#interrupts.keys()].some(key => key === task || key.startsWith(`${task}>`))
  }
}
