/**
 * Errors as plain data, and errors again.
 *
 * What a node throws can be anything. Its name, message, stack, code and causes are kept; a `StateError` comes back as
 * one, anything else as an `Error` that carries its name and code. What cannot be stored of it is left out, because a
 * failure that cannot be kept would hide why the run failed.
 */

import { encode, isStateError, StateError, type Stored } from '../../core/index.ts'

interface ErrorRecord {
  readonly name: string
  readonly message: string
  readonly stack?: string
  readonly code?: string | number
  readonly data?: unknown
  readonly hint?: string
  readonly cause?: ErrorRecord
  readonly errors?: readonly ErrorRecord[]
}

/** Causes deeper than this are cut: a chain of errors can lead back to itself. */
const MAX_CAUSES = 8
const MAX_TEXT = 16 * 1024

export function errorRecord(thrown: unknown, depth: number = 0): ErrorRecord {
  if (!isErrorLike(thrown)) return { name: 'Error', message: shortened(textOf(thrown)) }
  const { name, message, stack, code, data, hint, cause, errors } = thrown
  const isDeep = depth >= MAX_CAUSES
  return {
    name: shortened(String(name ?? 'Error')),
    message: shortened(String(message)),
    ...(typeof stack === 'string' ? { stack: shortened(stack) } : {}),
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    ...(isStateError(thrown) && isStorable(data) ? { data } : {}),
    ...(typeof hint === 'string' ? { hint: shortened(hint) } : {}),
    ...(cause === undefined || isDeep ? {} : { cause: errorRecord(cause, depth + 1) }),
    ...(Array.isArray(errors) && !isDeep ? { errors: errors.map(one => errorRecord(one, depth + 1)) } : {}),
  }
}

/** The error that a record tells of. */
export function errorFrom(record: unknown): Error {
  const { name, stack, code } = record as ErrorRecord
  const error = plainError(record as ErrorRecord)
  if (error.name !== name) Object.defineProperty(error, 'name', { value: name, configurable: true, writable: true })
  if (stack !== undefined) error.stack = stack
  if (code !== undefined && !('code' in error)) Object.assign(error, { code })
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

function isStorable(value: unknown): value is Stored {
  if (value === undefined) return false
  try {
    encode(value)
    return true
  } catch {
    return false
  }
}

/** Without lone surrogates, which nothing can store. */
function shortened(text: string): string {
  return text.slice(0, MAX_TEXT).replace(/\p{Surrogate}/gu, '\ufffd')
}
