/**
 * The class of a built-in error, and the properties it consists of.
 *
 * An error of a class of the program is not built-in: made again without its class, it would lose information. This file
 * knows nothing of how values are stored.
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

/** The properties that the language gives to errors. All others, such as `code`, are the program's. */
export const errorFields = ['name', 'message', 'stack', 'cause', 'errors'] as const
export type ErrorField = (typeof errorFields)[number]

type ErrorClass = new (...args: unknown[]) => Error
const classes = globalThis as unknown as Readonly<Record<string, ErrorClass | undefined>>

/** The class of an error, when it is a built-in one. */
export function findErrorClass(value: object): ErrorClassName | undefined {
  const prototype = Object.getPrototypeOf(value) as { readonly constructor?: { readonly name?: unknown } } | null
  const name = errorClassNames.find(one => one === prototype?.constructor?.name)
  if (name === undefined) return undefined
  if (name === 'DOMException') return hasSlot(value, name) ? name : undefined
  if (Object.prototype.toString.call(value) !== '[object Error]') return undefined
  // Errors of Node itself have classes in between, whose `constructor` is the built-in class.
  return prototype?.constructor === classes[name] || isForeign(value, name) ? name : undefined
}

/** Whether an error has that class in another realm. In this realm, a class of that name may be the program's. */
function isForeign(value: object, name: ErrorClassName): boolean {
  return !(value instanceof Object) && hasOwnClass(value, name, name === 'Error' ? 1 : 2)
}

/** Whether an error has a field that is stored. */
export function hasErrorField(error: Error, name: ErrorClassName, field: ErrorField): boolean {
  // A DOMException has name and message behind getters, and some engines have every stack there.
  if (field === 'stack') return error.stack !== undefined
  if (name === 'DOMException' && (field === 'name' || field === 'message')) return true
  return Object.hasOwn(error, field)
}

/** A new error of a class; undefined when this runtime has no such class. */
export function findNewError(className: unknown, name: unknown, message: unknown): Error | undefined {
  const known = errorClassNames.find(one => one === className)
  const Class = known === undefined ? undefined : classes[known]
  if (Class === undefined) return undefined
  if (known === 'DOMException') {
    return typeof name === 'string' && typeof message === 'string' ? new Class(message, name) : undefined
  }
  return known === 'AggregateError' ? new Class([]) : new Class()
}

/** Gives a new error exactly these fields. */
export function setErrorFields(error: Error, fields: ReadonlyMap<ErrorField, unknown>): void {
  const isException = hasSlot(error, 'DOMException')
  for (const field of errorFields) {
    if (isException && (field === 'name' || field === 'message')) continue
    if (!fields.has(field) && field !== 'stack') {
      Reflect.deleteProperty(error, field)
    } else {
      // A stored name came from an assignment, so it is enumerable; the other fields are not.
      setErrorProperty(error, field, fields.get(field), field === 'name')
    }
  }
}

/** Sets an own property of an error, also where its class has a read-only one of that name. */
export function setErrorProperty(error: Error, key: string, value: unknown, isShown = true): void {
  Object.defineProperty(error, key, { value, writable: true, enumerable: isShown, configurable: true })
}
