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

/** What each code of this layer carries. Codes are public API. */
export interface CoreErrors {
  'path-invalid': { readonly path: string; readonly reason: string }
  'pattern-invalid': { readonly pattern: string; readonly reason: string }
  'id-invalid': { readonly id: string; readonly reason: string }
  'schema-invalid': { readonly path: string; readonly reason: string }
  'option-unknown': { readonly call: string; readonly option: string; readonly known: readonly string[] }
  'option-invalid': { readonly field: string; readonly reason: string }
  'clock-invalid': { readonly time: number }
  'too-costly': { readonly limit: string; readonly most: number; readonly unit: string }
}

/** The pointer that a path written another way stands for: `a/b`, `a.b`. */
function meant(text: unknown): string {
  if (typeof text !== 'string' || !/^\w[\w-]*(?:[./][\w*-]+)*$/.test(text)) return ''
  return `Did you mean "/${text.includes('/') ? text : text.replaceAll('.', '/')}"? `
}

/** Makes the errors of this layer. */
export const coreError: <C extends keyof CoreErrors>(
  code: C,
  data: CoreErrors[C],
  options?: ErrorOptions,
) => StateError<C, CoreErrors[C]> = errorsOf<CoreErrors>({
  'path-invalid': ({ path, reason }) => [
    `The path ${JSON.stringify(path)} is not valid: ${reason}.`,
    `${meant(path)}A path is a JSON Pointer such as /a/b, with ~1 for "/" and ~0 for "~", or an array of its segments.`,
  ],
  'pattern-invalid': ({ pattern, reason }) => [
    `The pattern ${JSON.stringify(pattern)} is not valid: ${reason}.`,
    `${meant(pattern)}A pattern is a JSON Pointer in which a segment may be * (one segment) or ** (any number of segments).`,
  ],
  'id-invalid': ({ id, reason }) => [
    `${JSON.stringify(id)} is not an id: ${reason}.`,
    'An id has 64 digits, from 0 to 9 and a to f.',
  ],
  'schema-invalid': ({ path, reason }) => [
    `The JSON Schema is not valid at ${path}: ${reason}.`,
    'It has to be of the dialect 2020-12, without $dynamicRef and with all references inside the document.',
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
