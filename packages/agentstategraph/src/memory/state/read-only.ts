/**
 * Read-only views of values, for checkouts.
 *
 * Freezing is not enough: maps, sets and dates change through their methods, elements of typed arrays cannot be frozen, and
 * a frozen object gives no reason for its refusal. So containers and bytes are proxies that refuse every write with its
 * path, and maps, sets and dates are copies whose own methods refuse. Instances of registered classes are frozen, because
 * their methods may need the object itself. An `ArrayBuffer` is copied.
 */

import { formatPath, isPlainObject } from '../../core/index.ts'

/** Makes the error for a write to a path. */
export type Refuse = (path: string) => Error

/** The value behind each read-only view. */
const behind = new WeakMap<object, object>()

/** The value behind a read-only view; undefined for any other value. */
export function findBehind(value: unknown): object | undefined {
  return typeof value === 'object' && value !== null ? behind.get(value) : undefined
}

export function readOnly<T>(value: T, path: readonly string[], refuse: Refuse): T {
  return viewOf({ refuse, views: new WeakMap() }, value, path) as T
}

interface Viewing {
  readonly refuse: Refuse
  /** One view for each object, so that identity is kept. */
  readonly views: WeakMap<object, object>
}

function viewOf(viewing: Viewing, value: unknown, path: readonly string[]): unknown {
  if (typeof value !== 'object' || value === null) return value
  const known = viewing.views.get(value)
  if (known !== undefined) return known
  const made = viewOfObject(viewing, value, path)
  viewing.views.set(value, made)
  if (made !== value) behind.set(made, value)
  return made
}

function viewOfObject(viewing: Viewing, value: object, path: readonly string[]): object {
  const inside = (item: unknown): unknown => viewOf(viewing, item, path)
  if (Array.isArray(value) || isPlainObject(value)) return new Proxy(value, containerHandler(viewing, path))
  if (value instanceof Map) {
    const map = new Map([...value].map(([key, item]) => [inside(key), inside(item)]))
    return withoutMethods(map, ['set', 'delete', 'clear'], refusing(viewing, path))
  }
  if (value instanceof Set) {
    return withoutMethods(new Set([...value].map(inside)), ['add', 'delete', 'clear'], refusing(viewing, path))
  }
  if (value instanceof Date) return withoutMethods(new Date(value), dateSetters, refusing(viewing, path))
  if (value instanceof ArrayBuffer) return value.slice(0)
  if (ArrayBuffer.isView(value) || value instanceof URL || value instanceof URLSearchParams) {
    return new Proxy(value, viewHandler(viewing, path))
  }
  return frozen(value)
}

const dateSetters = Object.getOwnPropertyNames(Date.prototype).filter(name => name.startsWith('set'))

function refusing({ refuse }: Viewing, path: readonly string[]): () => never {
  return () => {
    throw refuse(formatPath(path))
  }
}

/** The object with own methods that refuse. They are not enumerable, so that it still equals one without them. */
function withoutMethods<T extends object>(value: T, names: readonly string[], refuse: () => never): T {
  for (const name of names) Object.defineProperty(value, name, { value: refuse, enumerable: false })
  return Object.freeze(value)
}

/** Freezes an object and everything in it. */
function frozen(value: object): object {
  if (Object.isFrozen(value)) return value
  Object.freeze(value)
  for (const item of Object.values(value)) if (typeof item === 'object' && item !== null) frozen(item as object)
  return value
}

function refusals({ refuse }: Viewing, path: readonly string[]): ProxyHandler<object> {
  const never = (_target: object, key?: unknown): never => {
    throw refuse(formatPath(typeof key === 'string' ? [...path, key] : path))
  }
  return { set: never, deleteProperty: never, defineProperty: never, setPrototypeOf: never, preventExtensions: never }
}

function containerHandler(viewing: Viewing, path: readonly string[]): ProxyHandler<object> {
  const inside = (key: string | symbol, value: unknown): unknown => viewOf(viewing, value, [...path, String(key)])
  return {
    ...refusals(viewing, path),
    get: (target, key, receiver) =>
      Object.hasOwn(target, key) ? inside(key, Reflect.get(target, key)) : Reflect.get(target, key, receiver),
    getOwnPropertyDescriptor(target, key) {
      const found = Reflect.getOwnPropertyDescriptor(target, key)
      return found?.configurable === true ? { ...found, value: inside(key, found.value) } : found
    },
  }
}

const viewMutators: ReadonlySet<string> = new Set([
  ...['set', 'delete', 'append', 'fill', 'copyWithin', 'reverse', 'sort'],
  ...Object.getOwnPropertyNames(DataView.prototype).filter(name => name.startsWith('set')),
])

/** For objects whose content is not in their properties: methods run on the object itself, or refuse. */
function viewHandler(viewing: Viewing, path: readonly string[]): ProxyHandler<object> {
  return {
    ...refusals(viewing, path),
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target)
      if (typeof value !== 'function' || key === 'constructor') return viewOf(viewing, value, path)
      if (typeof key === 'string' && viewMutators.has(key)) return refusing(viewing, path)
      // A subarray shares the bytes of its view.
      if (key === 'subarray') return (...args: unknown[]) => viewOf(viewing, value.apply(target, args), path)
      return value.bind(target) as unknown
    },
  }
}
