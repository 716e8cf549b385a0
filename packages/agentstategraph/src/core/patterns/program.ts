/**
 * The automaton of a regular expression as a list of states, each with the states that come after it (Thompson). It reads a text
 * forwards, or backwards for what looks ahead.
 */

import type { Analysis } from './analysis.ts'
import { type Look, type OneCharacter, type Pattern, type Place, Unmatchable } from './parse-pattern.ts'

export type State =
  | Characters
  | { readonly kind: 'place'; readonly place: Place; readonly next: number }
  | { readonly kind: 'look'; readonly look: Look; readonly next: number }
  | { readonly kind: 'ways'; readonly next: readonly number[] }
  | { readonly kind: 'end' }

/** Reads from `min` to `max` characters of a set. */
export interface Characters {
  readonly kind: 'characters'
  readonly has: HasCharacter
  readonly min: number
  readonly max: number
  readonly next: number
}

type HasCharacter = (code: number) => boolean

export interface Program {
  readonly states: readonly State[]
  readonly start: number
  readonly isForward: boolean
}

/** Repetitions are written out, except those of one character. */
const MOST_STATES = 10_000

export function programOf(pattern: Pattern, isForward: boolean, analysis?: Analysis): Program {
  const states: State[] = []
  const sets = new Map<string, HasCharacter>()

  function add(state: State): number {
    if (analysis !== undefined) analysis.states--
    if (states.length >= MOST_STATES || (analysis !== undefined && analysis.states < 0))
      throw new Unmatchable('it is too long with its repetitions written out')
    return states.push(state) - 1
  }
  /** Adds the states of a part that goes on at `next`; gives the first of them. */
  function build(node: Pattern, next: number): number {
    switch (node.kind) {
      case 'set':
        return add(characters(node, 1, 1, next))
      case 'place':
        return add({ kind: 'place', place: node.place, next })
      case 'look':
        return add({ kind: 'look', look: node, next })
      case 'choice':
        return add({ kind: 'ways', next: node.parts.map(part => build(part, next)) })
      case 'sequence':
        return isForward
          ? node.parts.reduceRight((after, part) => build(part, after), next)
          : node.parts.reduce((after, part) => build(part, after), next)
      case 'repeat':
        return repeat(node.part, node.min, node.max, next)
    }
  }
  function repeat(part: Pattern, min: number, max: number, next: number): number {
    if (max === 0) return next
    if (part.kind === 'set') return add(characters(part, min, max, next))
    let first = next
    if (max === Number.POSITIVE_INFINITY) {
      const ways: number[] = [next]
      first = add({ kind: 'ways', next: ways })
      ways.push(build(part, first))
    } else {
      for (let n = min; n < max; n++) first = add({ kind: 'ways', next: [next, build(part, first)] })
    }
    for (let n = 0; n < min; n++) {
      const before = build(part, first)
      // A part without states may be repeated at no cost, as often as it is.
      if (before === first) break
      first = before
    }
    return first
  }
  function characters({ source }: OneCharacter, min: number, max: number, next: number): State {
    const has = sets.get(source) ?? hasCharacter(source)
    sets.set(source, has)
    return { kind: 'characters', has, min, max, next }
  }
  return { start: build(pattern, add({ kind: 'end' })), states, isForward }
}

const ASCII = 128

/** Whether a set has a character, as the runtime decides it. */
function hasCharacter(source: string): HasCharacter {
  let expression: RegExp | undefined
  const known: boolean[] = []
  return code => {
    const before = known[code]
    if (before !== undefined) return before
    expression ??= new RegExp(`^(?:${source})$`, 'u')
    const has = expression.test(String.fromCodePoint(code))
    if (code < ASCII) known[code] = has
    return has
  }
}
