/** How much work is spent on the expressions of one schema before any text is matched. */

export interface Analysis {
  /** How many steps the search for dangerous loops may still take. */
  steps: number
  /** How many states their automata may still have. */
  states: number
}

export function newAnalysis(): Analysis {
  return { steps: 20_000, states: 50_000 }
}

/** Thrown when the search for dangerous loops has taken all its steps. */
export class OutOfSteps extends Error {}

export function takeSteps(analysis: Analysis, count = 1): void {
  analysis.steps -= count
  if (analysis.steps < 0) throw new OutOfSteps()
}
