/**
 * The names of the options that calls take, checked at run time.
 *
 * Without this check a misspelt option would be ignored: a filter that lets everything through, a limit that does not
 * hold. Types tell only callers in TypeScript. A table is typed by the interface of the options, so that neither can have
 * a name that the other lacks.
 */

import { coreError } from './errors.ts'
import { isPlainObject } from './objects/built-in.ts'

type KeysOf<T> = T extends unknown ? keyof T : never

/** Every option of `T`: `true`, or the options that its value takes. */
export type OptionNames<T> = { readonly [K in KeysOf<T>]-?: true | Options }

/** The options of a call. `T` is their type. */
export interface Options<in T = never> {
  /** The call, as an error names it. */
  readonly call: string
  readonly names: ReadonlyMap<string, Options | undefined>
  /** Never set; it ties the table to a type. */
  readonly given?: (options: T) => void
}

export function optionsOf<T extends object>(call: string, names: OptionNames<T>): Options<T> {
  const entries = Object.entries<true | Options>(names)
  return { call, names: new Map(entries.map(([name, inner]) => [name, inner === true ? undefined : inner])) }
}

/** Throws `option-unknown` for the first name that the call does not take, also in nested options. */
export function checkOptions<T>(options: Options<T>, given: T | undefined): void {
  if (given !== undefined) checkNames(options as Options, given)
}

function checkNames(options: Options, given: unknown): void {
  const { call, names } = options
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    const found = given === null ? 'null' : kindOf(given)
    throw coreError('option-invalid', { field: `options object of ${call}`, reason: `it is ${found}, not an object` })
  }
  for (const name of Object.keys(given)) {
    const inner = names.get(name)
    if (inner !== undefined) checkInner(inner, (given as Readonly<Record<string, unknown>>)[name])
    else if (!names.has(name)) throw coreError('option-unknown', { call, option: name, known: [...names.keys()] })
  }
}

/** Checks nested options and lists of them. Other values, such as instances, have names of their own and are skipped. */
function checkInner(options: Options, given: unknown): void {
  if (Array.isArray(given)) for (const one of given) checkInner(options, one)
  else if (typeof given === 'object' && given !== null && isPlainObject(given)) checkNames(options, given)
}

function kindOf(given: unknown): string {
  return Array.isArray(given) ? 'a list' : `a ${typeof given}`
}

/** The names in an object that are not among the known ones, for callers that report several faults at once. */
export function unknownNames(given: object, known: Iterable<string>): readonly string[] {
  const names = new Set(known)
  return Object.keys(given).filter(name => !names.has(name))
}
