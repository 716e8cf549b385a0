/**
 * Runs operations within what they may cost.
 *
 * The repository that an operation is given carries the budget of the call. A call that has spent it ends with `too-costly`. Events
 * have no end, so they only take turns with other work, as does all that no operation asked for. A read whose caller has left has
 * nothing left to spend, so it ends too: work that nobody waits for must not keep a place from who asks next.
 */
import { type Budget, newBudget, type Repository } from 'agentstategraph'
import { eventLoop, isSpent, spentError } from 'agentstategraph/internal'
import type { Operation, OperationContext } from '../operations/operation.ts'
import type { Pace } from '../wire/pace/paced-value.ts'
import type { CallLimits } from './call-limits.ts'
import { pacedJson } from './paced-json.ts'

/** Of work without a limit, which only takes turns with other work. It has nothing to be told apart by, so all share one. */
export const unlimited = newBudget(Number.POSITIVE_INFINITY)

/** Runs an operation. When `left` aborts, the caller has left: a read ends, a write goes on. */
export async function runLimited(
  operation: Operation,
  limits: CallLimits,
  context: OperationContext,
  input: Readonly<Record<string, unknown>>,
  left?: AbortSignal,
): Promise<unknown> {
  const given = budgetOf(operation, limits)
  const mayEnd = operation.effect === 'read' && operation.stream === undefined
  const budget = left !== undefined && mayEnd ? endedBy(left, given) : given
  const pace = paceOf(budget)
  if (budget === unlimited) return operation.run({ ...context, pace }, input)
  const repo: OperationContext['repo'] = async (namespace, session) =>
    (await context.repo(namespace, session)).under(budget)
  return operation.run({ ...context, pace, repo }, input)
}

/** Runs what is no operation, such as reading a resource, as one call. */
export function runAsCall<T>(
  { workMs }: CallLimits,
  work: (pace: Pace, limited: (repo: Repository) => Repository) => Promise<T>,
): Promise<T> {
  const budget = workMs === Number.POSITIVE_INFINITY ? unlimited : newBudget(workMs)
  return work(paceOf(budget), repo => repo.under(budget))
}

function budgetOf({ stream, cost }: Operation, { workMs, maintenanceMs }: CallLimits): Budget {
  if (stream === 'events') return unlimited
  const most = cost === 'maintenance' ? maintenanceMs : workMs
  if (most === Number.POSITIVE_INFINITY) return unlimited
  return cost === 'maintenance' ? newBudget(most, 'maintenance') : newBudget(most)
}

/** A budget of which nothing is left when the signal aborts. */
function endedBy(left: AbortSignal, given: Budget): Budget {
  const budget = given === unlimited ? newBudget(Number.MAX_VALUE) : given
  const end = (): void => {
    budget.spentMs = Number.POSITIVE_INFINITY
  }
  if (left.aborted) end()
  else left.addEventListener('abort', end, { once: true })
  return budget
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

/** The text of an answer. That of a write has no limit, because its caller has to learn what was done. */
export function answerText({ effect }: Operation, { answerBytes }: CallLimits, result: unknown): Promise<string> {
  return pacedJson(result ?? {}, effect === 'read' ? answerBytes : Number.POSITIVE_INFINITY)
}
