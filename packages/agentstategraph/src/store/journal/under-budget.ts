/**
 * A journal for the calls of one operation, which have a budget together.
 *
 * It comes with the repository that the operation is given, so that no context has to follow the operation through everything
 * that it awaits. In all else it is the journal that was opened, and what is kept for a journal is kept for that one.
 */

import type { Budget } from '../contract/budget.ts'
import type { Work } from '../contract/work.ts'
import type { Runner } from './seen-journal.ts'

/** What an open journal has for operations with a budget; `J` is a journal. */
export interface Budgeted<J> {
  /** The journal as it was opened, where this one is for an operation. What is kept for a journal is kept for that. */
  readonly opened: J
  /** What the operation that it is for may cost. */
  readonly budget: Budget | undefined
  /** Runs work, and lets the event loop turn when that takes long. On a synchronous backend it begins at once. */
  run<T>(steps: Work<T>): Promise<T>
  /** The same journal for the calls of one operation. */
  under(budget: Budget): J
}

/** Adds to the parts of an open journal what makes the same one for an operation. */
export function withBudgets<J extends Budgeted<J>>(parts: Omit<J, keyof Budgeted<J>>, run: Runner): J {
  type Run = Budgeted<J>['run']
  const whole: Budgeted<J> = {
    get opened() {
      return journal
    },
    budget: undefined,
    run,
    under: budget => new UnderBudget(budget) as unknown as J,
  }
  const journal = Object.defineProperties(parts, Object.getOwnPropertyDescriptors(whole)) as J
  class UnderBudget {
    readonly budget: Budget
    readonly run: Run
    constructor(budget: Budget) {
      this.budget = budget
      this.run = steps => run(steps, budget)
    }
  }
  for (const name of Object.keys(journal) as (keyof J)[]) {
    if (name === 'budget' || name === 'run') continue
    Object.defineProperty(UnderBudget.prototype, name, {
      get: () => journal[name],
      set(value: never) {
        journal[name] = value
      },
    })
  }
  return journal
}
