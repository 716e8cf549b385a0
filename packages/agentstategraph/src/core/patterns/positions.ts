/**
 * The automaton of a regular expression whose states are the characters in it (Glushkov): which of them may come first and last,
 * and in how many ways one may follow another. Two ways count as many.
 *
 * Places without width and look-arounds match everywhere here, so that the analysis finds too much rather than too little.
 */

import { type Analysis, takeSteps } from './analysis.ts'
import type { CharSet } from './char-set.ts'
import type { Pattern } from './parse-pattern.ts'

type Ways = Map<number, number>

export interface Positions {
  readonly sets: readonly CharSet[]
  /** For each character, those that may follow it, and in how many ways. */
  readonly follow: readonly Ways[]
}

interface Ends {
  readonly first: Ways
  readonly last: Ways
  /** In how many ways it matches the empty text. */
  readonly empty: number
}

/** Counted repetitions of more characters are taken for endless ones, which backtrack at least as much. */
const MOST_COUNTED = 100
const MANY = 2

export function positionsOf(pattern: Pattern, analysis: Analysis): Positions {
  const sets: CharSet[] = []
  const follow: Ways[] = []

  function build(node: Pattern): Ends {
    switch (node.kind) {
      case 'set':
        return position(node.set(analysis))
      case 'sequence':
        return node.parts.map(part => build(part)).reduce(joined, nothing)
      case 'choice':
        return node.parts.map(part => build(part)).reduce(either)
      case 'repeat':
        return repeated(node.part, node.min, node.max)
      default:
        return nothing
    }
  }
  function position(set: CharSet): Ends {
    takeSteps(analysis)
    const at: Ways = new Map([[sets.length, 1]])
    sets.push(set)
    follow.push(new Map())
    return { first: at, last: at, empty: 0 }
  }
  function connect(lasts: Ways, firsts: Ways): void {
    for (const [from, ways] of lasts) {
      for (const [to, more] of firsts) {
        takeSteps(analysis)
        add(follow[from]!, to, ways * more)
      }
    }
  }
  function joined(a: Ends, b: Ends): Ends {
    connect(a.last, b.first)
    return {
      first: sum(a.first, b.first, a.empty),
      last: sum(b.last, a.last, b.empty),
      empty: Math.min(MANY, a.empty * b.empty),
    }
  }
  function repeated(part: Pattern, min: number, max: number): Ends {
    if (max === 0) return nothing
    const isCounted = max !== Number.POSITIVE_INFINITY && max * sizeOf(part) <= MOST_COUNTED
    const least = isCounted || min * sizeOf(part) <= MOST_COUNTED ? min : 1
    let ends = nothing
    for (let n = 0; n < least - (isCounted ? 0 : 1); n++) ends = joined(ends, again(part))
    if (!isCounted) return joined(ends, endless(build(part), least))
    let rest = nothing
    for (let n = least; n < max; n++) rest = { ...joined(again(part), rest), empty: 1 }
    return joined(ends, rest)
  }
  /** A part without characters takes a step too, however often it is repeated. */
  function again(part: Pattern): Ends {
    takeSteps(analysis)
    return build(part)
  }
  /** An iteration of a loop does not match the empty text, so its empty ways are not taken. */
  function endless({ first, last, empty }: Ends, least: number): Ends {
    connect(last, first)
    return { first, last, empty: least === 0 ? 1 : empty }
  }
  build(pattern)
  return { sets, follow }
}

const nothing: Ends = { first: new Map(), last: new Map(), empty: 1 }

function either(a: Ends, b: Ends): Ends {
  return { first: sum(a.first, b.first, 1), last: sum(a.last, b.last, 1), empty: Math.min(MANY, a.empty + b.empty) }
}

function sum(a: Ways, b: Ways, times: number): Ways {
  if (times === 0) return a
  const all: Ways = new Map(a)
  for (const [position, ways] of b) add(all, position, ways * times)
  return all
}

function add(ways: Ways, position: number, more: number): void {
  ways.set(position, Math.min(MANY, (ways.get(position) ?? 0) + more))
}

function sizeOf(node: Pattern): number {
  if (node.kind === 'set') return 1
  if (node.kind === 'repeat')
    return sizeOf(node.part) * (Number.isFinite(node.max) ? Math.max(node.max, 1) : Math.max(node.min, 1))
  if (node.kind === 'place' || node.kind === 'look') return 0
  return node.parts.reduce((size, part) => size + sizeOf(part), 0)
}
