/**
 * Runs operations within what they may cost.
 *
 * The repositories of a host ask for the budget of the call under way, which follows the call through everything that it awaits.
 * A call that has spent it ends with `too-costly`. Events have no end, so they only take turns with other work.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { type Budget, newBudget } from 'agentstategraph'
import { eventLoop, isSpent, spentError } from 'agentstategraph/internal'
import type { Operation, OperationContext } from '../operations/operation.ts'
import type { Pace } from '../wire/pace/paced-value.ts'
import type { CallLimits } from './call-limits.ts'
import { pacedJson } from './paced-json.ts'

const budgets = new AsyncLocalStorage<Budget>()

/** Of work without a limit, which only takes turns with other work. It has nothing to be told apart by, so all share one. */
const unlimited = newBudget(Number.POSITIVE_INFINITY)

/** The budget of the call under way. */
export function budgetNow(): Budget {
  return budgets.getStore() ?? unlimited
}

/** On Node 20 and 22 the first limited call makes every later promise of the process slower, so unlimited ones leave nothing behind. */
function runUnder<T>(budget: Budget, work: () => T): T {
  return budget === unlimited && budgets.getStore() === undefined ? work() : budgets.run(budget, work)
}

/** Runs an operation. */
export async function runLimited(
  operation: Operation,
  limits: CallLimits,
  context: OperationContext,
  input: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  const budget = budgetOf(operation, limits)
  const result = await runUnder(budget, () => operation.run({ ...context, pace: paceOf(budget) }, input))
  return operation.stream === undefined ? result : itemsWithin(budget, result as AsyncIterable<unknown>)
}

/** Runs what is no operation, such as reading a resource, as one call. */
export function runAsCall<T>({ workMs }: CallLimits, work: (pace: Pace) => Promise<T>): Promise<T> {
  const budget = workMs === Number.POSITIVE_INFINITY ? unlimited : newBudget(workMs)
  return runUnder(budget, () => work(paceOf(budget)))
}

function budgetOf({ stream, cost }: Operation, { workMs, maintenanceMs }: CallLimits): Budget {
  if (stream === 'events') return unlimited
  const most = cost === 'maintenance' ? maintenanceMs : workMs
  if (most === Number.POSITIVE_INFINITY) return unlimited
  return cost === 'maintenance' ? newBudget(most, 'maintenance') : newBudget(most)
}

/** Spends the time since the last call, for work that no repository does. */
function paceOf(budget: Budget): () => Promise<void> {
  let began = performance.now()
  return async () => {
    budget.spentMs += performance.now() - began
    if (isSpent(budget)) throw spentError(budget)
    if (eventLoop.isTurnOver()) await eventLoop.nextTurn()
    began = performance.now()
  }
}

/** A stream works when it is asked for an item. */
function itemsWithin(budget: Budget, items: AsyncIterable<unknown>): AsyncIterable<unknown> {
  return {
    [Symbol.asyncIterator]() {
      const iterator = items[Symbol.asyncIterator]()
      return {
        next: () => runUnder(budget, () => iterator.next()),
        return: async () => (await iterator.return?.()) ?? { done: true, value: undefined },
      }
    },
  }
}

/** The text of an answer. That of a write has no limit, because its caller has to learn what was done. */
export function answerText({ effect }: Operation, { answerBytes }: CallLimits, result: unknown): Promise<string> {
  return pacedJson(result ?? {}, effect === 'read' ? answerBytes : Number.POSITIVE_INFINITY)
}
