/**
 * Whether a regular expression can backtrack exponentially.
 *
 * It can only if a loop can read one text in two ways: then a text of n such pieces can be read in 2ⁿ ways, and an engine that
 * backtracks may try them all. In the automaton that is a state from which two different paths with the same text lead back to
 * it. The pairs of states that two such paths reach together are searched for one.
 */

import { type CharSet, overlap } from './char-set.ts'
import { parsePattern, Unanalysable } from './parse-pattern.ts'
import { type Positions, positionsOf } from './positions.ts'

/** How many pairs of steps are looked at before an expression counts as one that cannot be analysed. */
const MOST_STEPS = 200_000

/** Why an expression, which the runtime accepts with the flag `u`, is not to be run; undefined when it may be. */
export function reasonAgainstRunning(source: string): string | undefined {
  try {
    const { pattern, looks } = parsePattern(source)
    const isDangerous = [pattern, ...looks].some(one => isAmbiguousLoop(positionsOf(one)))
    return isDangerous ? 'a loop in it can match one text in several ways, so that a search may never end' : undefined
  } catch (error) {
    if (error instanceof Unanalysable) return `${error.message}, so that nobody can tell how long a search takes`
    throw error
  }
}

function isAmbiguousLoop(positions: Positions): boolean {
  const component = componentsOf(positions.follow.map(ways => [...ways.keys()]))
  const steps = { left: MOST_STEPS }
  const seen = new Set<number>()
  for (const [state, number] of component.entries()) {
    if (seen.has(number)) continue
    seen.add(number)
    const inside = (to: number): boolean => component[to] === number
    if (hasTwoWays(positions, state, inside, steps)) return true
  }
  return positions.follow.some((ways, from) =>
    [...ways].some(([to, count]) => count > 1 && component[from] === component[to]),
  )
}

/** Whether two different paths with one text lead from a state back to it. */
function hasTwoWays(
  { sets, follow }: Positions,
  start: number,
  inside: (state: number) => boolean,
  steps: { left: number },
): boolean {
  const size = sets.length
  const before = new Map<number, number[]>()
  const origin = start * size + start
  const open = [origin]
  const known = new Set(open)
  const nextOf = (state: number): number[] => [...follow[state]!.keys()].filter(inside)
  for (const pair of open) {
    for (const a of nextOf(Math.floor(pair / size))) {
      for (const b of nextOf(pair % size)) {
        if (--steps.left < 0) throw new Unanalysable('it has too many alternatives inside loops')
        if (a !== b && !overlap(sets[a] as CharSet, sets[b] as CharSet)) continue
        const next = a * size + b
        const from = before.get(next)
        if (from === undefined) before.set(next, [pair])
        else from.push(pair)
        if (known.has(next)) continue
        known.add(next)
        open.push(next)
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
