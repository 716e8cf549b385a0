/**
 * Whether a regular expression can backtrack exponentially.
 *
 * It can only if a loop can read one text in two ways: then a text of n such pieces can be read in 2ⁿ ways, and an engine that
 * backtracks may try them all. In the automaton that is a state from which two different paths with the same text lead back to
 * it. The pairs of states that two such paths reach together are searched for one.
 *
 * Our matcher does not backtrack. Such an expression is refused all the same, because a schema is also run elsewhere.
 */

import { type Analysis, OutOfSteps, takeSteps } from './analysis.ts'
import { type CharSet, overlap } from './char-set.ts'
import type { ParsedPattern } from './parse-pattern.ts'
import { type Positions, positionsOf } from './positions.ts'

/** Whether the search finds, within its steps, that an expression can backtrack exponentially. */
export function canBacktrack({ pattern, looks }: ParsedPattern, analysis: Analysis): boolean {
  try {
    return [pattern, ...looks].some(one => isAmbiguousLoop(positionsOf(one, analysis), analysis))
  } catch (error) {
    if (error instanceof OutOfSteps) return false
    throw error
  }
}

function isAmbiguousLoop({ sets, follow }: Positions, analysis: Analysis): boolean {
  const component = componentsOf(follow.map(ways => [...ways.keys()]))
  const inside = follow.map((ways, from) => [...ways.keys()].filter(to => component[to] === component[from]))
  const seen = new Set<number>()
  for (const [state, number] of component.entries()) {
    if (seen.has(number)) continue
    seen.add(number)
    if (hasTwoWays(sets, inside, state, analysis)) return true
  }
  return follow.some((ways, from) => [...ways].some(([to, count]) => count > 1 && component[from] === component[to]))
}

/** Whether two different paths with one text lead from a state back to it. */
function hasTwoWays(
  sets: readonly CharSet[],
  follow: readonly (readonly number[])[],
  start: number,
  analysis: Analysis,
): boolean {
  const size = sets.length
  const before = new Map<number, number[]>()
  const origin = start * size + start
  const open = [origin]
  for (const pair of open) {
    for (const a of follow[Math.floor(pair / size)]!) {
      for (const b of follow[pair % size]!) {
        takeSteps(analysis)
        if (a !== b && !overlap(sets[a]!, sets[b]!)) continue
        const next = a * size + b
        const from = before.get(next)
        if (from !== undefined) from.push(pair)
        else {
          before.set(next, [pair])
          if (next !== origin) open.push(next)
        }
      }
    }
  }
  const back = new Set([origin])
  for (const pair of back) {
    if (Math.floor(pair / size) !== pair % size) return true
    for (const from of before.get(pair) ?? []) back.add(from)
  }
  return false
}

/** For each state, the number of its strongly connected component: those that lead to each other (Tarjan, without recursion). */
function componentsOf(edges: readonly (readonly number[])[]): readonly number[] {
  const component = edges.map(() => -1)
  const index = edges.map(() => -1)
  const low = edges.map(() => 0)
  const stack: number[] = []
  let count = 0
  let components = 0
  for (const root of edges.keys()) {
    if (index[root] !== -1) continue
    const path: { state: number; next: number }[] = [{ state: root, next: 0 }]
    while (path.length > 0) {
      const top = path.at(-1)!
      const { state } = top
      if (top.next === 0) {
        index[state] = low[state] = count++
        stack.push(state)
      }
      const to = edges[state]![top.next++]
      if (to !== undefined) {
        if (index[to] === -1) path.push({ state: to, next: 0 })
        else if (component[to] === -1) low[state] = Math.min(low[state]!, index[to]!)
        continue
      }
      path.pop()
      const parent = path.at(-1)
      if (parent !== undefined) low[parent.state] = Math.min(low[parent.state]!, low[state]!)
      if (low[state] !== index[state]) continue
      let member: number
      do {
        member = stack.pop()!
        component[member] = components
      } while (member !== state)
      components++
    }
  }
  return component
}
