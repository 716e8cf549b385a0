/**
 * The one error class of the library, and the words of this layer.
 *
 * An error has a stable code to branch on, typed data, a message that says what and where, and a hint that says what to
 * do. Each layer has one table of words and makes its error function from it. This file knows no HTTP status, no exit
 * code and no colour.
 */

import { didYouMean } from './nearest-name.ts'

/**
 * How many frames of this library may lie above the caller's. V8 keeps ten frames unless told otherwise, and nested
 * generators use them up before the line that made the call; a write at the greatest depth of a path has the most.
 */
const LIBRARY_FRAMES = 400

/** Makes room for the caller's frames in the next stack, and returns the limit to set back. Zero means no stacks. */
function raiseStackLimit(): unknown {
  const limit: unknown = Reflect.get(Error, 'stackTraceLimit')
  if (typeof limit === 'number' && limit > 0) setStackLimit(limit + LIBRARY_FRAMES)
  return limit
}

/** Does nothing on an engine without a limit, or where `Error` is frozen. */
function setStackLimit(limit: unknown): void {
  if (limit !== undefined) Reflect.set(Error, 'stackTraceLimit', limit)
}

/** Thrown for misuse, refusal and damage. Expected outcomes are return values. */
export class StateError<C extends string = string, D = unknown> extends Error {
  override readonly name = 'StateError'
  readonly code: C
  readonly data: D
  /** What the caller can do about it, when there is something to do. */
  readonly hint: string | undefined

  constructor(code: C, data: D, message: string, hint?: string, options?: ErrorOptions) {
    const limit = raiseStackLimit()
    super(message, options)
    setStackLimit(limit)
    this.code = code
    this.data = data
    this.hint = hint
  }

  toJSON(): { code: C; message: string; hint?: string; data: D } {
    const { code, message, hint, data } = this
    return hint === undefined ? { code, message, data } : { code, message, hint, data }
  }
}

/** For each code of a layer, its message and hint. */
export type Wording<T> = {
  readonly [C in keyof T]: (data: T[C]) => readonly [message: string, hint?: string]
}

/** Makes an error from its code and data. */
export type ErrorMaker<T> = <C extends keyof T & string>(
  code: C,
  data: T[C],
  options?: ErrorOptions,
) => StateError<C, T[C]>

/** Makes the error function of one layer from its table of words. */
export function errorsOf<T extends object>(wording: Wording<T>): ErrorMaker<T> {
  return (code, data, options) => {
    const [message, hint] = wording[code](data)
    return new StateError(code, data, message, hint, options)
  }
}

/**
 * Whether something thrown is a `StateError`, with that code when one is given.
 *
 * It compares names, not prototypes, so that an error of a second copy of this library counts.
 */
export function isStateError(e: unknown, code?: string): e is StateError {
  if (typeof e !== 'object' || e === null || !('name' in e) || e.name !== 'StateError') return false
  return 'code' in e && typeof e.code === 'string' && (code === undefined || e.code === code)
}

/** A place in a value that cannot be stored, and what to do about it. */
export interface Refusal {
  readonly path: string
  readonly type: string
  readonly remedy: string
}

/** What to do about each kind of refusal. */
export const remedies = {
  function: 'Store data that names what to call, and keep the function in code.',
  symbol: 'Use a string in place of the symbol.',
  promise: 'Await it, and store the result.',
  cycle: 'Store an id or a path in place of the reference back.',
  surrogate: 'Repair the text so that every surrogate has its pair, or store the bytes.',
  instance:
    'Register its class with a codec, { type, tag, encode, decode } in classes, or store its data as a plain object.',
  error: 'Register its class with a codec, { type, tag, encode, decode } in classes, or store a plain Error.',
  encode: 'Repair the encode of its codec.',
  boxed: 'Store the primitive inside it, which valueOf() gives.',
  hidden: 'Make the property enumerable, or leave it out.',
  holes: 'Fill the holes, with undefined or null.',
  extra: 'Store the extra properties in an object of their own.',
  resizable: 'Store a copy of fixed length, which slice() gives.',
  lastIndex: 'Set lastIndex to an integer of 0 or more.',
  encrypted: 'Write only what changes. Branches, merges, exports and pulls carry encrypted values as they are.',
  depth: 'Store the inner part under a shorter path, or raise limits.depth.',
  key: 'Use a shorter key and store the long text as a value, or raise limits.segmentBytes.',
  string: 'Split the text, or raise limits.stringBytes.',
  bigint: 'Store it in parts, or as bytes, or raise limits.bigintDigits.',
  size: 'Store the value in several writes, or raise limits.valueBytes.',
} as const

/** What each code of this layer carries. Codes are public API. */
export interface CoreErrors {
  'path-invalid': { readonly path: string; readonly reason: string }
  'pattern-invalid': { readonly pattern: string; readonly reason: string }
  'id-invalid': { readonly id: string; readonly reason: string }
  'value-refused': { readonly refused: readonly Refusal[] }
  'value-unreadable': {
    readonly path: string
    readonly tag: string
    /** The tag of the codec that is missing or failed, and why. */
    readonly class?: string
    readonly reason?: string
  }
  'class-invalid': { readonly tag: string; readonly reason: string }
  'schema-invalid': { readonly path: string; readonly reason: string }
  'json-invalid': { readonly line: number; readonly column: number; readonly reason: string }
  'option-unknown': { readonly call: string; readonly option: string; readonly known: readonly string[] }
  'option-invalid': { readonly field: string; readonly reason: string }
  'clock-invalid': { readonly time: number }
  'too-costly': { readonly limit: string; readonly most: number; readonly unit: string }
}

const namedAtMost = 10
const remediesAtMost = 3

/** Makes the errors of this layer. */
export const coreError: <C extends keyof CoreErrors>(
  code: C,
  data: CoreErrors[C],
  options?: ErrorOptions,
) => StateError<C, CoreErrors[C]> = errorsOf<CoreErrors>({
  'path-invalid': ({ path, reason }) => [
    `The path ${JSON.stringify(path)} is not valid: ${reason}.`,
    'A path is a JSON Pointer such as /a/b, with ~1 for "/" and ~0 for "~", or an array of its segments.',
  ],
  'pattern-invalid': ({ pattern, reason }) => [
    `The pattern ${JSON.stringify(pattern)} is not valid: ${reason}.`,
    'A pattern is a JSON Pointer in which a segment may be * (one segment) or ** (any number of segments).',
  ],
  'id-invalid': ({ id, reason }) => [`${JSON.stringify(id)} is not an id: ${reason}.`],
  'value-refused': ({ refused }) => [
    `${refused.length === 1 ? 'A value cannot be stored' : `${refused.length} values cannot be stored`}: ${listed(refused)}.`,
    [...new Set(refused.map(({ remedy }) => remedy))].slice(0, remediesAtMost).join(' '),
  ],
  'value-unreadable': ({ path, tag, class: name, reason }) =>
    name === undefined
      ? [
          `The value at ${path} is stored as "${tag}" in a way that this version cannot read.`,
          'Read it with the version that wrote it, or write the value again.',
        ]
      : [
          `The value at ${path} is an instance of the class "${name}" and cannot be made: ${reason}.`,
          `Open the store with the codec that wrote it: classes: [{ type, tag: ${JSON.stringify(name)}, encode, decode }].`,
        ],
  'class-invalid': ({ tag, reason }) => [
    `The codec of the class ${JSON.stringify(tag)} cannot be registered: ${reason}.`,
    'A codec is { type, tag, encode, decode }, with a tag and a class that no other codec has.',
  ],
  'schema-invalid': ({ path, reason }) => [
    `The JSON Schema is not valid at ${path}: ${reason}.`,
    'It has to be of the dialect 2020-12, without $dynamicRef and with all references inside the document.',
  ],
  'json-invalid': ({ line, column, reason }) => [
    `The JSON text is refused at line ${line}, column ${column}: ${reason}.`,
  ],
  'option-unknown': ({ call, option, known }) => [
    `${call} has no option '${option}'.${didYouMean(option, known)}`,
    known.length === 0 ? 'It takes none. Nothing was done.' : `It takes ${known.join(', ')}. Nothing was done.`,
  ],
  'option-invalid': ({ field, reason }) => [`The ${field} is not valid: ${reason}.`, 'Nothing was written.'],
  'clock-invalid': ({ time }) => [
    `The clock gives ${time}, which is not a number of milliseconds from 1970 to 9999.`,
    'Set the clock of the machine, or repair the clock that was given to open. Nothing was written.',
  ],
  'too-costly': ({ limit, most, unit }) => [
    `This takes more than it may: the limit of ${limit} is ${most} ${unit}.`,
    'Nothing is half written. Ask for less at once: a page, a narrower path or filter, fewer changes.',
  ],
})

function listed(refused: readonly Refusal[]): string {
  const named = refused.slice(0, namedAtMost).map(({ path, type }) => `${path} (${type})`)
  const more = refused.length - named.length
  return more > 0 ? `${named.join(', ')} and ${more} more` : named.join(', ')
}
