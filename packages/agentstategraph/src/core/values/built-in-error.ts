/**
 * What an error is made of: its class, when that is one of the language's own, and the properties that make it up.
 *
 * An error of the program's own class is not one of these: made again without its class, it would be less than it was.
 * This file knows nothing of how values are stored.
 */
import { hasOwnClass, hasSlot } from '../objects/built-in.ts'

/** The error classes of the language, and the one of the platform. */
export const errorClassNames = [
  'Error',
  'AggregateError',
  'EvalError',
  'RangeError',
  'ReferenceError',
  'SyntaxError',
  'TypeError',
  'URIError',
  'DOMException',
] as const
export type ErrorClassName = (typeof errorClassNames)[number]

/** The properties that errors have by themselves. All others are the program's, such as `code`. */
export const errorFields = ['name', 'message', 'stack', 'cause', 'errors'] as const
export type ErrorField = (typeof errorFields)[number]

type ErrorClass = new (...args: unknown[]) => Error
const classes = globalThis as unknown as Readonly<Record<string, ErrorClass | undefined>>

/** Names the class of an error, when it is one of the language's own or says so. */
export function findErrorClass(value: object): ErrorClassName | undefined {
  const prototype = Object.getPrototypeOf(value) as { readonly constructor?: { readonly name?: unknown } } | null
  const name = errorClassNames.find(one => one === prototype?.constructor?.name)
  if (name === undefined) return undefined
  if (name === 'DOMException') return hasSlot(value, name) ? name : undefined
  if (Object.prototype.toString.call(value) !== '[object Error]') return undefined
  // Errors of Node itself are of classes between, which say that they are the language's.
  return prototype?.constructor === classes[name] || isForeign(value, name) ? name : undefined
}

/** Says whether an error is of that class in another realm: in our own, a class of that name may be the program's. */
function isForeign(value: object, name: ErrorClassName): boolean {
  return !(value instanceof Object) && hasOwnClass(value, name, name === 'Error' ? 1 : 2)
}

/** Says whether an error has a field that is worth keeping. */
export function hasErrorField(error: Error, name: ErrorClassName, field: ErrorField): boolean {
  // A platform's exception has its name and message behind getters, and some engines have every stack there.
  if (field === 'stack') return error.stack !== undefined
  if (name === 'DOMException' && (field === 'name' || field === 'message')) return true
  return Object.hasOwn(error, field)
}

/** An error of a class, with nothing of its own; undefined when there is no such class here. */
export function findNewError(className: unknown, name: unknown, message: unknown): Error | undefined {
  const known = errorClassNames.find(one => one === className)
  const Class = known === undefined ? undefined : classes[known]
  if (Class === undefined) return undefined
  if (known === 'DOMException') {
    return typeof name === 'string' && typeof message === 'string' ? new Class(message, name) : undefined
  }
  return known === 'AggregateError' ? new Class([]) : new Class()
}

/** Gives a new error exactly the fields that it should have. */
export function setErrorFields(error: Error, fields: ReadonlyMap<ErrorField, unknown>): void {
  const isException = hasSlot(error, 'DOMException')
  for (const field of errorFields) {
    if (isException && (field === 'name' || field === 'message')) continue
    if (!fields.has(field) && field !== 'stack') {
      Reflect.deleteProperty(error, field)
    } else {
      // A name of its own was given to it by assignment; the others hide.
      setErrorProperty(error, field, fields.get(field), field === 'name')
    }
  }
}

/** Sets a property of an error itself, also where its class has one of that name that cannot be set. */
export function setErrorProperty(error: Error, key: string, value: unknown, isShown = true): void {
  Object.defineProperty(error, key, { value, writable: true, enumerable: isShown, configurable: true })
}
