/**
 * Matches texts with a regular expression in time that grows with the length of the text alone, because it does not backtrack:
 * all ways to read the text are followed side by side, one character at a time.
 *
 * Only whether a text matches is told. What a look-around says is decided for every place of the text beforehand.
 */

import { type Analysis, newAnalysis } from './analysis.ts'
import { canBacktrack } from './backtracking.ts'
import { type Look, type Place, parsePattern, Unmatchable } from './parse-pattern.ts'
import { type Characters, type Program, programOf, type State } from './program.ts'

/** Matches texts. It yields now and then, where its caller may pause. */
export type Matcher = (text: string) => Generator<void, boolean>

interface Compiled extends Program {
  /** The look-arounds in it, each with a program of its own that tells where it holds. */
  readonly looks: readonly (readonly [look: Look, program: Compiled])[]
}

/** Why an expression, which the runtime accepts with the flag `u`, is refused; undefined when it may be matched. */
export function reasonAgainstMatching(source: string, analysis: Analysis = newAnalysis()): string | undefined {
  try {
    const parsed = parsePattern(source)
    compiled(programOf(parsed.pattern, true, analysis), analysis)
    const reason = 'a loop in it can match one text in several ways, so that a search may never end'
    return canBacktrack(parsed, analysis) ? reason : undefined
  } catch (error) {
    if (error instanceof Unmatchable) return error.message
    throw error
  }
}

/** Makes the matcher of an expression that is not refused. */
export function matcherOf(source: string): Matcher {
  const { pattern } = parsePattern(source)
  const program = compiled(programOf(pattern, true))
  return function* matches(text) {
    return yield* run(program, yield* codesOf(text))
  }
}

/** The characters of a text, by their codes. */
function* codesOf(text: string): Generator<void, Codes> {
  const codes = new Uint32Array(text.length)
  let count = 0
  for (let at = 0; at < text.length; count++) {
    const code = text.codePointAt(at)!
    codes[count] = code
    at += code > 0xffff ? 2 : 1
    if (count % CHARACTERS_BETWEEN === CHARACTERS_BETWEEN - 1) yield
  }
  return codes.subarray(0, count)
}

type Codes = Uint32Array

const CHARACTERS_BETWEEN = 200_000

function compiled(program: Program, analysis?: Analysis): Compiled {
  const looks = program.states.flatMap(state => (state.kind === 'look' ? [state.look] : []))
  return {
    ...program,
    looks: [...new Set(looks)].map(
      look => [look, compiled(programOf(look.part, look.isBehind, analysis), analysis)] as const,
    ),
  }
}

/** How many states are visited between two places where the caller may pause. */
const STEPS_BETWEEN = 20_000

/**
 * Whether the program reads a part of a text. With `ends`, the whole text is read, and every place is noted where such a part
 * ends.
 */
function* run(program: Compiled, codes: Codes, ends?: Uint8Array): Generator<void, boolean> {
  const holds = new Map<Look, Uint8Array>()
  for (const [look, inside] of program.looks) {
    const found = new Uint8Array(codes.length + 1)
    yield* run(inside, codes, found)
    holds.set(look, found)
  }
  const reading = new Reading(program, codes, holds)
  for (let read = 0; ; read++) {
    reading.enter(program.start)
    if (reading.hasEnded) {
      if (ends === undefined) return true
      ends[reading.at] = 1
    }
    if (read === codes.length) return false
    reading.read()
    if (reading.steps < STEPS_BETWEEN) continue
    reading.steps = 0
    yield
  }
}

/** All ways in which a program reads a text, at one place of it. */
class Reading {
  readonly #states: readonly State[]
  readonly #codes: Codes
  readonly #holds: ReadonlyMap<Look, Uint8Array>
  readonly #isForward: boolean
  /** The states that wait for a character. */
  #open: number[] = []
  /** For each state, the place at which it was last entered, and last opened, so that neither is done twice. */
  readonly #entered: Int32Array
  readonly #opened: Int32Array
  /** For each state that repeats a character, the places where runs that go on began, the oldest first. */
  readonly #began: number[][] = []
  at: number
  /** Whether a part of the text ends here. */
  hasEnded = false
  steps = 0

  constructor({ states, isForward }: Program, codes: Codes, holds: ReadonlyMap<Look, Uint8Array>) {
    this.#states = states
    this.#codes = codes
    this.#holds = holds
    this.#isForward = isForward
    this.#entered = new Int32Array(states.length).fill(-1)
    this.#opened = new Int32Array(states.length).fill(-1)
    this.at = isForward ? 0 : codes.length
  }

  /** Enters a state, and those after it that need no character. */
  enter(first: number): void {
    const waiting = [first]
    for (let number = waiting.pop(); number !== undefined; number = waiting.pop()) {
      this.steps++
      if (this.#entered[number] === this.at) continue
      this.#entered[number] = this.at
      const state = this.#states[number]!
      if (state.kind === 'end') this.hasEnded = true
      else if (state.kind === 'ways') for (const next of state.next) waiting.push(next)
      else if (state.kind === 'characters') {
        this.#begin(number, state)
        if (state.min === 0) waiting.push(state.next)
      } else if (this.#isHere(state)) waiting.push(state.next)
    }
  }

  /** Reads the next character. */
  read(): void {
    const waiting = this.#open
    const code = this.#codes[this.#isForward ? this.at++ : --this.at]!
    this.#open = []
    this.hasEnded = false
    const left: number[] = []
    for (const number of waiting) {
      this.steps++
      const state = this.#states[number] as Characters
      if (this.#hasLeft(number, state, state.has(code))) left.push(state.next)
    }
    for (const next of left) this.enter(next)
  }

  /** Takes a character to a state that waits for it; tells whether the state may be left after it. */
  #hasLeft(number: number, { min, max }: Characters, isFitting: boolean): boolean {
    if (max === 1) return isFitting
    const began = this.#began[number]!
    if (!isFitting) began.length = 0
    else if (Math.abs(this.at - began[0]!) > max) began.shift()
    if (began.length === 0) return false
    this.#waitIn(number)
    return Math.abs(this.at - began[0]!) >= min
  }

  #begin(number: number, { max }: Characters): void {
    this.#waitIn(number)
    if (max === 1) return
    this.#began[number] ??= []
    const began = this.#began[number]
    // An older run that may go on for ever makes this one needless.
    if (began.length === 0 || max !== Number.POSITIVE_INFINITY) began.push(this.at)
  }

  #waitIn(number: number): void {
    if (this.#opened[number] === this.at) return
    this.#opened[number] = this.at
    this.#open.push(number)
  }

  #isHere(state: State & { kind: 'place' | 'look' }): boolean {
    if (state.kind === 'place') return this.#isPlace(state.place)
    return (this.#holds.get(state.look)![this.at] === 1) !== state.look.isNegated
  }

  #isPlace(place: Place): boolean {
    if (place === '^') return this.at === 0
    if (place === '$') return this.at === this.#codes.length
    const isBetween = isWord(this.#codes[this.at - 1]) !== isWord(this.#codes[this.at])
    return isBetween === (place === 'b')
  }
}

function isWord(code: number | undefined): boolean {
  return code !== undefined && /^\w$/.test(String.fromCodePoint(code))
}
