/**
 * Reads a regular expression with the flag `u`, which the runtime has accepted, for the analysis of how it backtracks.
 *
 * Places without width (`^`, `$`, `\b`) match everywhere here, so that the analysis finds too much rather than too little. What
 * a look-around looks at is an expression of its own. What the text decides (a back reference) cannot be analysed.
 */

import { type CharSet, complement, findClass, notLineEnd, propertySet, setOf, sorted } from './char-set.ts'

export type Pattern =
  | { readonly kind: 'set'; readonly set: CharSet }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly Pattern[] }
  | { readonly kind: 'repeat'; readonly part: Pattern; readonly min: number; readonly max: number }

export interface ParsedPattern {
  readonly pattern: Pattern
  /** What look-arounds look at. */
  readonly looks: readonly Pattern[]
}

/** Thrown for what cannot be analysed; `message` says what it is. */
export class Unanalysable extends Error {}

const nothing: Pattern = { kind: 'sequence', parts: [] }

export function parsePattern(source: string): ParsedPattern {
  const parser = new Parser(source)
  return { pattern: parser.choice(), looks: parser.looks }
}

class Parser {
  readonly #source: string
  readonly looks: Pattern[] = []
  #at = 0

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
    if (this.#take('^') || this.#take('$')) return nothing
    if (this.#take('.')) return { kind: 'set', set: notLineEnd }
    if (this.#take('(')) return this.#group()
    if (this.#take('[')) return { kind: 'set', set: this.#class() }
    if (this.#match(/\\[bB]/y) !== undefined) return nothing
    if (this.#match(/\\(?:[1-9]|k)/y) !== undefined) throw new Unanalysable('it refers back to what a group matched')
    const set = this.#match(/\\[dDwWsSpP]/y) === undefined ? undefined : this.#classEscape()
    return { kind: 'set', set: set ?? setOf([this.#character()]) }
  }

  #group(): Pattern {
    const isLook = this.#match(/\?<?[=!]/y) !== undefined
    const isPlain = isLook || this.#match(/\?(?::|<[^>]*>)/y) !== undefined || this.#source[this.#at] !== '?'
    if (!isPlain) throw new Unanalysable('it has a group with modifiers')
    const inside = this.choice()
    this.#take(')')
    if (!isLook) return inside
    this.looks.push(inside)
    return nothing
  }

  /** After the letter of a class was read. */
  #classEscape(): CharSet {
    const letter = this.#source[this.#at - 1]!
    const known = findClass(letter)
    if (known !== undefined) return known
    const [braces] = this.#match(/\{[^}]*\}/y) ?? ['']
    const set = propertySet(`\\p${braces}`)
    return letter === 'p' ? set : complement(set)
  }

  /** After the opening bracket. */
  #class(): CharSet {
    const isNegated = this.#take('^')
    const ranges: (readonly [number, number])[] = []
    while (!this.#take(']')) {
      if (this.#match(/\\[dDwWsSpP]/y) !== undefined) {
        for (const range of this.#classEscape()) ranges.push(range)
        continue
      }
      const from = this.#match(/\\b/y) === undefined ? this.#character() : 0x08
      const isRange = this.#match(/-(?!\])/y) !== undefined
      ranges.push([from, isRange ? this.#character() : from])
    }
    const set = sorted(ranges)
    return isNegated ? complement(set) : set
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
