/**
 * Converts thrown values to plain data and back to errors.
 *
 * The name of the class, message, stack, code, causes and own properties are kept; a `StateError` comes back as one,
 * anything else as an `Error` with these properties. What cannot be stored, or is too long, is left out, because a failure
 * that cannot be kept would hide why the run failed.
 */

import {
  canonicalText,
  encode,
  errorClassNames,
  isStateError,
  StateError,
  type Stored,
  setOwn,
} from '../../../core/index.ts'

interface ErrorRecord {
  readonly name: string
  readonly message: string
  readonly stack?: string
  readonly code?: string | number
  readonly data?: unknown
  readonly hint?: string
  readonly cause?: ErrorRecord
  readonly errors?: readonly ErrorRecord[]
  /** Own properties in pairs, because a property may have any name. */
  readonly own?: readonly (readonly [string, unknown])[]
}

/** Deeper causes are cut: causes can form a cycle. */
const MAX_CAUSES = 8
const MAX_TEXT = 16 * 1024
const MAX_OWN = 32
const MAX_OWN_TEXT = 4 * 1024

export function errorRecord(thrown: unknown, depth: number = 0): ErrorRecord {
  if (!isErrorLike(thrown)) return { name: 'Error', message: shortened(textOf(thrown)) }
  const { message, stack, code, data, hint, cause, errors } = thrown
  const own = isStateError(thrown) ? [] : ownProperties(thrown)
  const isDeep = depth >= MAX_CAUSES
  return {
    name: shortened(classNameOf(thrown)),
    message: shortened(String(message)),
    ...(typeof stack === 'string' ? { stack: shortened(stack) } : {}),
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    ...(isStateError(thrown) && isStorable(data) ? { data } : {}),
    ...(typeof hint === 'string' ? { hint: shortened(hint) } : {}),
    ...(cause === undefined || isDeep ? {} : { cause: errorRecord(cause, depth + 1) }),
    ...(Array.isArray(errors) && !isDeep ? { errors: errors.map(one => errorRecord(one, depth + 1)) } : {}),
    ...(own.length === 0 ? {} : { own }),
  }
}

/** The name of the class. An error whose class does not set `name` inherits that of a built-in class. */
function classNameOf(thrown: ErrorLike): string {
  const name = String(thrown.name ?? 'Error')
  const made = (thrown as { readonly constructor?: { readonly name?: unknown } }).constructor?.name
  const isInherited = languageErrors.has(name) && !Object.hasOwn(thrown, 'name')
  return isInherited && typeof made === 'string' && made !== '' && made !== 'Object' ? made : name
}

const languageErrors: ReadonlySet<string> = new Set(errorClassNames)

/** Properties that have fields of their own in a record. */
const known: ReadonlySet<string> = new Set(['name', 'message', 'stack', 'code', 'cause', 'errors', 'hint'])

function ownProperties(thrown: ErrorLike): readonly (readonly [string, unknown])[] {
  const names = Object.keys(thrown).filter(name => !known.has(name))
  return names
    .flatMap(name => {
      const value = ownValue(thrown, name)
      return isStorable(value, MAX_OWN_TEXT) ? [[name, value] as const] : []
    })
    .slice(0, MAX_OWN)
}

function ownValue(thrown: ErrorLike, name: string): unknown {
  try {
    return (thrown as unknown as Readonly<Record<string, unknown>>)[name]
  } catch {
    return undefined
  }
}

/** The error of a record. */
export function errorFrom(record: unknown): Error {
  const { name, stack, code, own = [] } = record as ErrorRecord
  const error = plainError(record as ErrorRecord)
  if (error.name !== name) Object.defineProperty(error, 'name', { value: name, configurable: true, writable: true })
  if (stack !== undefined) error.stack = stack
  if (code !== undefined && !('code' in error)) Object.assign(error, { code })
  for (const [property, value] of own) setOwn(error as unknown as Record<string, unknown>, property, value)
  return error
}

function plainError({ name, message, code, data, hint, cause, errors }: ErrorRecord): Error {
  const options = cause === undefined ? undefined : { cause: errorFrom(cause) }
  if (name === 'StateError' && typeof code === 'string') return new StateError(code, data, message, hint, options)
  return errors === undefined
    ? new Error(message, options)
    : new AggregateError(errors.map(errorFrom), message, options)
}

interface ErrorLike {
  readonly name?: unknown
  readonly message: unknown
  readonly stack?: unknown
  readonly code?: unknown
  readonly data?: unknown
  readonly hint?: unknown
  readonly cause?: unknown
  readonly errors?: unknown
}

function isErrorLike(thrown: unknown): thrown is ErrorLike {
  return typeof thrown === 'object' && thrown !== null && 'message' in thrown
}

function textOf(thrown: unknown): string {
  try {
    return typeof thrown === 'string' ? thrown : (JSON.stringify(thrown) ?? String(thrown))
  } catch {
    return String(thrown)
  }
}

function isStorable(value: unknown, maxText: number = Number.POSITIVE_INFINITY): value is Stored {
  if (value === undefined) return false
  try {
    return canonicalText(encode(value)).length <= maxText
  } catch {
    return false
  }
}

/** Cuts a text, and replaces lone surrogates, which cannot be stored. */
function shortened(text: string): string {
  return text.slice(0, MAX_TEXT).replace(/\p{Surrogate}/gu, '\ufffd')
}
