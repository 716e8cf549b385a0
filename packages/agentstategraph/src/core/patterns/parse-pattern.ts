/**
 * Reads a regular expression with the flag `u`, which the runtime has accepted.
 *
 * What the text decides (a back reference) is refused: no automaton can match it.
 */

import type { Analysis } from './analysis.ts'
import { type CharSet, complement, findClass, notLineEnd, propertySet, setOf, sorted } from './char-set.ts'

export type Pattern =
  | OneCharacter
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly Pattern[] }
  | { readonly kind: 'repeat'; readonly part: Pattern; readonly min: number; readonly max: number }
  | { readonly kind: 'place'; readonly place: Place }
  | Look

export interface OneCharacter {
  readonly kind: 'set'
  /** The characters that it matches, for comparison; of properties beyond the first planes it is an estimate. */
  readonly set: SetOf
  /** How it is written. */
  readonly source: string
}

export type SetOf = (analysis: Analysis) => CharSet

/** A place without width: the beginning, the end, between words, not between words. */
export type Place = '^' | '$' | 'b' | 'B'

export interface Look {
  readonly kind: 'look'
  readonly isBehind: boolean
  readonly isNegated: boolean
  readonly part: Pattern
}

export interface ParsedPattern {
  readonly pattern: Pattern
  /** What look-arounds look at. */
  readonly looks: readonly Pattern[]
}

/** Thrown for what no automaton can match, or only a very large one; `message` says what it is. */
export class Unmatchable extends Error {}

export function parsePattern(source: string): ParsedPattern {
  const parser = new Parser(source)
  return { pattern: parser.choice(), looks: parser.looks }
}

const DEEPEST = 200

class Parser {
  readonly #source: string
  readonly looks: Pattern[] = []
  #at = 0
  #depth = 0

  constructor(source: string) {
    this.#source = source
  }

  choice(): Pattern {
    const parts = [this.#sequence()]
    while (this.#take('|')) parts.push(this.#sequence())
    return parts.length === 1 ? parts[0]! : { kind: 'choice', parts }
  }

  #sequence(): Pattern {
    const parts: Pattern[] = []
    while (this.#at < this.#source.length && !'|)'.includes(this.#source[this.#at]!)) parts.push(this.#quantified())
    return parts.length === 1 ? parts[0]! : { kind: 'sequence', parts }
  }

  #quantified(): Pattern {
    const part = this.#atom()
    const [text, min, comma, max] = this.#match(/(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/y) ?? []
    if (text === undefined) return part
    if (text[0] === '*') return { kind: 'repeat', part, min: 0, max: Number.POSITIVE_INFINITY }
    if (text[0] === '+') return { kind: 'repeat', part, min: 1, max: Number.POSITIVE_INFINITY }
    if (text[0] === '?') return { kind: 'repeat', part, min: 0, max: 1 }
    const most = max !== '' ? Number(max) : comma === '' ? Number(min) : Number.POSITIVE_INFINITY
    return { kind: 'repeat', part, min: Number(min), max: most }
  }

  #atom(): Pattern {
    const [place] = this.#match(/\^|\$|\\[bB]/y) ?? []
    if (place !== undefined) return { kind: 'place', place: place.at(-1) as Place }
    if (this.#take('(')) return this.#group()
    if (this.#match(/\\(?:[1-9]|k)/y) !== undefined) throw new Unmatchable('it refers back to what a group matched')
    const from = this.#at
    const set = this.#set()
    return { kind: 'set', set, source: this.#source.slice(from, this.#at) }
  }

  #set(): SetOf {
    if (this.#take('.')) return () => notLineEnd
    if (this.#take('[')) return this.#class()
    if (this.#match(/\\[dDwWsSpP]/y) !== undefined) return this.#classEscape()
    const code = this.#character()
    return () => setOf([code])
  }

  #group(): Pattern {
    const [, behind, sign] = this.#match(/\?(<?)([=!])/y) ?? []
    const isLook = sign !== undefined
    const isPlain = isLook || this.#match(/\?(?::|<[^>]*>)/y) !== undefined || this.#source[this.#at] !== '?'
    if (!isPlain) throw new Unmatchable('it has a group with modifiers')
    if (++this.#depth > DEEPEST) throw new Unmatchable('its groups are nested too deep')
    const part = this.choice()
    this.#depth--
    this.#take(')')
    if (!isLook) return part
    this.looks.push(part)
    return { kind: 'look', isBehind: behind === '<', isNegated: sign === '!', part }
  }

  /** After the letter of a class was read. */
  #classEscape(): SetOf {
    const letter = this.#source[this.#at - 1]!
    const known = findClass(letter)
    if (known !== undefined) return () => known
    const [braces] = this.#match(/\{[^}]*\}/y) ?? ['']
    return analysis => {
      const set = propertySet(`\\p${braces}`, analysis)
      return letter === 'p' ? set : complement(set)
    }
  }

  /** After the opening bracket. */
  #class(): SetOf {
    const isNegated = this.#take('^')
    const ranges: (readonly [number, number])[] = []
    const sets: SetOf[] = []
    while (!this.#take(']')) {
      if (this.#match(/\\[dDwWsSpP]/y) !== undefined) {
        sets.push(this.#classEscape())
        continue
      }
      const from = this.#match(/\\b/y) === undefined ? this.#character() : 0x08
      const isRange = this.#match(/-(?!\])/y) !== undefined
      ranges.push([from, isRange ? this.#character() : from])
    }
    return analysis => {
      const set = sorted([...ranges, ...sets.flatMap(one => one(analysis))])
      return isNegated ? complement(set) : set
    }
  }

  /** The code of one character, which may be escaped. */
  #character(): number {
    const [, pair, long] = this.#match(/\\u(?:([dD][89abAB]..\\u[dD][c-fC-F]..)|\{([^}]*)\})/y) ?? []
    if (long !== undefined) return Number.parseInt(long, 16)
    if (pair !== undefined) {
      const [high, low] = [pair.slice(0, 4), pair.slice(-4)].map(hex => Number.parseInt(hex, 16))
      return String.fromCharCode(high!, low!).codePointAt(0)!
    }
    const [, hex = ''] = this.#match(/\\(?:x(..)|u(....))/y)?.filter(found => found !== undefined) ?? []
    if (hex !== '') return Number.parseInt(hex, 16)
    const [, control] = this.#match(/\\c(.)/y) ?? []
    if (control !== undefined) return control.charCodeAt(0) % 32
    const [, escaped] = this.#match(/\\(.)/y) ?? []
    if (escaped !== undefined) return controls.get(escaped) ?? escaped.codePointAt(0)!
    const code = this.#source.codePointAt(this.#at)!
    this.#at += String.fromCodePoint(code).length
    return code
  }

  #take(character: string): boolean {
    if (this.#source[this.#at] !== character) return false
    this.#at++
    return true
  }

  /** What a sticky expression matches here, which is then read. */
  #match(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.#at
    const found = expression.exec(this.#source)
    if (found === null) return undefined
    this.#at += found[0].length
    return found
  }
}

const controls: ReadonlyMap<string, number> = new Map([
  ['t', 0x09],
  ['n', 0x0a],
  ['v', 0x0b],
  ['f', 0x0c],
  ['r', 0x0d],
  ['0', 0x00],
])
