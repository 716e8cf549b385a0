import { readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { canonicalText, type Stored } from '../text/stored.ts'
import { errorClassNames } from './built-in-error.ts'
import { decode } from './decode.ts'
import { encode } from './encode.ts'

type AnyError = Error & { readonly errors?: unknown; readonly [key: string]: unknown }
type ErrorClass = new (...args: unknown[]) => AnyError

function newError(name: (typeof errorClassNames)[number], message: string | undefined, cause: unknown): AnyError {
  const Class = (globalThis as unknown as Record<string, ErrorClass>)[name]!
  if (name === 'DOMException') return new Class(message, 'AbortError')
  const options = cause === undefined ? undefined : { cause }
  return name === 'AggregateError' ? new Class([cause, 'other'], message, options) : new Class(message, options)
}

const text = fc.string({ maxLength: 6 })
const errors = fc.letrec<{ error: AnyError; value: unknown }>(tie => ({
  value: fc.oneof({ depthSize: 'small' }, text, fc.constant(undefined), fc.constant(7n), tie('error')),
  error: fc
    .record({
      name: fc.constantFrom(...errorClassNames),
      message: fc.option(text, { nil: undefined }),
      cause: tie('value'),
      own: fc.dictionary(fc.constantFrom('code', '$cause', '__proto__', 'class', 'own'), tie('value'), { maxKeys: 2 }),
      ownName: fc.option(text, { nil: undefined }),
      hasStack: fc.boolean(),
    })
    .map(({ name, message, cause, own, ownName, hasStack }) => {
      const error = newError(name, message, cause)
      for (const key of Object.keys(own)) {
        const value: unknown = Object.getOwnPropertyDescriptor(own, key)?.value
        Object.defineProperty(error, key, { value, writable: true, enumerable: true, configurable: true })
      }
      if (ownName !== undefined && name !== 'DOMException') Object.assign(error, { name: ownName })
      if (!hasStack) Reflect.deleteProperty(error, 'stack')
      return error
    }),
})).error

it('errors come back with class, message, stack, cause, inner errors and what was put into them', () => {
  fc.assert(
    fc.property(errors, error => {
      const stored = canonicalText(encode({ error }))
      const read = decode(JSON.parse(stored) as Stored) as { error: AnyError }
      expect(parts(read.error)).toEqual(parts(error))
      expect(canonicalText(encode(read))).toBe(stored)
    }),
    { numRuns: 500 },
  )
})

it('an error reads back as an error: thrown, caught and printed like the first', () => {
  const error = new TypeError('bad', { cause: new RangeError('low') })
  const read = decode(encode(error)) as TypeError
  expect(Object.prototype.toString.call(read)).toBe('[object Error]')
  expect(`${read}`).toBe('TypeError: bad')
  expect(read.stack).toBe(error.stack)
  expect(Object.keys(read)).toEqual([])
})

it('an error of the system keeps its code, and one of Node itself is what it says it is', () => {
  const missing = caught(() => readFileSync('/no such file'))
  expect(decode(encode(missing))).toMatchObject({ code: 'ENOENT', syscall: 'open', path: '/no such file' })
  const wrong = decode(encode(caught(() => readFileSync(undefined as unknown as string)))) as AnyError
  expect([wrong instanceof TypeError, wrong['code']]).toEqual([true, 'ERR_INVALID_ARG_TYPE'])
})

it('the exception of an abort keeps its name', () => {
  const read = decode(encode(AbortSignal.abort().reason)) as DOMException
  expect([read instanceof DOMException, read.name, read.code]).toEqual([true, 'AbortError', 20])
})

it('an error of another realm is taken for what it is', () => {
  const read = decode(encode(runInNewContext('Object.assign(new RangeError("far"), { code: 1 })')))
  expect(read).toBeInstanceOf(RangeError)
  expect(read).toMatchObject({ message: 'far', code: 1 })
})

it('a class of the program is not taken for one of the language because of its name', () => {
  class Own extends Error {}
  Object.defineProperty(Own, 'name', { value: 'TypeError' })
  expect(() => encode(new Own('x'))).toThrow(expect.objectContaining({ code: 'value-refused' }))
  expect(() => encode(Object.create(Error.prototype))).toThrow(expect.objectContaining({ code: 'value-refused' }))
})

it('what cannot be stored inside an error is refused with its place, and so is an error that causes itself', () => {
  const error = Object.assign(new AggregateError([1, Symbol('s')], 'x', { cause: () => 1 }), { response: () => 2 })
  Object.assign(error, { again: error, [Symbol('hidden')]: 1 })
  expect(() => encode({ error })).toThrow(
    expect.objectContaining({
      data: {
        refused: [
          expect.objectContaining({ path: '/error/<cause>', type: 'a function' }),
          expect.objectContaining({ path: '/error/<errors>/1', type: 'a symbol' }),
          expect.objectContaining({ path: '/error', type: 'an error with the key Symbol(hidden)' }),
          expect.objectContaining({ path: '/error/<response>', type: 'a function' }),
          expect.objectContaining({ path: '/error/<again>', type: expect.stringContaining('back') }),
        ],
      },
    }),
  )
})

it('a payload that writing does not give is not read', () => {
  const payloads: Stored[] = [
    null,
    'Error',
    {},
    { class: 'HttpError' },
    { class: 'Error', code: 1 },
    { class: 'Error', own: {} },
    { class: 'Error', own: { message: 'x' } },
    { class: 'Error', own: { $x: 1 } },
    { class: 'DOMException', message: 'x' },
  ]
  for (const payload of payloads) {
    expect(() => decode({ a: { $error: payload } }), JSON.stringify(payload)).toThrow(
      expect.objectContaining({ code: 'value-unreadable', data: { path: '/a', tag: '$error' } }),
    )
  }
})

function caught(run: () => unknown): unknown {
  try {
    return run()
  } catch (e) {
    return e
  }
}

/** An error as nested arrays, in which everything that must not be lost shows. */
function parts(value: unknown): unknown {
  if (!(value instanceof Error)) return Array.isArray(value) ? value.map(parts) : value
  const own = Object.keys(value).sort()
  return [
    Object.getPrototypeOf(value) ===
      (globalThis as unknown as Record<string, ErrorClass>)[value.constructor.name]?.prototype,
    value.constructor.name,
    value.name,
    value.message,
    Object.hasOwn(value, 'message'),
    value.stack,
    Object.hasOwn(value, 'cause') ? [parts(value.cause)] : [],
    parts((value as AnyError).errors),
    own,
    own.map(key => parts(Object.getOwnPropertyDescriptor(value, key)?.value)),
  ]
}
