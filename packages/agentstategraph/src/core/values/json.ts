/**
 * A strict reader of JSON text from outside.
 *
 * `JSON.parse` silently drops the first of two equal keys and the last digits of a large number. This reader refuses both,
 * and everything that could not be stored, with line and column. It returns plain user data, in which keys that begin with
 * `$` have no meaning. It knows nothing of the stored form and does not recurse.
 */
import { defaultLimits, type Limits } from '../limits.ts'
import { keepKeys } from '../objects/listed-keys.ts'
import { setOwn } from '../objects/own-property.ts'
import { formatPath } from '../paths/path.ts'
import { isWellFormed } from '../text/stored.ts'
import { valueError } from './errors.ts'

/** Reads JSON text, or throws `json-invalid`. Lines and columns count from 1, columns in UTF-16 code units. */
export function readJson(text: string, options: JsonOptions = {}): unknown {
  return new JsonReader(text, options.limits ?? defaultLimits).readOn(Number.POSITIVE_INFINITY)!.value
}

/** The same, so many values after the other: for texts so long that others should not wait for all of it. */
export function* readJsonSteps(text: string, options: JsonOptions = {}): Generator<undefined, unknown> {
  const reader = new JsonReader(text, options.limits ?? defaultLimits)
  for (;;) {
    const read = reader.readOn(VALUES_BETWEEN)
    if (read !== undefined) return read.value
    yield
  }
}

/** What a text may hold. */
export interface JsonOptions {
  readonly limits?: Limits | undefined
}

const VALUES_BETWEEN = 256

/** A container that is being read, with the key that the next value gets. */
type Frame =
  | { readonly kind: 'list'; readonly list: unknown[] }
  | { readonly kind: 'map'; readonly map: { [key: string]: unknown }; readonly keys: string[]; key: string }

/** Listing the keys of a larger map takes long, so they are kept. */
const MANY_KEYS = 1000

const opened: unique symbol = Symbol('a container that is not empty was opened')
const numeral = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/y
const escaped = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y

class JsonReader {
  readonly #text: string
  readonly #limits: Limits
  readonly #frames: Frame[] = []
  #at = 0

  constructor(text: string, limits: Limits) {
    this.#text = text
    this.#limits = limits
  }

  /** Reads so many values more; undefined until the text is at its end. */
  readOn(values: number): { readonly value: unknown } | undefined {
    for (let left = values; left > 0; left--) {
      let value = this.#value()
      if (value === opened) continue
      for (;;) {
        const frame = this.#frames.at(-1)
        if (frame === undefined) return { value: this.#end(value) }
        if (frame.kind === 'list') frame.list.push(value)
        else setOwn(frame.map, frame.key, value)
        if (this.#take(',')) {
          if (frame.kind === 'map') this.#key(frame)
          break
        }
        if (!this.#take(frame.kind === 'list' ? ']' : '}')) throw this.#unexpected()
        this.#frames.pop()
        if (frame.kind === 'map' && frame.keys.length > MANY_KEYS) keepKeys(frame.map, frame.keys)
        value = frame.kind === 'list' ? frame.list : frame.map
      }
    }
    return undefined
  }

  #value(): unknown {
    this.#skipSpace()
    switch (this.#text[this.#at]) {
      case '{':
        return this.#openMap()
      case '[':
        return this.#openList()
      case '"':
        return this.#string()
      case 't':
        return this.#word('true', true)
      case 'f':
        return this.#word('false', false)
      case 'n':
        return this.#word('null', null)
      default:
        return this.#number()
    }
  }

  #openMap(): unknown {
    const start = this.#at++
    if (this.#take('}')) return {}
    const frame: Frame = { kind: 'map', map: {}, keys: [], key: '' }
    this.#open(frame, start)
    this.#key(frame)
    return opened
  }

  #openList(): unknown {
    const start = this.#at++
    if (this.#take(']')) return []
    this.#open({ kind: 'list', list: [] }, start)
    return opened
  }

  #open(frame: Frame, start: number): void {
    const { depth } = this.#limits
    if (this.#frames.length >= depth) throw this.#refused(start, `it is nested deeper than ${depth} levels`)
    this.#frames.push(frame)
  }

  #key(frame: Extract<Frame, { kind: 'map' }>): void {
    this.#skipSpace()
    const start = this.#at
    if (this.#text[start] !== '"') throw this.#unexpected()
    frame.key = this.#string()
    if (Object.hasOwn(frame.map, frame.key)) throw this.#refused(start, `the key ${this.#path()} is there twice`)
    frame.keys.push(frame.key)
    if (!this.#take(':')) throw this.#unexpected()
  }

  #string(): string {
    const text = this.#text
    const start = this.#at++
    let isEscaped = false
    for (;;) {
      const unit = text.charCodeAt(this.#at)
      if (unit === 34) break
      if (unit === 92) {
        isEscaped = true
        escaped.lastIndex = this.#at
        if (!escaped.test(text)) throw this.#refused(this.#at, 'there is no such escape')
        this.#at = escaped.lastIndex
      } else if (unit >= 32) this.#at++
      else if (this.#at >= text.length) throw this.#refused(start, 'the string does not end')
      else throw this.#refused(this.#at, 'a control character in a string must be escaped')
    }
    this.#at++
    const string = isEscaped ? (JSON.parse(text.slice(start, this.#at)) as string) : text.slice(start + 1, this.#at - 1)
    if (!isWellFormed(string)) throw this.#refused(start, 'the string has a lone surrogate')
    return string
  }

  #number(): number {
    const start = this.#at
    numeral.lastIndex = start
    const match = numeral.exec(this.#text)
    if (match === null) throw this.#unexpected()
    const [digits, fraction, exponent] = match
    this.#at += digits.length
    const value = Number(digits)
    if (fraction === undefined && exponent === undefined && !Number.isSafeInteger(value)) {
      throw this.#refused(start, `the integer ${digits} at ${this.#path()} is beyond 2^53 - 1 and would lose digits`)
    }
    if (!Number.isFinite(value)) throw this.#refused(start, `the number ${digits} at ${this.#path()} is too large`)
    if (Math.abs(value) > Number.MAX_SAFE_INTEGER && decimalOf(digits) !== decimalOf(String(value))) {
      throw this.#refused(start, `the number ${digits} at ${this.#path()} is beyond 2^53 - 1 and would lose digits`)
    }
    if (value === 0 && decimalOf(digits) !== '') {
      throw this.#refused(start, `the number ${digits} at ${this.#path()} is too small and would become 0`)
    }
    return value
  }

  #word<T>(word: string, value: T): T {
    if (!this.#text.startsWith(word, this.#at)) throw this.#unexpected()
    this.#at += word.length
    return value
  }

  #end(value: unknown): unknown {
    this.#skipSpace()
    if (this.#at < this.#text.length) throw this.#unexpected()
    return value
  }

  #take(mark: string): boolean {
    this.#skipSpace()
    if (this.#text[this.#at] !== mark) return false
    this.#at++
    return true
  }

  #skipSpace(): void {
    for (;;) {
      const unit = this.#text.charCodeAt(this.#at)
      if (unit !== 32 && unit !== 10 && unit !== 13 && unit !== 9) return
      this.#at++
    }
  }

  #path(): string {
    return formatPath(this.#frames.map(frame => (frame.kind === 'list' ? `${frame.list.length}` : frame.key)))
  }

  #unexpected(): Error {
    const point = this.#text.codePointAt(this.#at)
    if (point === undefined) return this.#refused(this.#at, 'the text ends too early')
    const code = point.toString(16).toUpperCase().padStart(4, '0')
    return this.#refused(this.#at, `U+${code} is not expected here`)
  }

  #refused(at: number, reason: string): Error {
    const before = this.#text.slice(0, at)
    const line = before.split('\n').length
    return valueError('json-invalid', { line, column: at - before.lastIndexOf('\n'), reason })
  }
}

/** A normal form of a numeral: its digits without outer zeros, and the exponent; '' for 0. Equal for equal numbers. */
function decimalOf(numeral: string): string {
  const [mantissa = '', exponent = '0'] = numeral.replace(/^-/, '').toLowerCase().split('e', 2)
  const [whole = '', fraction = ''] = mantissa.split('.', 2)
  const digits = whole + fraction
  let start = 0
  while (digits[start] === '0') start++
  let end = digits.length
  while (end > start && digits[end - 1] === '0') end--
  return start === end ? '' : `${digits.slice(start, end)}e${whole.length - start + Number(exponent)}`
}
